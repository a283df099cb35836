import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { I18nProvider, isRTL } from 'react-aria-components';
import { IntlProvider } from 'react-intl';
import { loadAllWhenIdle, partOnDemand, screenOnDemand } from './components/controls/on-demand.tsx';
import { ErrorBoundary } from './components/display/error-boundary.tsx';
import { Button } from './components/controls/button.tsx';
import { ErrorNote, PageError } from './components/display/notes.tsx';
import type { Catalogue } from '../shared/messages/format-message.ts';
import { paymentKey } from '../shared/payments/payment-row.ts';
import { chooseLanguage } from '../shared/messages/message.ts';
import { loadCatalogue, loadedCatalogue, loadWholeCatalogue } from './i18n/catalogue.ts';
import { AlertToasts } from './screens/alerts/alerts-on-demand.ts';
import { LogProblem, MissingEvents } from './screens/payment-log/log-problem.tsx';
import { NewPayment } from './screens/new-payment/new-payment-screen.tsx';
import { PaymentScreen } from './screens/payment/payment-screen.tsx';
import { LockScreen } from './screens/shell/locked-window.tsx';
import { ExportStrip, BulkLookUpStrip, UpdateStrip } from './screens/shell/strips.tsx';
import { OutcomeToasts } from './screens/shell/outcome-toasts.tsx';
import { Rail } from './screens/shell/rail.tsx';
import { TopBar } from './screens/shell/top-bar.tsx';
import { useShortcuts } from './screens/shell/use-shortcuts.ts';
import { MoneyBand } from './screens/shell/money-band.tsx';
import { useAgents } from './stores/settings/agents-store.ts';
import { useAppState } from './stores/app-state-store.ts';
import { useExportDialog } from './stores/reports/export-store.ts';
import { useRoute } from './stores/route-store.ts';
import { useViews } from './stores/payments/views-store.ts';
import { LocaleContext, useText } from './i18n/text.ts';
import { request } from './ipc-client.ts';
import type { Route } from './routes.ts';

const GuideStrip = partOnDemand(() => import('./screens/shell/guide-strip.tsx'), 'GuideStrip');
/** Seldom shown: with names of all settings. */
const SettingsRecovery = partOnDemand(
  () => import('./screens/shell/settings-recovery-strip.tsx'),
  'SettingsRecovery',
);
// In the order in which they are loaded.
const ShortcutSheet = screenOnDemand(
  () => import('./screens/shell/help/shortcut-sheet.tsx'),
  'ShortcutSheet',
);
const PaymentsScreen = screenOnDemand(
  () => import('./screens/payments/payments-screen.tsx'),
  'PaymentsScreen',
);
const CustomerScreen = screenOnDemand(
  () => import('./screens/customer/customer-screen.tsx'),
  'CustomerScreen',
);
const LookUpScreen = screenOnDemand(() => import('./screens/look-up/look-up-screen.tsx'), 'LookUpScreen');
const ReconciliationScreen = screenOnDemand(
  () => import('./screens/reconciliation/reconciliation-screen.tsx'),
  'ReconciliationScreen',
);
const CallbacksScreen = screenOnDemand(
  () => import('./screens/callbacks/callbacks-screen.tsx'),
  'CallbacksScreen',
);
const OverviewScreen = screenOnDemand(
  () => import('./screens/overview/overview-screen.tsx'),
  'OverviewScreen',
);
const BulkLookUpScreen = screenOnDemand(
  () => import('./screens/payments/bulk-look-up-screen.tsx'),
  'BulkLookUpScreen',
);
const ViewSheets = screenOnDemand(() => import('./screens/views/view-sheets.tsx'), 'ViewSheets');
const ExportDialog = screenOnDemand(() => import('./screens/export/export-dialog.tsx'), 'ExportDialog');
const SandboxScreen = screenOnDemand(() => import('./screens/sandbox/sandbox-screen.tsx'), 'SandboxScreen');
const HandoverNoteScreen = screenOnDemand(
  () => import('./screens/handover-note/handover-note-screen.tsx'),
  'HandoverNoteScreen',
);
const MonthEndScreen = screenOnDemand(
  () => import('./screens/month-end/month-end-screen.tsx'),
  'MonthEndScreen',
);
const SettingsScreen = screenOnDemand(
  () => import('./screens/settings/settings-screen.tsx'),
  'SettingsScreen',
);

const CurrentScreen = ({ route }: { route: Route }) => {
  switch (route.screen) {
    case 'new':
      return <NewPayment />;
    case 'payments':
      return <PaymentsScreen view={route.view} words={route.words} />;
    case 'payment':
      return <PaymentScreen profileId={route.profileId} orderNumber={route.orderNumber} />;
    case 'customer':
      return <CustomerScreen profileId={route.profileId} orderNumber={route.orderNumber} />;
    case 'look-up':
      return <LookUpScreen by={route.by} value={route.value} />;
    case 'reconciliation':
      return <ReconciliationScreen cause={route.cause} list={route.list} />;
    case 'bulk-look-up':
      return <BulkLookUpScreen outcome={route.outcome} />;
    case 'callbacks':
      return <CallbacksScreen tab={route.tab ?? 'inspect'} />;
    case 'overview':
      return <OverviewScreen period={route.period} currency={route.currency} />;
    case 'month-end':
      return <MonthEndScreen month={route.month} />;
    case 'handover-note':
      return <HandoverNoteScreen />;
    case 'settings':
      return <SettingsScreen section={route.section} id={route.id} />;
    case 'sandbox':
      return <SandboxScreen />;
    default:
      return route satisfies never;
  }
};

/** What starts at its top when it is opened: another screen, payment, customer or section of the settings. */
const pageOf = (route: Route): string => {
  if (route.screen === 'settings') return `settings ${route.section} ${route.id ?? ''}`;
  return route.screen === 'payment' || route.screen === 'customer'
    ? `${route.screen} ${paymentKey(route)}`
    : route.screen;
};

/** One for each page: scrolls to its top before a part of it takes the focus, which may scroll again. */
const PageTop = ({ place }: { place: RefObject<HTMLElement | null> }) => {
  useLayoutEffect(() => {
    place.current?.scrollTo(0, 0);
  }, [place]);
  return null;
};

const Shell = () => {
  const t = useText();
  const route = useRoute(state => state.route);
  const place = useRef<HTMLElement>(null);
  const { appState, lock, problem } = useAppState();
  const [withShortcuts, setWithShortcuts] = useState(false);
  const openShortcuts = useCallback(() => setWithShortcuts(true), []);
  useShortcuts(openShortcuts);
  useEffect(loadAllWhenIdle, []);
  const withViews = useViews(state => state.sheet !== null);
  const withExport = useExportDialog(state => state.subject !== null);
  const hasRendered = useAgents(state => state.isRendered);
  if (lock) return <LockScreen />;
  const covered = hasRendered;
  if (!appState) return <main className="starting">{problem ? <ErrorNote error={problem} /> : null}</main>;
  const settingsProblem = appState.settingsFile.problem;
  if (settingsProblem && settingsProblem.code !== 'settings.unwritable')
    // Without settings nothing works: the window shows the reason instead of a screen that would fail.
    return (
      <main className="starting">
        <ErrorNote error={settingsProblem}>
          {settingsProblem.code === 'settings.team-lost' ? (
            <Button onPress={() => void request('settings.continueWithoutTeam', {})}>
              {t('settings-recovery.without-team')}
            </Button>
          ) : null}
        </ErrorNote>
      </main>
    );
  return (
    <>
      {covered ? <LockScreen /> : null}
      <div className="shell tracks" inert={covered} hidden={covered}>
        <MoneyBand />
        <Rail route={route} />
        <TopBar onShortcuts={openShortcuts} />
        <main className="place" id="place" ref={place}>
          {appState.log.problem ? <LogProblem error={appState.log.problem} /> : null}
          {appState.log.loss ? <MissingEvents loss={appState.log.loss} /> : null}
          {settingsProblem ? <ErrorNote error={settingsProblem} /> : null}
          {appState.settingsFile.recovery ? (
            <SettingsRecovery recovery={appState.settingsFile.recovery} />
          ) : null}
          <PageError error={problem} />
          <PageTop key={pageOf(route)} place={place} />
          <ErrorBoundary location={route}>
            <CurrentScreen route={route} />
          </ErrorBoundary>
        </main>
        <footer className="foot relative min-0">
          <GuideStrip />
          <BulkLookUpStrip />
          <ExportStrip />
          <UpdateStrip />
          <div className="toasts">
            <AlertToasts />
            <OutcomeToasts />
          </div>
        </footer>
        {withShortcuts ? <ShortcutSheet onClose={() => setWithShortcuts(false)} /> : null}
        {withViews ? <ViewSheets /> : null}
        {withExport ? <ExportDialog /> : null}
      </div>
    </>
  );
};

/** The language in use, with its texts. */
type LoadedLanguage = { messages: Catalogue; choice: ReturnType<typeof chooseLanguage> };

/** The whole window: its language, its appearance, and the current screen. */
export const App = () => {
  const settings = useAppState(state => state.appState?.settings ?? state.lock?.settings ?? null);
  const systemLocale = useAppState(
    state => state.appState?.systemLocale ?? state.lock?.systemLocale ?? navigator.language,
  );
  const choice = useMemo(
    () => chooseLanguage(settings?.language ?? 'system', systemLocale),
    [settings?.language, systemLocale],
  );
  // Texts, numbers and times change together, once the texts are loaded.
  const [loaded, setLoaded] = useState<LoadedLanguage | null>(() => {
    const messages = loadedCatalogue(choice.language);
    return messages && { choice, messages };
  });
  useEffect(() => {
    let isCurrent = true;
    const load = async (): Promise<void> => {
      const first = await loadCatalogue(choice.language);
      // Another language replaces the present one as a whole.
      if (isCurrent) setLoaded(present => present ?? { choice, messages: first });
      const messages = await loadWholeCatalogue(choice.language);
      if (isCurrent) setLoaded({ choice, messages });
    };
    void load();
    return () => {
      isCurrent = false;
    };
  }, [choice]);
  const language = loaded?.choice.language ?? null;
  const tag = loaded?.messages['language.tag'] ?? 'en-US';
  const theme = settings?.theme ?? 'system';
  const density = settings?.density ?? 'regular';
  // Before the first paint, so that no screen appears in the wrong theme.
  useLayoutEffect(() => {
    document.documentElement.dataset['theme'] = theme;
    document.documentElement.dataset['density'] = density;
    if (language !== null) document.documentElement.lang = language;
    document.documentElement.dir = isRTL(tag) ? 'rtl' : 'ltr';
  }, [theme, density, language, tag]);
  if (loaded === null || language === null) return null;
  return (
    <IntlProvider locale={language} defaultLocale="en" messages={loaded.messages}>
      <I18nProvider locale={tag}>
        <LocaleContext value={loaded.choice}>
          <ErrorBoundary location={null}>
            <Shell />
          </ErrorBoundary>
        </LocaleContext>
      </I18nProvider>
    </IntlProvider>
  );
};
