import { create } from 'zustand';
import type { AlertChoices } from '../../shared/alerts/alert.ts';
import type { Alert } from '../../shared/alerts/alert.schema.ts';
import { ok, type AppError } from '../../shared/errors.ts';
import { paymentKey, type PaymentKey } from '../../shared/payments/payment-row.ts';
import { request } from '../ipc-client.ts';
import { createQuery } from './create-query.ts';
import { isTyping } from '../shortcuts.ts';
import { useAppState } from '../stores/app-state-store.ts';
import { usePayment } from './payment.ts';
import { go, useRoute } from '../stores/route-store.ts';

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

/** The latest alerts of the signed-in person, newest first; `toasts`: the urgent ones that have just arrived. */
type Alerts = { alerts: readonly Alert[]; toasts: readonly Alert[] };

const none: Alerts = { alerts: [], toasts: [] };
const mine = 'mine';

export const markSeen = (alerts: readonly Alert[]): void => {
  const ids = alerts.filter(({ seen }) => !seen).map(({ id }) => id);
  if (ids.length > 0) void request('alerts.markSeen', { ids });
};

const alertsQuery = createQuery({
  read: async (_key: string, present: Alerts | null) => {
    const read = await request('alerts.read', {});
    if (!read.ok) return read;
    const { alerts } = read.value;
    markSeen(alerts.filter(isInView));
    const known = new Set(present?.alerts.map(({ id }) => id));
    const arrived = alerts.filter(
      ({ id, kind, seen }) => !seen && urgentKinds.includes(kind) && !known.has(id),
    );
    return ok({ alerts, toasts: arrived });
  },
  merge: ({ alerts, toasts }: Alerts, present: Alerts | null) => {
    const ids = new Set(alerts.map(({ id }) => id));
    const earlier = (present?.toasts ?? []).filter(({ id }) => ids.has(id));
    return { alerts, toasts: [...toasts, ...earlier].slice(0, maxToasts) };
  },
  on: ['alerts.changed', 'payments.changed'],
  // A payment of the list may have been paid meanwhile.
  concerns: (changed, _, present) =>
    changed === null ||
    (present?.alerts ?? []).some(({ payment }) => payment && changed.has(paymentKey(payment))),
  throttleMs: 100,
});

export const useAlerts = (): Alerts => alertsQuery.use(mine).value ?? none;

/** Ends the message of an alert, or of all. */
export const dismissToast = (alert?: Alert): void =>
  alertsQuery.update(
    mine,
    present => present && { ...present, toasts: present.toasts.filter(({ id }) => alert && id !== alert.id) },
  );

/** The error of the last choice. */
export const useChoiceProblem = create<{ problem: AppError | null }>(() => ({ problem: null }));

/** Changes what the signed-in person chose; shown at once, so that further choices build on it. */
export const chooseAlerts = async (choices: AlertChoices): Promise<void> => {
  useAppState.setState(({ appState }) => ({ appState: appState && { ...appState, alertChoices: choices } }));
  const chosen = await request('alerts.choose', choices);
  useChoiceProblem.setState({ problem: chosen.ok ? null : chosen.error });
  const state = chosen.ok ? chosen : await request('app.read', {});
  if (state.ok) useAppState.getState().open(state.value);
};

/** Opens a payment with the question about a new link for its order. */
export const askForNewLink = ({ profileId, orderNumber }: PaymentKey): void => {
  usePayment.setState({ newLinkFor: paymentKey({ profileId, orderNumber }) });
  go({ screen: 'payment', profileId, orderNumber });
};
