import { create } from 'zustand';
import type { PaymentFilter } from '../../../shared/contract/index.ts';
import type { AppError } from '../../../shared/errors.ts';
import { paymentKey, type PaymentKey } from '../../../shared/payments/payment-key.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { rowOf } from '../../../shared/payments/payment-row.ts';
import { request, subscribe } from '../../ipc-client.ts';

/** The list: pages by cursor, newest first, updated without moving rows. */
type PaymentsState = {
  filter: PaymentFilter | null;
  rows: readonly PaymentRow[];
  next: string | null;
  /** `first`: nothing to show yet; `more`: the next page is being loaded. */
  loading: 'first' | 'more' | null;
  problem: AppError | null;
  /** The number of new payments that are not in the list. */
  newer: number;
  /** Whether the result is an exact order or payment id that the other filters would have hidden. */
  outside: boolean;
  show: (filter: PaymentFilter) => Promise<void>;
  more: () => Promise<void>;
  refresh: () => Promise<void>;
};

const pageSize = 100;
/** Limit of changes at once that are read one by one. */
const readLimit = 20;
let latestRequest = 0;

/** Length from which the search index finds a word, characters; a search for less reads the whole list. */
const minIndexed = 3;

/** Payments with exactly the searched order number or payment id: no other filter hides them. */
const findById = async ({ words, profileId, ...filter }: PaymentFilter): Promise<PaymentRow[]> => {
  const narrowed =
    profileId !== null ||
    Object.values(filter).some(part => (Array.isArray(part) ? part.length > 0 : part !== null));
  if (!narrowed || words.length < minIndexed || /\s/.test(words)) return [];
  const page = await request('payments.list', { filter: { words }, cursor: null, limit: 50 });
  if (!page.ok) return [];
  return page.value.rows.filter(row => row.orderNumber === words || row.paymentIds.includes(words));
};

/** The page from a cursor on; pages of a rare word may be empty before the next match. */
const read = async (filter: PaymentFilter, from: string | null, isWanted: () => boolean) => {
  let page = await request('payments.list', { filter, cursor: from, limit: pageSize });
  while (isWanted() && page.ok && page.value.rows.length === 0 && page.value.next !== null)
    page = await request('payments.list', { filter, cursor: page.value.next, limit: pageSize });
  return page;
};

export const usePayments = create<PaymentsState>()((set, get) => ({
  filter: null,
  rows: [],
  next: null,
  loading: null,
  problem: null,
  newer: 0,
  outside: false,
  show: async filter => {
    latestRequest += 1;
    const requestNumber = latestRequest;
    // The old rows stay until the answer arrives, to avoid flicker on every key.
    set({ filter, loading: 'first', problem: null });
    const page = await read(filter, null, () => requestNumber === latestRequest);
    if (requestNumber !== latestRequest) return;
    const hidden = page.ok && page.value.rows.length === 0 ? await findById(filter) : [];
    if (requestNumber !== latestRequest) return;
    if (hidden.length > 0) set({ rows: hidden, next: null, loading: null, newer: 0, outside: true });
    else if (page.ok)
      set({ rows: page.value.rows, next: page.value.next, loading: null, newer: 0, outside: false });
    else set({ outside: false, rows: [], next: null, loading: null, problem: page.error });
  },
  more: async () => {
    const { filter, next, loading } = get();
    if (filter === null || next === null || loading !== null) return;
    const requestNumber = latestRequest;
    set({ loading: 'more' });
    const page = await read(filter, next, () => requestNumber === latestRequest);
    if (requestNumber !== latestRequest) return;
    if (page.ok) {
      const known = new Set(get().rows.map(paymentKey));
      const fresh = page.value.rows.filter(row => !known.has(paymentKey(row)));
      set({ rows: [...get().rows, ...fresh], next: page.value.next, loading: null });
    } else set({ loading: null, problem: page.error });
  },
  refresh: async () => {
    const { filter } = get();
    if (filter) await get().show(filter);
  },
}));

let waiting = new Map<string, PaymentKey>();
let timer: number | null = null;

const refreshRows = async (): Promise<void> => {
  timer = null;
  const changed = [...waiting.values()];
  waiting = new Map();
  const { filter, rows } = usePayments.getState();
  if (filter === null) return;
  const shown = new Set(rows.map(paymentKey));
  const inList = changed.filter(payment => shown.has(paymentKey(payment)));
  const others = changed.filter(
    payment =>
      !shown.has(paymentKey(payment)) &&
      (filter.profileId === null || filter.profileId === payment.profileId),
  );
  for (const key of inList.slice(0, readLimit)) {
    const read = await request('payments.read', key);
    if (!read.ok) continue;
    const row = rowOf(read.value.payment);
    usePayments.setState(state => ({
      rows: state.rows.map(old => (paymentKey(old) === paymentKey(row) ? row : old)),
    }));
  }
  if (others.length === 0 && inList.length <= readLimit) return;
  if (usePayments.getState().rows.length === 0) await usePayments.getState().refresh();
  else usePayments.setState(state => ({ newer: state.newer + others.length }));
};

/** Keeps the list current for the lifetime of the window. */
export const followPayments = (): void => {
  subscribe('payments.changed', ({ payments }) => {
    // An empty list means that the payment log was replaced: reload everything.
    if (payments.length === 0) {
      usePayments.setState({ rows: [], next: null, newer: 0 });
      void usePayments.getState().refresh();
    }
    for (const payment of payments) waiting.set(paymentKey(payment), payment);
    timer ??= window.setTimeout(() => void refreshRows(), 120);
  });
};
