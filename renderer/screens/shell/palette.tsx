import { useEffect, useState } from 'react';
import {
  Autocomplete,
  Dialog,
  Input,
  Menu,
  MenuItem,
  Modal,
  ModalOverlay,
  SearchField,
  useFilter,
} from 'react-aria-components';
import { containsCardNumber } from '../../../shared/card-number.ts';
import { paymentKey } from '../../../shared/payments/payment-key.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { languages } from '../../../shared/messages/language.ts';
import { Truncate } from '../../components/display/truncate.tsx';
import { Money } from '../../components/display/money.tsx';
import { useEarlyEscape } from '../../components/controls/use-early-escape.ts';
import { SingleKey } from '../../components/controls/single-key.tsx';
import { StatusBadge } from '../../components/display/status-badge.tsx';
import { request } from '../../ipc-client.ts';
import { hrefOf, overviewRoute, type Route } from '../../routes.ts';
import { useActiveProfile, useAppState } from '../../stores/app-state.ts';
import { useAgents } from '../../stores/settings/agents.ts';
import { useExportDialog } from '../../stores/reports/export-dialog.ts';
import { useGuide } from '../../stores/settings/guide.ts';
import { go, useRoute } from '../../stores/route.ts';
import { applyTemplate, useTemplates } from '../../stores/payments/templates.ts';
import { isUnsaved, useSavedViews, useViews, viewRoute } from '../../stores/payments/views.ts';
import { useLocaleChoice, useText, type Translate } from '../../i18n/text.ts';
import { withoutDigitRuns } from '../../digit-runs.ts';

type Command = { id: string; name: string; run: () => void; key?: string | undefined };

/** Each destination by its name, with its single-key shortcut, if any. */
const places = (t: Translate): [name: string, route: Route, key?: string][] => [
  [t('nav.new'), { screen: 'new' }, 'N'],
  [t('nav.payments'), { screen: 'payments', view: 'all', words: '' }, 'P'],
  [t('view.today'), { screen: 'payments', view: 'today', words: '' }],
  [t('view.open'), { screen: 'payments', view: 'open', words: '' }],
  [t('view.attention'), { screen: 'payments', view: 'attention', words: '' }],
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
}) => {
  useEarlyEscape(isOpen, onClose);
  return (
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
};

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
      run: () => go(route),
      key,
    })),
    ...views.map(view => ({
      id: `view ${view.id}`,
      name: t('palette.view', { name: view.name }),
      run: () => go(viewRoute(view)),
    })),
    ...(canSave ? [{ id: 'save view', name: t('views.save-this'), run: () => openViews('save') }] : []),
    ...(views.length > 0 ? [{ id: 'views', name: t('views.manage'), run: () => openViews('manage') }] : []),
    ...templates.map(template => ({
      id: `template ${template.id}`,
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
        name: t('palette.profile', { profile: profile.name }),
        run: () => void change({ activeProfileId: profile.id }),
      })),
    { id: 'export', name: t('export.for-books'), run: () => openExport({ kind: 'period' }) },
    { id: 'guide', name: t('guide.name'), run: openGuide },
    { id: 'leave', name: t('agent.lock'), run: () => void useAgents.getState().signOut() },
    { id: 'shortcuts', name: t('shortcuts.name'), run: onShortcuts },
    {
      id: 'waiting',
      name: t(app?.settings.waitingRail === false ? 'open-links.switch-on' : 'open-links.switch-off'),
      run: () => void change({ waitingRail: app?.settings.waitingRail === false }),
    },
    {
      id: 'single-keys',
      name: t(app?.settings.singleKeys === false ? 'single-keys.switch-on' : 'single-keys.switch-off'),
      run: () => void change({ singleKeys: app?.settings.singleKeys === false }),
    },
    ...(['system', 'light', 'dark', 'contrast'] as const).map(theme => ({
      id: `theme ${theme}`,
      name: t('palette.theme', { theme: t(`theme.${theme}`) }),
      run: () => void change({ theme }),
    })),
    ...languages.map(language => ({
      id: `language ${language}`,
      name: t('palette.language', { language: t(`language.${language}`) }),
      run: () => void change({ language }),
    })),
  ];
  const shown = commands.filter(command => words === '' || contains(command.name, words));
  return (
    <Dialog className="dialog" aria-label={t('palette.name')}>
      <Autocomplete
        inputValue={words}
        onInputChange={text => setWords(containsCardNumber(text) ? withoutDigitRuns(text) : text)}
      >
        {/* The palette is opened to type into it. */}
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
        <SearchField className="palette-search" aria-label={t('palette.name')} autoFocus>
          <Input className="palette-input" placeholder={t('palette.placeholder')} />
        </SearchField>
        <Menu
          className="menu palette-menu"
          aria-label={t('palette.name')}
          onAction={key => {
            onClose();
            const row = found.find(one => `payment ${paymentKey(one)}` === key);
            if (row) go({ screen: 'payment', profileId: row.profileId, orderNumber: row.orderNumber });
            else commands.find(command => command.id === key)?.run();
          }}
          renderEmptyState={() => <p className="quiet palette-empty">{t('palette.nothing')}</p>}
        >
          {found.map(row => (
            <MenuItem
              key={paymentKey(row)}
              id={`payment ${paymentKey(row)}`}
              className="menu-item"
              textValue={row.orderNumber}
            >
              <StatusBadge state={row.state} />
              <span className="code">{row.orderNumber}</span>
              <Truncate className="quiet" text={row.description ?? ''} />
              <span className="push">
                <Money amount={row.amount} currency={row.currency} />
              </span>
            </MenuItem>
          ))}
          {shown.map(command => (
            <MenuItem key={command.id} id={command.id} className="menu-item" textValue={command.name}>
              {command.name}
              {command.key === undefined ? null : (
                <span className="push">
                  <SingleKey>{command.key}</SingleKey>
                </span>
              )}
            </MenuItem>
          ))}
        </Menu>
      </Autocomplete>
    </Dialog>
  );
};
