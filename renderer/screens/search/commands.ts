import {
  Bookmark,
  BookmarkPlus,
  BookOpen,
  ChartNoAxesColumn,
  CircleAlert,
  Download,
  FlaskConical,
  Footprints,
  Keyboard,
  Languages,
  ListTree,
  Lock,
  NotebookPen,
  PanelLeft,
  Plus,
  ReceiptText,
  ScanSearch,
  Settings2,
  SlidersHorizontal,
  Store,
  SunMoon,
  UserRound,
  Users,
  Webhook,
  type LucideIcon,
  Copy,
  FileCheck,
  Repeat2,
  RotateCcw,
  Undo2,
} from 'lucide-react';
import { reconciliationCauses } from '../../../shared/reports/reconcile.ts';
import { languages } from '../../../shared/messages/message.ts';
import { sectionsFor } from '../../../shared/settings/sections.ts';
import { overviewRoute, type Route } from '../../routes.ts';
import { useActiveProfile, useAppState } from '../../stores/app-state-store.ts';
import { useAgents } from '../../stores/settings/agents-store.ts';
import { useExportDialog } from '../../stores/reports/export-store.ts';
import { openGuide } from '../../queries/guide.ts';
import { go, useRoute } from '../../stores/route-store.ts';
import { useNewPayment } from '../../stores/new-payment/new-payment-store.ts';
import { applyTemplate, useTemplates } from '../../queries/templates.ts';
import { useOwnerLabel } from '../views/use-owner-label.ts';
import { isUnsaved, useSavedViews, useViews, viewRoute } from '../../stores/payments/views-store.ts';
import type { Command } from './command.ts';
import { useLocaleChoice, useText, type Translate, namesOf } from '../../i18n/text.ts';
import { useSelf, useRefusal } from '../../use-rights.ts';
import { openSetting } from './open-setting.ts';
import { settingEntries } from './setting-entries.ts';
import { paymentKey, sameKey, rowOf } from '../../../shared/payments/payment-row.ts';
import { stateAt } from '../../../shared/payment-reducer/state-at.ts';
import { currentTime } from '../../i18n/time-left.ts';
import { useCustomer } from '../../queries/customer.ts';
import { paymentQuery, usePayment } from '../../queries/payment.ts';
import { paymentContent } from '../../stores/new-payment/fill-form.ts';
import { useFillForm } from '../../stores/new-payment/use-fill-form.ts';
import { useOperation } from '../../stores/payments/operation-store.ts';
import { headOf } from '../../../shared/reports/head.ts';
import { isLinkLive } from '../../../shared/payments/link.ts';
import { newLinkOffer } from '../payment/link/new-link.ts';
import { moneyBack, offeredActions } from '../payment/operations/offered-actions.ts';

/** What can be done about the payment on the screen, which most searches from its page are for. */
const usePaymentCommands = (): Command[] => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const route = useRoute(state => state.route);
  const key =
    route.screen === 'payment' ? { profileId: route.profileId, orderNumber: route.orderNumber } : null;
  const { value: file } = paymentQuery.use(key);
  const { lookUp, shareLink, writeDossier } = usePayment();
  const { key: offeredFor, offer, openForm } = useOperation();
  const { refusal: noRepeat, fill } = useFillForm(key?.profileId ?? '');
  const noLookUp = useRefusal({ request: 'payments.lookUp' });
  const noCreation = useRefusal({ request: 'payments.create' });
  const noOperations = useRefusal({ request: 'operations.send' });
  const noExport = useRefusal({ request: 'payments.dossier' });
  if (key === null || file === null) return [];
  const { payment, events } = file;
  const now = currentTime();
  const state = stateAt({ state: payment.state, expiresAt: payment.link?.expiresAt ?? null }, now);
  const actions = offer !== null && sameKey(offeredFor, key) ? offeredActions(offer) : [];
  const { action } = headOf(rowOf(payment), now);
  const twice = action?.kind === 'refund' ? action.paymentId : null;
  const back = moneyBack(actions, twice);
  const all: (Command | false)[] = [
    back !== null &&
      noOperations === null && {
        id: 'payment refund',
        name: t(`operation.open.${twice === null ? back.kind : 'refund-one'}`),
        also: t('results.also.refund'),
        icon: Undo2,
        run: () => void openForm({ ...key, ...back }, twice === null ? {} : { reason: 'paid-twice' }),
      },
    isLinkLive(payment, now) && {
      id: 'payment copy',
      name: t('link.copy'),
      icon: Copy,
      key: 'C',
      run: () => void shareLink('copy'),
    },
    noLookUp === null && {
      id: 'payment look-up',
      name: t('look-up.now'),
      icon: ScanSearch,
      key: 'U',
      run: () => void lookUp(),
    },
    noCreation === null &&
      newLinkOffer(payment, state, events) !== 'no' && {
        id: 'payment link',
        name: t('link.new'),
        icon: RotateCcw,
        key: 'A',
        run: () => usePayment.setState({ newLinkFor: paymentKey(payment) }),
      },
    noCreation === null &&
      noRepeat === null && {
        id: 'payment repeat',
        name: t('payment.repeat'),
        icon: Repeat2,
        run: () => fill(paymentContent(file, locale)),
      },
    noExport === null && {
      id: 'payment dossier',
      name: t('dossier.name'),
      also: t('results.also.chargeback'),
      icon: FileCheck,
      run: () => void writeDossier(),
    },
  ];
  return all.filter(command => command !== false);
};

/** The groups of commands, in their order. */
export const commandGroups = ['payment', 'places', 'actions', 'settings', 'documents', 'appearance'] as const;
export type CommandGroup = (typeof commandGroups)[number];

const placeIcons: Readonly<Record<Route['screen'], LucideIcon>> = {
  new: Plus,
  payments: ListTree,
  payment: ListTree,
  customer: UserRound,
  'look-up': ScanSearch,
  'bulk-look-up': ScanSearch,
  callbacks: Webhook,
  overview: ChartNoAxesColumn,
  'handover-note': NotebookPen,
  reconciliation: CircleAlert,
  'month-end': ReceiptText,
  sandbox: FlaskConical,
  settings: Settings2,
};

/** Each destination by its name, with its single-key shortcut, if any. */
const places = (t: Translate): [name: string, route: Route, key?: string][] => [
  [t('nav.new'), { screen: 'new' }, 'N'],
  [t('nav.payments'), { screen: 'payments', view: 'all', words: '' }, 'P'],
  [t('nav.reconciliation'), { screen: 'reconciliation', cause: null }, 'R'],
  [t('nav.look-up'), { screen: 'look-up', by: 'order-number', value: '' }, 'L'],
  [t('nav.callbacks'), { screen: 'callbacks' }, 'C'],
  [t('nav.overview'), overviewRoute, 'O'],
  [t('month-end.report'), { screen: 'month-end', month: null }],
  [t('view.today'), { screen: 'payments', view: 'today', words: '' }],
  [t('view.open'), { screen: 'payments', view: 'open', words: '' }],
  [t('view.unpaid-today'), { screen: 'payments', view: 'unpaid-today', words: '' }],
  [t('nav.sandbox'), { screen: 'sandbox' }],
];

/** Every destination, action, setting and switch. `onShortcuts` opens the sheet of shortcuts. */
export const useCommands = (
  onShortcuts: () => void,
): Record<Exclude<CommandGroup, 'documents'>, Command[]> => {
  const t = useText();
  const { appState: app, change } = useAppState();
  const profile = useActiveProfile();
  const { locale } = useLocaleChoice();
  const openExport = useExportDialog(state => state.open);
  const templates = useTemplates();
  const views = useSavedViews();
  const ownerLabel = useOwnerLabel();
  const openViews = useViews(state => state.open);
  const isCustomer = useRoute(({ route }) => route.screen === 'customer');
  const noJoining = useRefusal({ request: 'customers.join' });
  const canSave = useRoute(({ route }) => route.screen === 'payments' && isUnsaved(route, views));
  const settings = app?.settings;
  const open = new Set(Object.values(sectionsFor(useSelf()?.role ?? 'administrator')).flat());
  return {
    payment: usePaymentCommands(),
    places: [
      ...places(t).map(([name, route, key]) => ({
        id: `go ${name}`,
        name,
        icon: placeIcons[route.screen],
        run: () => go(route),
        key,
      })),
      ...views.map(view => ({
        id: `view ${view.id}`,
        icon: Bookmark,
        name: [t('results.view', { name: view.name }), ownerLabel(view)].filter(Boolean).join(' · '),
        run: () => go(viewRoute(view)),
      })),
      ...reconciliationCauses.map(cause => ({
        id: `cause ${cause}`,
        icon: CircleAlert,
        name: t(`cause.${cause}`),
        detail: t('nav.reconciliation'),
        ...(cause === 'chargeback' && { also: t('results.also.chargeback') }),
        ...(cause === 'record-differs' && { also: t('results.also.differs') }),
        run: () => go({ screen: 'reconciliation', cause }),
      })),
    ],
    actions: [
      {
        id: 'export',
        name: t('export.for-books'),
        icon: Download,
        run: () => openExport({ kind: 'period' }),
      },
      {
        id: 'leave',
        name: t('agent.lock'),
        icon: Lock,
        run: () => void useAgents.getState().signOut(),
      },
      { id: 'shortcuts', name: t('shortcuts.name'), icon: Keyboard, run: onShortcuts },
      { id: 'guide', name: t('guide.name'), icon: Footprints, run: openGuide },
      ...(isCustomer && noJoining === null
        ? [
            {
              id: 'customer join',
              name: t('customer.join-with'),
              also: t('results.also.join'),
              icon: Users,
              run: () => useCustomer.setState({ isAskingForOther: true }),
            },
          ]
        : []),
      ...(canSave
        ? [{ id: 'save view', name: t('views.save-this'), icon: BookmarkPlus, run: () => openViews('save') }]
        : []),
      ...(views.length > 0
        ? [{ id: 'views', name: t('views.manage'), icon: SlidersHorizontal, run: () => openViews('manage') }]
        : []),
      ...templates.map(template => ({
        id: `template ${template.id}`,
        name: t('results.template', { name: template.name }),
        icon: BookOpen,
        run: () => {
          // A form that is in use stays as it is.
          if (profile && useNewPayment.getState().openDraft({})) applyTemplate(template, profile, locale);
          go({ screen: 'new' });
        },
      })),
      ...(app?.profiles ?? [])
        .filter(({ id }) => id !== settings?.activeProfileId)
        .map(({ id, name }) => ({
          id: `profile ${id}`,
          name: t('results.profile', { profile: name }),
          icon: Store,
          run: () => void change({ activeProfileId: id }),
        })),
    ],
    settings: [
      ...[...open].map(section => ({
        id: `settings ${section}`,
        name: t(`settings.${section}`),
        also: [
          t('nav.settings'),
          ...(section === 'people' ? [t('results.also.person')] : []),
          ...(section === 'health' ? [t('results.also.health')] : []),
        ].join(' '),
        icon: Settings2,
        run: () => go({ screen: 'settings', section, id: null }),
      })),
      ...(open.has('profiles')
        ? [
            {
              id: 'settings new profile',
              name: t('profile.add'),
              icon: Settings2,
              run: () => go({ screen: 'settings', section: 'profiles', id: 'new' }),
            },
          ]
        : []),
      ...settingEntries
        .filter(({ section }) => open.has(section))
        .map(entry => ({
          id: `setting ${entry.label}`,
          name: t(entry.label),
          ...(entry.also && { also: t(entry.also) }),
          icon: Settings2,
          detail: t(`settings.${entry.section}`),
          run: () => openSetting(entry, t(entry.label), profile?.id ?? null),
        })),
    ],
    appearance: [
      {
        id: 'waiting',
        name: t(settings?.waitingRail === false ? 'open-links.switch-on' : 'open-links.switch-off'),
        icon: PanelLeft,
        run: () => void change({ waitingRail: settings?.waitingRail === false }),
      },
      {
        id: 'single-keys',
        name: t(settings?.singleKeys === false ? 'single-keys.switch-on' : 'single-keys.switch-off'),
        icon: Keyboard,
        run: () => void change({ singleKeys: settings?.singleKeys === false }),
      },
      ...(['system', 'light', 'dark', 'contrast'] as const).map(theme => ({
        id: `theme ${theme}`,
        name: t('results.theme', { theme: t(`theme.${theme}`) }),
        also: t('results.also.theme'),
        icon: SunMoon,
        run: () => void change({ theme }),
      })),
      ...languages.map(language => ({
        id: `language ${language}`,
        name: t('results.language', { language: t(`language.${language}`) }),
        also: [locale, ...languages].map(one => namesOf(one, { type: 'language' }).of(language)).join(' '),
        icon: Languages,
        run: () => void change({ language }),
      })),
    ],
  };
};
