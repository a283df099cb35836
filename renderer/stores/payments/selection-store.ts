import { create } from 'zustand';
import type { PaymentFilter, PaymentPage } from '../../../shared/contract/contract.ts';
import type { Result } from '../../../shared/errors.ts';
import { paymentKey, type PaymentKey } from '../../../shared/payments/payment-row.ts';
import { maxPerJob } from '../../../shared/look-ups/bulk-look-up.ts';
import { request } from '../../ipc-client.ts';

/** The selected payments of the list, for bulk actions. */
type SelectionState = {
  /** The list of the selection. */
  list: string;
  chosen: ReadonlyMap<string, PaymentKey>;
  /** The selection was limited. */
  isTruncated: boolean;
  /** All matches are being collected. */
  isCollecting: boolean;
  toggle: (payment: PaymentKey) => void;
  /** Adds payments to the selection, up to the limit. */
  choose: (payments: readonly PaymentKey[]) => void;
  /** Selects all matches, newest first, up to the limit. */
  chooseAll: (filter: PaymentFilter) => Promise<void>;
  clear: () => void;
  /** Sets the shown list: invisible payments are not selected. */
  setList: (list: string) => void;
};

const pageSize = 200;
let latestRequest = 0;

export const useSelection = create<SelectionState>()((set, get) => {
  const add = (chosen: ReadonlyMap<string, PaymentKey>, payments: readonly PaymentKey[]): void => {
    const next = new Map(chosen);
    for (const { profileId, orderNumber } of payments) {
      const key = paymentKey({ profileId, orderNumber });
      if (next.has(key)) continue;
      if (next.size >= maxPerJob) return set({ chosen: next, isTruncated: true });
      next.set(key, { profileId, orderNumber });
    }
    set({ chosen: next, isTruncated: false });
  };
  return {
    list: '',
    chosen: new Map(),
    isTruncated: false,
    isCollecting: false,
    toggle: payment => {
      const key = paymentKey(payment);
      const { chosen } = get();
      if (chosen.has(key))
        set({ chosen: new Map([...chosen].filter(([one]) => one !== key)), isTruncated: false });
      else add(chosen, [payment]);
    },
    choose: payments => add(get().chosen, payments),
    chooseAll: async filter => {
      latestRequest += 1;
      const requestNumber = latestRequest;
      set({ isCollecting: true });
      const found: PaymentKey[] = [];
      let cursor: string | null = null;
      do {
        const page: Result<PaymentPage> = await request('payments.list', { filter, cursor, limit: pageSize });
        if (requestNumber !== latestRequest) return;
        if (!page.ok) break;
        found.push(...page.value.rows);
        cursor = page.value.next;
      } while (cursor !== null && found.length <= maxPerJob);
      set({ isCollecting: false });
      add(new Map(), found);
    },
    clear: () => {
      latestRequest += 1;
      set({ chosen: new Map(), isTruncated: false, isCollecting: false });
    },
    setList: list => {
      if (get().list !== list) get().clear();
      set({ list });
    },
  };
});
