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
  ScanSearch,
  Settings2,
  SlidersHorizontal,
  Store,
  SunMoon,
  Webhook,
  type LucideIcon,
} from 'lucide-react';
import { useEffect, useState } from 'react';
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  TextField,
  useFilter,
} from 'react-aria-components';
import { containsCardNumber } from '../../../shared/card-number.ts';
import { ownCustomer } from '../../../shared/merchant-texts/own-customer.ts';
import { paymentKey } from '../../../shared/payments/payment-key.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { languages } from '../../../shared/messages/language.ts';
import { Truncate } from '../../components/display/truncate.tsx';
import { Money } from '../../components/display/money.tsx';
import { SingleKey } from '../../components/controls/single-key.tsx';
import { StatusBadge } from '../../components/display/status-badge.tsx';
import { request } from '../../ipc-client.ts';
import { hrefOf, overviewRoute, type Route } from '../../routes.ts';
import { useActiveProfile, useAppState } from '../../stores/app-state-store.ts';
import { useAgents } from '../../stores/settings/agents-store.ts';
import { useExportDialog } from '../../stores/reports/export-dialog-store.ts';
import { useGuide } from '../../stores/settings/guide-store.ts';
import { go, useRoute } from '../../stores/route-store.ts';
import { applyTemplate, useTemplates } from '../../stores/payments/templates-store.ts';
import { isUnsaved, useSavedViews, useViews, viewRoute } from '../../stores/payments/views-store.ts';
import { useLocaleChoice, useText, type Translate } from '../../i18n/text.ts';
import { withoutDigitRuns } from '../../digit-runs.ts';

type Group = 'places' | 'settings' | 'actions' | 'appearance';
type Command = {
  id: string;
  name: string;
  group: Group;
  icon: LucideIcon;
  run: () => void;
  key?: string | undefined;
};

const groups: readonly Group[] = ['places', 'actions', 'settings', 'appearance'];

/** The last chosen commands, newest first, until the window is closed. */
const recent: string[] = [];
const maxRecent = 4;

const remember = (id: string): void => {
  const before = recent.indexOf(id);
  if (before >= 0) recent.splice(before, 1);
  recent.unshift(id);
  recent.length = Math.min(recent.length, maxRecent);
};

const placeIcons: Readonly<Record<Route['screen'], LucideIcon>> = {
  new: Plus,
  payments: ListTree,
  payment: ListTree,
  'look-up': ScanSearch,
  'bulk-look-up': ScanSearch,
  callbacks: Webhook,
  overview: ChartNoAxesColumn,
  'handover-note': NotebookPen,
  reconciliation: CircleAlert,
  sandbox: FlaskConical,
  settings: Settings2,
};

/** Each destination by its name, with its single-key shortcut, if any. */
const places = (t: Translate): [name: string, route: Route, key?: string][] => [
  [t('nav.new'), { screen: 'new' }, 'N'],
  [t('nav.payments'), { screen: 'payments', view: 'all', words: '' }, 'P'],
  [t('view.today'), { screen: 'payments', view: 'today', words: '' }],
  [t('view.open'), { screen: 'payments', view: 'open', words: '' }],
  [t('view.unpaid-today'), { screen: 'payments', view: 'unpaid-today', words: '' }],
  [t('nav.look-up'), { screen: 'look-up', by: 'order-number', value: '' }, 'L'],
  [t('nav.callbacks'), { screen: 'callbacks' }, 'C'],
  [t('nav.overview'), overviewRoute, 'O'],
  [t('nav.handover-note'), { screen: 'handover-note' }],
  [t('nav.reconciliation'), { screen: 'reconciliation', cause: null }, 'R'],
  [t('nav.sandbox'), { screen: 'sandbox' }],
  [t('settings.profiles'), { screen: 'settings', section: 'profiles', id: null }],
  [t('profile.add'), { screen: 'settings', section: 'profiles', id: 'new' }],
  [t('settings.assumptions'), { screen: 'settings', section: 'assumptions', id: null }],
  [t('settings.receiver'), { screen: 'settings', section: 'receiver', id: null }],
  [t('settings.general'), { screen: 'settings', section: 'general', id: null }],
  [t('settings.people'), { screen: 'settings', section: 'people', id: null }],
  [t('settings.activity'), { screen: 'settings', section: 'activity', id: null }],
  [t('settings.appearance'), { screen: 'settings', section: 'appearance', id: null }],
  [t('settings.data'), { screen: 'settings', section: 'data', id: null }],
  [t('settings.about'), { screen: 'settings', section: 'about', id: null }],
];

/** Ctrl+K: every destination, every switch, and any payment by a few letters. */
export const Palette = ({
  isOpen,
  onClose,
  onShortcuts,
}: {
  isOpen: boolean;
  onClose: () => void;
  onShortcuts: () => void;
}) => (
  <ModalOverlay
    className="shade top"
    isOpen={isOpen}
    isDismissable
    onOpenChange={open => {
      if (!open) onClose();
    }}
  >
    <Modal className="modal palette">
      {isOpen ? <Commands onClose={onClose} onShortcuts={onShortcuts} /> : null}
    </Modal>
  </ModalOverlay>
);

/** One command of the menu. `before` makes the id of a command that appears twice different. */
const commandItem = ({ id, name, icon: Icon, key }: Command, before = '') => (
  <MenuItem key={id} id={`${before}${id}`} className="menu-item" textValue={name}>
    <Icon size={16} aria-hidden="true" className="menu-icon" />
    {name}
    {key === undefined ? null : (
      <span className="push">
        <SingleKey>{key}</SingleKey>
      </span>
    )}
  </MenuItem>
);

const Commands = ({ onClose, onShortcuts }: { onClose: () => void; onShortcuts: () => void }) => {
  const t = useText();
  const { appState: app, change } = useAppState();
  const profile = useActiveProfile();
  const { locale } = useLocaleChoice();
  const openExport = useExportDialog(state => state.open);
  const openGuide = useGuide(state => state.open);
  const templates = useTemplates(state => state.templates);
  const views = useSavedViews();
  const openViews = useViews(state => state.open);
  const canSave = useRoute(({ route }) => route.screen === 'payments' && isUnsaved(route, views));
  const [words, setWords] = useState('');
  const [found, setFound] = useState<readonly PaymentRow[]>([]);
  const { contains } = useFilter({ sensitivity: 'base' });
  useEffect(() => {
    const asked = words.trim();
    let current = true;
    const find = async (text: string): Promise<void> => {
      const page = await request('payments.list', { filter: { words: text }, limit: 6 });
      if (current && page.ok) setFound(page.value.rows);
    };
    const timer = window.setTimeout(() => {
      if (asked.length < 2) {
        setFound([]);
        return;
      }
      void find(asked);
    }, 60);
    return () => {
      current = false;
      window.clearTimeout(timer);
    };
  }, [words]);

  const commands: Command[] = [
    ...places(t).map(([name, route, key]) => ({
      id: `go ${hrefOf(route)}`,
      name,
      group: route.screen === 'settings' ? ('settings' as const) : ('places' as const),
      icon: placeIcons[route.screen],
      run: () => go(route),
      key,
    })),
    ...views.map(view => ({
      id: `view ${view.id}`,
      group: 'places' as const,
      icon: Bookmark,
      name: t('palette.view', { name: view.name }),
      run: () => go(viewRoute(view)),
    })),
    ...(canSave
      ? [
          {
            id: 'save view',
            group: 'actions' as const,
            icon: BookmarkPlus,
            name: t('views.save-this'),
            run: () => openViews('save'),
          },
        ]
      : []),
    ...(views.length > 0
      ? [
          {
            id: 'views',
            group: 'actions' as const,
            icon: SlidersHorizontal,
            name: t('views.manage'),
            run: () => openViews('manage'),
          },
        ]
      : []),
    ...templates.map(template => ({
      id: `template ${template.id}`,
      group: 'actions' as const,
      icon: BookOpen,
      name: t('palette.template', { name: template.name }),
      run: () => {
        if (profile) applyTemplate(template, profile, locale);
        go({ screen: 'new' });
      },
    })),
    ...(app?.profiles ?? [])
      .filter(profile => profile.id !== app?.settings.activeProfileId)
      .map(profile => ({
        id: `profile ${profile.id}`,
        group: 'actions' as const,
        icon: Store,
        name: t('palette.profile', { profile: profile.name }),
        run: () => void change({ activeProfileId: profile.id }),
      })),
    {
      id: 'export',
      group: 'actions',
      icon: Download,
      name: t('export.for-books'),
      run: () => openExport({ kind: 'period' }),
    },
    { id: 'guide', group: 'actions', icon: Footprints, name: t('guide.name'), run: openGuide },
    {
      id: 'leave',
      group: 'actions',
      icon: Lock,
      name: t('agent.lock'),
      run: () => void useAgents.getState().signOut(),
    },
    { id: 'shortcuts', group: 'actions', icon: Keyboard, name: t('shortcuts.name'), run: onShortcuts },
    {
      id: 'waiting',
      group: 'appearance',
      icon: PanelLeft,
      name: t(app?.settings.waitingRail === false ? 'open-links.switch-on' : 'open-links.switch-off'),
      run: () => void change({ waitingRail: app?.settings.waitingRail === false }),
    },
    {
      id: 'single-keys',
      group: 'appearance',
      icon: Keyboard,
      name: t(app?.settings.singleKeys === false ? 'single-keys.switch-on' : 'single-keys.switch-off'),
      run: () => void change({ singleKeys: app?.settings.singleKeys === false }),
    },
    ...(['system', 'light', 'dark', 'contrast'] as const).map(theme => ({
      id: `theme ${theme}`,
      group: 'appearance' as const,
      icon: SunMoon,
      name: t('palette.theme', { theme: t(`theme.${theme}`) }),
      run: () => void change({ theme }),
    })),
    ...languages.map(language => ({
      id: `language ${language}`,
      group: 'appearance' as const,
      icon: Languages,
      name: t('palette.language', { language: t(`language.${language}`) }),
      run: () => void change({ language }),
    })),
  ];
  const shown = commands.filter(command => words === '' || contains(command.name, words));
  const lately = recent.flatMap(id => commands.find(command => command.id === id) ?? []);
  return (
    <Dialog className="dialog" aria-label={t('palette.name')}>
      <Autocomplete
        inputValue={words}
        onInputChange={text => setWords(containsCardNumber(text) ? withoutDigitRuns(text) : text)}
      >
        {/* The palette is opened to type into it. In a search field, Esc would only clear the text. */}
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
        <TextField className="palette-search" aria-label={t('palette.name')} autoFocus>
          <Input className="palette-input" placeholder={t('palette.placeholder')} />
        </TextField>
        <Menu
          className="menu palette-menu"
          aria-label={t('palette.name')}
          onAction={key => {
            onClose();
            const row = found.find(one => `payment ${paymentKey(one)}` === key);
            if (row) go({ screen: 'payment', profileId: row.profileId, orderNumber: row.orderNumber });
            const command = commands.find(({ id }) => id === String(key).replace(/^recent /, ''));
            if (row || !command) return;
            remember(command.id);
            command.run();
          }}
          renderEmptyState={() => <p className="quiet palette-empty">{t('palette.nothing')}</p>}
        >
          {found.length === 0 ? null : (
            <MenuSection>
              <Header className="menu-header">{t('nav.payments')}</Header>
              {found.map(row => (
                <MenuItem
                  key={paymentKey(row)}
                  id={`payment ${paymentKey(row)}`}
                  className="menu-item"
                  textValue={row.orderNumber}
                >
                  <StatusBadge state={row.state} inList />
                  <span className="code">{row.orderNumber}</span>
                  <Truncate className="quiet" text={ownCustomer(row)?.name ?? row.description ?? ''} />
                  <span className="push">
                    <Money amount={row.amount} currency={row.currency} />
                  </span>
                </MenuItem>
              ))}
            </MenuSection>
          )}
          {words === '' && lately.length > 0 ? (
            <MenuSection>
              <Header className="menu-header">{t('palette.group.recent')}</Header>
              {lately.map(command => commandItem(command, 'recent '))}
            </MenuSection>
          ) : null}
          {groups.map(group => {
            const inGroup = shown.filter(command => command.group === group);
            return inGroup.length === 0 ? null : (
              <MenuSection key={group}>
                <Header className="menu-header">{t(`palette.group.${group}`)}</Header>
                {inGroup.map(command => commandItem(command))}
              </MenuSection>
            );
          })}
        </Menu>
      </Autocomplete>
    </Dialog>
  );
};
