import { create } from 'zustand';
import type { AlertChoices } from '../../../shared/alerts/alert.ts';
import type { Alert } from '../../../shared/alerts/alert.schema.ts';
import type { AppError } from '../../../shared/errors.ts';
import { paymentKey, type PaymentKey } from '../../../shared/payments/payment-key.ts';
import { request, subscribe } from '../../ipc-client.ts';
import { isTyping } from '../../shortcuts.ts';
import { useAppState } from '../app-state-store.ts';
import { usePayment } from '../payments/payment-store.ts';
import { go, useRoute } from '../route-store.ts';

/** The latest alerts of the signed-in person, newest first. */
type AlertsState = {
  alerts: readonly Alert[];
  /** The urgent ones that have just arrived, newest first. */
  toasts: readonly Alert[];
  /** The error of the last choice. */
  problem: AppError | null;
  read: () => Promise<void>;
  markSeen: (alerts: readonly Alert[]) => void;
  dismiss: (alert: Alert) => void;
};

/** Kinds that cannot wait until the list is opened; results have their own messages. */
const urgentKinds: readonly Alert['kind'][] = ['link-expiring', 'receiver-unreachable', 'export-failed'];

/** Limit of messages at once. */
const maxToasts = 2;

/** Whether a result is on the screen already. */
const isInView = ({ kind, payment }: Alert): boolean => {
  const { route } = useRoute.getState();
  return (
    (kind === 'paid' || kind === 'declined') &&
    payment !== null &&
    route.screen === 'payment' &&
    paymentKey(route) === paymentKey(payment) &&
    !isTyping(document.activeElement)
  );
};

/** The alerts that this page has read: only a further one is a message. */
let known: ReadonlySet<string> | null = null;
let latestRequest = 0;

export const useAlerts = create<AlertsState>()((set, get) => ({
  alerts: [],
  toasts: [],
  problem: null,
  read: async () => {
    latestRequest += 1;
    const requestNumber = latestRequest;
    const read = await request('alerts.read', {});
    if (!read.ok || requestNumber !== latestRequest) return;
    const { alerts } = read.value;
    const arrived = alerts.filter(
      ({ id, kind, seen }) => !seen && urgentKinds.includes(kind) && known?.has(id) !== true,
    );
    const present = new Set(alerts.map(({ id }) => id));
    known = present;
    const toasts = [...arrived, ...get().toasts.filter(({ id }) => present.has(id))].slice(0, maxToasts);
    set({ alerts, toasts });
    get().markSeen(alerts.filter(isInView));
  },
  markSeen: alerts => {
    const ids = alerts.filter(({ seen }) => !seen).map(({ id }) => id);
    if (ids.length > 0) void request('alerts.markSeen', { ids });
  },
  dismiss: alert => set({ toasts: get().toasts.filter(({ id }) => id !== alert.id) }),
}));

/** Keeps the alerts current for the lifetime of the window. */
export const followAlerts = (): void => {
  let timer: number | null = null;
  const soon = (): void => {
    timer ??= window.setTimeout(() => {
      timer = null;
      void useAlerts.getState().read();
    }, 100);
  };
  subscribe('alerts.changed', soon);
  // A payment of the list may have been paid meanwhile.
  subscribe('payments.changed', ({ payments }) => {
    const keys = payments && new Set(payments.map(paymentKey));
    const { alerts } = useAlerts.getState();
    if (alerts.some(({ payment }) => payment && (keys === null || keys.has(paymentKey(payment))))) soon();
  });
  void useAlerts.getState().read();
};

/** Changes what the signed-in person chose; shown at once, so that further choices build on it. */
export const chooseAlerts = async (choices: AlertChoices): Promise<void> => {
  useAppState.setState(({ appState }) => ({ appState: appState && { ...appState, alertChoices: choices } }));
  const chosen = await request('alerts.choose', choices);
  useAlerts.setState({ problem: chosen.ok ? null : chosen.error });
  const state = chosen.ok ? chosen : await request('app.read', {});
  if (state.ok) useAppState.getState().open(state.value);
};

/** Opens a payment with the question about a new link for its order. */
export const askForNewLink = ({ profileId, orderNumber }: PaymentKey): void => {
  usePayment.setState({ newLinkFor: paymentKey({ profileId, orderNumber }) });
  go({ screen: 'payment', profileId, orderNumber });
};
