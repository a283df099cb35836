import { create } from 'zustand';
import { paymentKey } from '../../../shared/payments/payment-key.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { rowOf } from '../../../shared/payments/payment-row.ts';
import { stateAt } from '../../../shared/payment-reducer/state-at.ts';
import { openStates } from '../../../shared/payments/outcomes.ts';
import { request, subscribe } from '../../ipc-client.ts';
import { activeProfile, useAppState } from '../app-state-store.ts';
import { currentTime } from '../../i18n/time-left.ts';

/** Limit of cards shown at once. */
export const cardLimit = 4;
/** Display time of a card after its payment's outcome. */
const lingerMs = 120_000;
/** The longest lifetime of a link, 720 minutes: older ones are not active. */
const maxLinkAgeMs = 720 * 60_000;

/** The payments with active links, newest first, and recently finished ones. */
type OpenLinksState = {
  profileId: string | null;
  cards: readonly PaymentRow[];
  /** Cards that the user dismissed. */
  dismissed: ReadonlySet<string>;
  /** More payments are active than loaded. */
  more: boolean;
  read: () => Promise<void>;
  dismiss: (payment: PaymentRow) => void;
};

/** Whether a payment has a card at `now`, milliseconds. */
export const isCard = (row: PaymentRow, now: number): boolean => {
  const state = stateAt(row, now);
  // A withdrawn link is not offered any more, unless the customer is paying it.
  if (state === 'waiting' && !row.linkUsable) return false;
  if (openStates.includes(state)) return true;
  // A link expires by the clock, without any event.
  const since = state !== row.state ? (row.expiresAt ?? 0) : row.since;
  return now - since < lingerMs;
};

let latestRequest = 0;

export const useOpenLinks = create<OpenLinksState>()((set, get) => ({
  profileId: null,
  cards: [],
  dismissed: new Set(),
  more: false,
  read: async () => {
    const profileId = activeProfile(useAppState.getState())?.id ?? null;
    if (profileId === null) {
      set({ cards: [], profileId });
      return;
    }
    latestRequest += 1;
    const requestNumber = latestRequest;
    const page = await request('payments.list', {
      filter: { profileId, states: [...openStates], from: currentTime() - maxLinkAgeMs },
      limit: 20,
    });
    if (!page.ok || requestNumber !== latestRequest) return;
    const open = page.value.rows.filter(row => isCard(row, currentTime()));
    const isOpen = new Set(open.map(paymentKey));
    const before = get().profileId === profileId ? get().cards : [];
    const ended: PaymentRow[] = [];
    for (const card of before) {
      if (isOpen.has(paymentKey(card)) || !isCard(card, currentTime())) continue;
      const { orderNumber } = card;
      const read = await request('payments.read', { profileId, orderNumber });
      if (requestNumber !== latestRequest) return;
      if (read.ok) ended.push(rowOf(read.value.payment));
    }
    const cards = [...open, ...ended].toSorted((one, other) => other.firstAt - one.firstAt);
    set({ profileId, cards, more: page.value.next !== null });
  },
  dismiss: payment => set({ dismissed: new Set([...get().dismissed, paymentKey(payment)]) }),
}));

/** Keeps the cards current for the lifetime of the window. */
export const followOpenLinks = (): void => {
  let timer: number | null = null;
  const soon = (): void => {
    timer ??= window.setTimeout(() => {
      timer = null;
      void useOpenLinks.getState().read();
    }, 150);
  };
  subscribe('payments.changed', ({ payments }) => {
    if (payments === null) useOpenLinks.setState({ cards: [], more: false });
    soon();
  });
  useAppState.subscribe((state, before) => {
    const isOther =
      activeProfile(state)?.id !== activeProfile(before)?.id ||
      (state.appState === null) !== (before.appState === null);
    if (isOther) soon();
  });
};
