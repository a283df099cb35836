import { create } from 'zustand';
import type { PaymentFilter } from '../../../shared/contract/contract.ts';
import type { AppError } from '../../../shared/errors.ts';
import { sameId } from '../../../shared/payment-reducer/evidence/payment-id.ts';
import { paymentKey, type PaymentKey } from '../../../shared/payments/payment-key.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { uuidsIn } from '../../../shared/search-query/pasted-text.ts';
import { rowOf } from '../../../shared/payments/payment-row.ts';
import { request, subscribe } from '../../ipc-client.ts';

/** The list: pages by cursor, newest first, updated without moving rows. */
type PaymentsState = {
  /** As requested. */
  asked: PaymentFilter | null;
  /** The filter that finds the rows: with corrected words if they match only almost. */
  filter: PaymentFilter | null;
  /** Whether no payment matches the typed words, and the rows are those of similar ones. */
  isApproximate: boolean;
  rows: readonly PaymentRow[];
  next: string | null;
  /** `first`: nothing to show yet; `more`: the next page is being loaded. */
  loading: 'first' | 'more' | null;
  problem: AppError | null;
  /** The number of payments that the list would show in its first page and does not, at most `pageSize`. */
  newer: number;
  /** Whether the result is an exact order or payment id that the other filters would have hidden. */
  outside: boolean;
  show: (filter: PaymentFilter) => Promise<void>;
  more: () => Promise<void>;
  refresh: () => Promise<void>;
};

export const pageSize = 100;
let latestRequest = 0;

/** Length from which the search index finds a word, characters; a search for less reads the whole list. */
const minIndexed = 3;

/** Payments with exactly the searched order number or payment id: no other filter hides them. */
const findById = async ({ words, profileId, ...filter }: PaymentFilter): Promise<PaymentRow[]> => {
  const narrowed =
    profileId !== null ||
    Object.values(filter).some(part => (Array.isArray(part) ? part.length > 0 : part !== null));
  const [id = words] = uuidsIn(words);
  if (!narrowed || id.length < minIndexed || /\s/.test(id)) return [];
  const page = await request('payments.list', { filter: { words: id }, cursor: null, limit: 50 });
  if (!page.ok) return [];
  return page.value.rows.filter(row => row.orderNumber === id || row.paymentIds.some(one => sameId(one, id)));
};

/** The page from a cursor on; pages of a rare word may be empty before the next match. */
const read = async (filter: PaymentFilter, from: string | null, isWanted: () => boolean) => {
  let page = await request('payments.list', { filter, cursor: from, limit: pageSize });
  while (isWanted() && page.ok && page.value.rows.length === 0 && page.value.next !== null)
    page = await request('payments.list', { filter, cursor: page.value.next, limit: pageSize });
  return page;
};

export const usePayments = create<PaymentsState>()((set, get) => ({
  asked: null,
  filter: null,
  isApproximate: false,
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
    set({ asked: filter, filter, loading: 'first', problem: null });
    const page = await read(filter, null, () => requestNumber === latestRequest);
    if (requestNumber !== latestRequest) return;
    const approximate = page.ok ? page.value.approximate : null;
    const hasExact = page.ok && page.value.rows.length > 0 && approximate === null;
    const hidden = page.ok && !hasExact ? await findById(filter) : [];
    if (requestNumber !== latestRequest) return;
    if (hidden.length > 0)
      set({ rows: hidden, next: null, loading: null, newer: 0, outside: true, isApproximate: false });
    else if (page.ok)
      set({
        rows: page.value.rows,
        next: page.value.next,
        loading: null,
        newer: 0,
        outside: false,
        isApproximate: approximate !== null,
        ...(approximate && { filter: { ...filter, words: approximate.words } }),
      });
    else
      set({ outside: false, isApproximate: false, rows: [], next: null, loading: null, problem: page.error });
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
    const { asked } = get();
    if (asked) await get().show(asked);
  },
}));

/** Counts what the first page would show and the list does not: rows do not move until the person asks for them. */
const countNewer = async (): Promise<void> => {
  const { filter, rows, outside, refresh } = usePayments.getState();
  if (filter === null || outside) return;
  if (rows.length === 0) return refresh();
  const requestNumber = latestRequest;
  const page = await request('payments.list', { filter, cursor: null, limit: pageSize });
  if (!page.ok || requestNumber !== latestRequest) return;
  const known = new Set(usePayments.getState().rows.map(paymentKey));
  const isKnown = (row: PaymentRow): boolean => known.has(paymentKey(row));
  const { rows: first, next } = page.value;
  // Below the last known row is the next page, which the person has not asked for.
  const reach = next !== null && first.some(isKnown) ? first.findLastIndex(isKnown) : first.length;
  usePayments.setState({ newer: first.slice(0, reach).filter(row => !isKnown(row)).length });
};

/** The payments that changed since the list was updated; null: any payment may have changed. */
let waiting: Map<string, PaymentKey> | null = new Map();
let timer: number | null = null;

const updateRows = async (): Promise<void> => {
  const changed = waiting;
  waiting = new Map();
  const { filter, rows, refresh } = usePayments.getState();
  if (filter === null) return;
  if (changed === null) return refresh();
  const shown = new Set(rows.map(paymentKey));
  for (const [key, payment] of changed) {
    if (!shown.has(key)) continue;
    const read = await request('payments.read', payment);
    if (!read.ok) continue;
    const row = rowOf(read.value.payment);
    usePayments.setState(state => ({
      rows: state.rows.map(old => (paymentKey(old) === key ? row : old)),
    }));
  }
  if ([...changed.keys()].some(key => !shown.has(key))) await countNewer();
};

const updateSoon = (): void => {
  timer ??= window.setTimeout(() => {
    void updateRows().finally(() => {
      timer = null;
      if (waiting === null || waiting.size > 0) updateSoon();
    });
  }, 120);
};

/** Keeps the list current for the lifetime of the window. */
export const followPayments = (): void => {
  subscribe('payments.changed', ({ payments }) => {
    if (payments === null) waiting = null;
    else for (const payment of payments) waiting?.set(paymentKey(payment), payment);
    updateSoon();
  });
};
