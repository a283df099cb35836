import { create } from 'zustand';
import { placeOfOutcome } from '../../../shared/alerts/alert.ts';
import { paymentKey } from '../../../shared/payments/payment-key.ts';
import type { PaymentRow, PaymentState } from '../../../shared/payments/payment.ts';
import { openStates } from '../../../shared/payments/outcomes.ts';
import { playOutcome } from '../../outcome-sound.ts';
import { isTyping } from '../../shortcuts.ts';
import { useAppState } from '../app-state-store.ts';
import { useRoute } from '../route-store.ts';
import { useOpenLinks } from './open-links-store.ts';

/** Outcomes that are announced: the payer has paid, or the bank has declined. */
const announcedStates: readonly PaymentState[] = ['paid-confirmed', 'paid-unconfirmed', 'declined'];

const isPaid = (state: PaymentState): boolean => state !== 'declined';

/** Payments that have just turned paid or declined, newest first, for the messages over the screens. */
type OutcomesState = {
  shown: readonly PaymentRow[];
  dismiss: (payment: PaymentRow) => void;
};

export const useOutcomes = create<OutcomesState>()((set, get) => ({
  shown: [],
  dismiss: payment => set({ shown: get().shown.filter(row => paymentKey(row) !== paymentKey(payment)) }),
}));

/** Whether the signed-in person chose to see this outcome. */
const isWanted = (row: PaymentRow): boolean => {
  const { appState } = useAppState.getState();
  if (appState === null) return false;
  const name = appState.agents.find(({ id }) => id === appState.agentId)?.name ?? '';
  const kind = isPaid(row.state) ? 'paid' : 'declined';
  return placeOfOutcome(kind, row.agent, name, appState.alertChoices) !== 'off';
};

/** Limit of messages at once; the oldest ones are removed. */
const maxShown = 3;

/** Whether the verdict of this payment is in view already: its page is open, and no text keeps it from scrolling. */
const isInView = (row: PaymentRow): boolean => {
  const { route } = useRoute.getState();
  return (
    route.screen === 'payment' &&
    route.profileId === row.profileId &&
    route.orderNumber === row.orderNumber &&
    !isTyping(document.activeElement)
  );
};

/** Announces every outcome of an open link for the lifetime of the window. */
export const followOutcomes = (): void => {
  let before = new Map<string, PaymentState>();
  useOpenLinks.subscribe(({ cards, profileId }, last) => {
    if (cards === last.cards) return;
    const announced: PaymentRow[] = [];
    for (const row of cards) {
      const was = before.get(paymentKey(row));
      if (was === undefined || !announcedStates.includes(row.state) || row.state === was) continue;
      // A confirmation of an announced outcome is not announced again.
      const isNew = openStates.includes(was) || isPaid(was) !== isPaid(row.state);
      if (isNew && isWanted(row)) announced.push(row);
    }
    before = profileId === last.profileId ? before : new Map<string, PaymentState>();
    for (const row of cards) before.set(paymentKey(row), row.state);
    const current = new Map(cards.map(row => [paymentKey(row), row]));
    const earlier = useOutcomes.getState().shown.map(row => current.get(paymentKey(row)) ?? row);
    const [newest] = announced;
    if (newest === undefined) return useOutcomes.setState({ shown: earlier });
    if (useAppState.getState().appState?.settings.outcomeSound) playOutcome(isPaid(newest.state));
    const keys = new Set(announced.map(paymentKey));
    const shown = [
      ...announced.filter(row => !isInView(row)),
      ...earlier.filter(row => !keys.has(paymentKey(row))),
    ].slice(0, maxShown);
    useOutcomes.setState({ shown });
  });
  useRoute.subscribe(() => {
    const { shown } = useOutcomes.getState();
    if (shown.some(isInView)) useOutcomes.setState({ shown: shown.filter(row => !isInView(row)) });
  });
};
