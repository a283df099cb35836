// Imported first, so that its requests run while the other modules are loaded.
import { prefetchAppState } from './bootstrap-prefetch.ts';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/utilities.css';
import './styles/pressable.css';
import './styles/controls/buttons.css';
import './styles/controls/fields.css';
import './styles/controls/dialogs.css';
import './styles/controls/status.css';
import './styles/controls/read-only.css';
import './styles/shell.css';
import './styles/app-bar.css';
import './styles/small-windows.css';
import './styles/screens/layout.css';
import './styles/screens/messages.css';
import './styles/screens/new-payment.css';
import './styles/screens/order-links.css';
import './styles/screens/series.css';
import './styles/screens/payments.css';
import './styles/screens/payment.css';
import './styles/screens/verdict.css';
import './styles/screens/link-sheets.css';
import './styles/screens/tables.css';
import './styles/screens/callbacks.css';
import './styles/screens/reconciliation.css';
import './styles/screens/settings.css';
import './styles/controls/lists.css';
import './styles/filters.css';
import './styles/surroundings.css';
import './styles/print.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { followDrafts } from './stores/new-payment/keep-drafts.ts';
import { App } from './app.tsx';
import { followOverlayKeys } from './components/keyboard/overlay-keys.ts';
import { followFocus } from './focus.ts';
import { allowEmptyMarkup } from './empty-markup.ts';
import { reportUnhandledErrors } from './report-error.ts';
import { followNavigation } from './stores/follow-navigation.ts';
import { startClock } from './stores/clock-store.ts';
import { activeProfile, useAppState, followTimeZone } from './stores/app-state-store.ts';
import { useNewPayment } from './stores/new-payment/new-payment-store.ts';
import { followExport } from './stores/reports/export-store.ts';
import { followGuide } from './queries/guide.ts';
import { followLockRequests } from './stores/settings/agents-store.ts';
import { followCallbackFile, readCallbackFile } from './stores/callbacks/inspector-store.ts';
import { followRefundRun, useRefundRun } from './stores/reports/refund-run-store.ts';
import { whenOpen } from './stores/resume.ts';
import { followHash, useRoute } from './stores/route-store.ts';
import { followSearchedWords } from './stores/search/search-box-store.ts';

/** Entry point of the renderer: subscribe first, request second, so that no change is missed. */
reportUnhandledErrors();
allowEmptyMarkup();
followHash();
followSearchedWords();
followFocus();
followOverlayKeys();
startClock();
followExport();
followTimeZone();
followCallbackFile();
followRefundRun();
followNavigation();
followDrafts();
followGuide();
followLockRequests();
const begin = (): void => {
  const profile = activeProfile(useAppState.getState());
  // The form is prepared before it is rendered, so that it is rendered once.
  if (profile && useRoute.getState().route.screen === 'new') void useNewPayment.getState().open(profile);
  // Parts outside the first screen are loaded after it is rendered.
  requestIdleCallback(
    () => {
      void useRefundRun.getState().read();
      void readCallbackFile();
    },
    { timeout: 1_000 },
  );
};
const start = async (): Promise<void> => {
  await useAppState.getState().start(prefetchAppState);
  whenOpen(begin);
};
void start();

const root = document.querySelector('#root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
