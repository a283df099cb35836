import type { FoundPayments, ListedPage } from '../../../../../shared/contract/contract.ts';
import { paymentKey } from '../../../../../shared/payments/payment-key.ts';
import type { PaymentRow } from '../../../../../shared/payments/payment.ts';
import type { ListFilter } from '../facets.ts';
import { listPayments, type ListSource } from '../list.ts';
import type { CorrectedWords } from './corrected-words.ts';
import { unfiltered } from '../../../unfiltered.ts';

/** A list that corrects words. */
export type SearchedSource = ListSource & { corrected: CorrectedWords };

/**
 * A page as `listPayments`, with payments that match almost if none matches; these are listed by the corrected words of
 * `approximate`, also on later pages.
 */
export const searchPayments = (
  source: SearchedSource,
  filter: ListFilter,
  cursor: string | null,
  limit: number,
  now: number,
): ListedPage => {
  const page = listPayments(source, filter, cursor, limit, now);
  if (cursor !== null || page.rows.length > 0 || page.next !== null) return { ...page, approximate: null };
  for (const words of source.corrected(filter.words, false)) {
    const found = listPayments(source, { ...filter, words }, null, limit, now);
    if (found.rows.length > 0) return { ...found, approximate: { words } };
  }
  return { ...page, approximate: null };
};

/** The payments with exactly this order number or payment id, outside any filter. */
const withId = (source: ListSource, words: string, limit: number, now: number): PaymentRow[] =>
  words.length < 3 || /\s/.test(words)
    ? []
    : listPayments(source, { ...unfiltered, words }, null, limit, now).rows.filter(
        row =>
          row.orderNumber === words || row.paymentIds.some(id => id.toLowerCase() === words.toLowerCase()),
      );

/**
 * The first payments that a search finds: exact ones, newest first, then those that match almost. A complete order
 * number or payment id is found in spite of the other filters.
 */
export const firstPayments = (
  source: SearchedSource,
  filter: ListFilter,
  limit: number,
  now: number,
): FoundPayments => {
  const page = listPayments(source, filter, null, limit, now);
  const exact = page.rows.length > 0 ? page.rows : withId(source, filter.words, limit, now);
  const hits = exact.map(row => ({ row, isApproximate: false }));
  const known = new Set(exact.map(paymentKey));
  let more = page.next !== null;
  // Beside exact matches only whole words: a beginning would match too many.
  for (const words of source.corrected(filter.words, exact.length > 0)) {
    if (hits.length >= limit || more || (exact.length === 0 && hits.length > 0)) break;
    const similar = listPayments(source, { ...filter, words }, null, limit + known.size, now);
    const fresh = similar.rows.filter(row => !known.has(paymentKey(row)));
    const shown = fresh.slice(0, limit - hits.length);
    for (const row of shown) {
      hits.push({ row, isApproximate: true });
      known.add(paymentKey(row));
    }
    more = similar.next !== null || fresh.length > shown.length;
  }
  return { hits, more };
};
