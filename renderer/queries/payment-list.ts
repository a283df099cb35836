import { create } from 'zustand';
import type { PaymentFilter } from '../../shared/contract/contract.ts';
import { ok, type AppError } from '../../shared/errors.ts';
import { sameId } from '../../shared/payment-reducer/evidence/payment-id.ts';
import { paymentKey } from '../../shared/payments/payment-row.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';
import { uuidsIn } from '../../shared/search-query/pasted-text.ts';
import { request } from '../ipc-client.ts';
import { createQuery } from './create-query.ts';
import { readRows, withRows } from './rows.ts';

/** The list: pages by cursor, newest first, updated without moving rows. */
export type PaymentList = {
  /** As requested. */
  asked: PaymentFilter;
  /** The filter that finds the rows: with corrected words if they match only almost. */
  filter: PaymentFilter;
  /** Whether no payment matches the typed words, and the rows are those of similar ones. */
  isApproximate: boolean;
  rows: readonly PaymentRow[];
  next: string | null;
  /** The number of payments that the list would show in its first page and does not, at most `pageSize`. */
  newer: number;
  /** Whether the result is an exact order or payment id that the other filters would have hidden. */
  outside: boolean;
};
/** `updated`: only these rows are new; null: all of it is. */
type Read = PaymentList & { updated: readonly PaymentRow[] | null };

export const pageSize = 100;

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
const readPage = async (filter: PaymentFilter, from: string | null, isCurrent: () => boolean) => {
  let page = await request('payments.list', { filter, cursor: from, limit: pageSize });
  while (isCurrent() && page.ok && page.value.rows.length === 0 && page.value.next !== null)
    page = await request('payments.list', { filter, cursor: page.value.next, limit: pageSize });
  return page;
};

const readList = async (asked: PaymentFilter, isCurrent: () => boolean) => {
  const page = await readPage(asked, null, isCurrent);
  if (!page.ok) return page;
  const { rows, next, approximate } = page.value;
  const hasExact = rows.length > 0 && approximate === null;
  const hidden = hasExact ? [] : await findById(asked);
  const list: Read = {
    asked,
    filter: asked,
    isApproximate: false,
    rows,
    next,
    newer: 0,
    outside: false,
    updated: null,
  };
  if (hidden.length > 0) return ok({ ...list, rows: hidden, next: null, outside: true });
  return ok(
    approximate === null
      ? list
      : { ...list, isApproximate: true, filter: { ...asked, words: approximate.words } },
  );
};

/** Counts what the first page would show and the list does not: rows do not move until the person asks for them. */
const countNewer = async ({ filter, rows }: PaymentList): Promise<number | null> => {
  const page = await request('payments.list', { filter, cursor: null, limit: pageSize });
  if (!page.ok) return null;
  const known = new Set(rows.map(paymentKey));
  const isKnown = (row: PaymentRow): boolean => known.has(paymentKey(row));
  const { rows: first, next } = page.value;
  // Below the last known row is the next page, which the person has not asked for.
  const reach = next !== null && first.some(isKnown) ? first.findLastIndex(isKnown) : first.length;
  return first.slice(0, reach).filter(row => !isKnown(row)).length;
};

export const listQuery = createQuery({
  read: async (asked: PaymentFilter, present: PaymentList | null, changed, isCurrent) => {
    if (present === null || changed === null || (present.rows.length === 0 && !present.outside))
      return readList(asked, isCurrent);
    const shown = present.rows.filter(row => changed.has(paymentKey(row)));
    const updated = await readRows(shown);
    const newer = shown.length < changed.size && !present.outside ? await countNewer(present) : null;
    return ok({ ...present, newer: newer ?? present.newer, updated });
  },
  merge: ({ updated, ...list }: Read, present: PaymentList | null): PaymentList =>
    updated === null || present === null
      ? list
      : { ...present, newer: list.newer, rows: withRows(present.rows, updated) },
  on: ['payments.changed'],
  throttleMs: 120,
  // No flicker on every key.
  keepsLast: true,
});

/** The next page: whether it is being loaded, and why it could not be. */
export const useNextPage = create<{ isLoading: boolean; problem: AppError | null }>(() => ({
  isLoading: false,
  problem: null,
}));

/** Adds the next page to a list. */
export const readMore = async (asked: PaymentFilter): Promise<void> => {
  const { value, isReading } = listQuery.get(asked);
  if (value === null || value.next === null || isReading || useNextPage.getState().isLoading) return;
  const { filter, next } = value;
  const isCurrent = (): boolean => listQuery.get(asked).value?.next === next;
  useNextPage.setState({ isLoading: true, problem: null });
  const page = await readPage(filter, next, isCurrent);
  useNextPage.setState({ isLoading: false, problem: page.ok ? null : page.error });
  if (!page.ok || !isCurrent()) return;
  listQuery.update(asked, present => {
    const known = new Set(present?.rows.map(paymentKey));
    const fresh = page.value.rows.filter(row => !known.has(paymentKey(row)));
    return present && { ...present, rows: [...present.rows, ...fresh], next: page.value.next };
  });
};
