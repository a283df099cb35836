import { create } from 'zustand';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { rowOf } from '../../../shared/payments/payment-row.ts';
import { stateAt } from '../../../shared/payment-reducer/state-at.ts';
import { openStates } from '../../../shared/payments/state-groups.ts';
import { call, subscribe } from '../../ipc-client.ts';
import { activeProfile, useDesk } from '../app-state.ts';
import { keyOf } from './selection.ts';

/** Cards shown at once. */
export const cardLimit = 4;
/** Milliseconds for which a card still says what became of its payment. */
const lingering = 120_000;
/** The longest life of a link, 720 minutes: what is older does not wait. */
const longest = 720 * 60_000;

/** The payments that wait for their customers, newest first, and for a while those that did. */
type WaitingState = {
  profileId: string | null;
  cards: readonly PaymentRow[];
  /** Cards the person put away. */
  away: ReadonlySet<string>;
  /** More than are fetched wait. */
  more: boolean;
  read: () => Promise<void>;
  putAway: (payment: PaymentRow) => void;
};

/** Whether a card has something to say at `now`, milliseconds. */
export const isCard = (row: PaymentRow, now: number): boolean => {
  const state = stateAt(row, now);
  if (openStates.includes(state)) return true;
  // A link runs out by the clock, without any evidence.
  const since = state !== row.state ? (row.expiresAt ?? 0) : row.since;
  return now - since < lingering;
};

let turn = 0;

export const useWaiting = create<WaitingState>()((set, get) => ({
  profileId: null,
  cards: [],
  away: new Set(),
  more: false,
  read: async () => {
    const profileId = activeProfile(useDesk.getState())?.id ?? null;
    if (profileId === null || useDesk.getState().desk?.settings.waitingRail === false) {
      set({ cards: [], profileId });
      return;
    }
    turn += 1;
    const mine = turn;
    const page = await call('payments.list', {
      filter: { profileId, states: [...openStates], from: Date.now() - longest },
      limit: 20,
    });
    if (!page.ok || mine !== turn) return;
    const open = page.value.rows;
    const isOpen = new Set(open.map(keyOf));
    const before = get().profileId === profileId ? get().cards : [];
    const ended: PaymentRow[] = [];
    for (const card of before) {
      if (isOpen.has(keyOf(card)) || !isCard(card, Date.now())) continue;
      const { orderNumber } = card;
      const read = await call('payments.read', { profileId, orderNumber });
      if (mine !== turn) return;
      if (read.ok) ended.push(rowOf(read.value.payment));
    }
    const cards = [...open, ...ended].toSorted((one, other) => other.firstAt - one.firstAt);
    set({ profileId, cards, more: page.value.next !== null });
  },
  putAway: payment => set({ away: new Set([...get().away, keyOf(payment)]) }),
}));

/** Keeps the cards fresh for the window's life. */
export const followWaiting = (): void => {
  let timer: number | null = null;
  const soon = (): void => {
    timer ??= window.setTimeout(() => {
      timer = null;
      void useWaiting.getState().read();
    }, 150);
  };
  subscribe('payments.changed', ({ payments }) => {
    // None by name: another log stands in the place of the one whose cards were shown.
    if (payments.length === 0) useWaiting.setState({ cards: [], more: false });
    soon();
  });
  useDesk.subscribe((state, before) => {
    const isOther =
      activeProfile(state)?.id !== activeProfile(before)?.id ||
      (state.desk === null) !== (before.desk === null) ||
      state.desk?.settings.waitingRail !== before.desk?.settings.waitingRail;
    if (isOther) soon();
  });
};
