import { create } from 'zustand';
import type { PaymentFilter, PaymentPage } from '../../../shared/contract/index.ts';
import type { Result } from '../../../shared/errors.ts';
import { roundLimit } from '../../../shared/payments/bulk-look-up.ts';
import { call } from '../../ipc-client.ts';

export type Key = { profileId: string; orderNumber: string };

export const keyOf = ({ profileId, orderNumber }: Key): string => `${profileId} ${orderNumber}`;

/** Payments of the list that were chosen, for what is done with several at once. */
type SelectionState = {
  /** The list they were chosen in. */
  list: string;
  chosen: ReadonlyMap<string, Key>;
  /** More were wanted than can be chosen at once. */
  cut: boolean;
  /** All that match are being gathered. */
  gathering: boolean;
  toggle: (payment: Key) => void;
  /** Adds payments to those chosen, as far as the limit goes. */
  choose: (payments: readonly Key[]) => void;
  /** Chooses all that match, newest first, as far as the limit goes. */
  chooseAll: (filter: PaymentFilter) => Promise<void>;
  clear: () => void;
  /** Says which list is shown: what cannot be seen is not chosen. */
  attend: (list: string) => void;
};

const pageSize = 200;
let turn = 0;

export const useSelection = create<SelectionState>()((set, get) => {
  const add = (chosen: ReadonlyMap<string, Key>, payments: readonly Key[]): void => {
    const next = new Map(chosen);
    for (const { profileId, orderNumber } of payments) {
      const key = keyOf({ profileId, orderNumber });
      if (next.has(key)) continue;
      if (next.size >= roundLimit) return set({ chosen: next, cut: true });
      next.set(key, { profileId, orderNumber });
    }
    set({ chosen: next, cut: false });
  };
  return {
    list: '',
    chosen: new Map(),
    cut: false,
    gathering: false,
    toggle: payment => {
      const key = keyOf(payment);
      const { chosen } = get();
      if (chosen.has(key)) set({ chosen: new Map([...chosen].filter(([one]) => one !== key)), cut: false });
      else add(chosen, [payment]);
    },
    choose: payments => add(get().chosen, payments),
    chooseAll: async filter => {
      turn += 1;
      const mine = turn;
      set({ gathering: true });
      const found: Key[] = [];
      let cursor: string | null = null;
      do {
        const page: Result<PaymentPage> = await call('payments.list', { filter, cursor, limit: pageSize });
        if (mine !== turn) return;
        if (!page.ok) break;
        found.push(...page.value.rows);
        cursor = page.value.next;
      } while (cursor !== null && found.length <= roundLimit);
      set({ gathering: false });
      add(new Map(), found);
    },
    clear: () => {
      turn += 1;
      set({ chosen: new Map(), cut: false, gathering: false });
    },
    attend: list => {
      if (get().list !== list) get().clear();
      set({ list });
    },
  };
});
