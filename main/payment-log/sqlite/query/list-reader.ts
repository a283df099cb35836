import type { FoundPayments, ListedPage, PaymentFilter } from '../../../../shared/contract/contract.ts';
import type { PaymentLogAnswers } from '../../payment-log.ts';
import { countPayments, countsOf } from './count.ts';
import { listPayments, listStatements, type ListFilter, type ListSource } from './list.ts';
import { movedMoney } from './moved.ts';
import { overviewOf, overviewStatements } from './overview.ts';
import { queueStatements, reconcilePayments } from './reconcile.ts';
import { totalPayments, totalsStatements } from './totals.ts';
import type { LogDatabase } from '../store/database.ts';
import { correctedWords, type CorrectedWords } from './search/corrected-words.ts';
import { findPayments } from './search/query-planner.ts';
import { reviewLists } from './review-lists.ts';
import { paymentKey } from '../../../../shared/payments/payment-row.ts';
import type { PaymentRow } from '../../../../shared/payments/payment.ts';
import { unfiltered } from '../../unfiltered.ts';
import {
  addressesIn,
  isPasted,
  orderNumbersIn,
  uuidsIn,
} from '../../../../shared/search-query/pasted-text.ts';
import { linkWord } from '../../projection/link-word.ts';
import { allOf, trigramsOf } from '../store/trigrams.ts';
import { lookUpKeyOf } from '../../../../shared/look-ups/look-up-key.ts';
import { dayMs, recheckedStates } from '../../../../shared/payment-reducer/checked-days.ts';
import { readRow } from '../../projection/packed-row.ts';

const statesInSql = recheckedStates.map(state => `'${state}'`).join(', ');

export const facetsToRecheck = `SELECT id FROM facet WHERE n > 0 AND state IN (${statesInSql})
  AND profile_id IN (SELECT value FROM json_each(?))`;

/** The next number of days at which payments of a facet were checked last: only a few numbers occur. */
export const nextCheckedDays = `SELECT min(checked_days) FROM listed INDEXED BY listed_recheck
  WHERE facet = ? AND checked_days > ?`;

export const selectToRecheck = `SELECT "row" FROM listed INDEXED BY listed_recheck
  WHERE facet = ? AND checked_days = ? AND first_at + paid_after > ? AND first_at + paid_after <= ?
  ORDER BY first_at + paid_after LIMIT ?`;

/**
 * The `limit` is shared between the entries of `days`. A check that was missed is due until the next one, and the last
 * one for as long again. Every statement is a range of one index, so the cost does not depend on the number of payments.
 */
export const paymentsToRecheck = (database: LogDatabase): PaymentLogAnswers['paymentsToRecheck'] => {
  const facetsOf = database.prepare<[string], number>(facetsToRecheck).pluck();
  const next = database.prepare<[number, number], number | null>(nextCheckedDays).pluck();
  const select = database
    .prepare<[facet: number, checkedDays: number, after: number, until: number, limit: number], string>(
      selectToRecheck,
    )
    .pluck();
  const dueSince = (facet: number, day: number, after: number, until: number, limit: number): string[] => {
    const rows: string[] = [];
    let checked = next.get(facet, -1) ?? null;
    while (checked !== null && checked < day && rows.length < limit) {
      rows.push(...select.all(facet, checked, after, until, limit - rows.length));
      checked = next.get(facet, checked) ?? null;
    }
    return rows;
  };
  return (profileIds, days, now, limit) => {
    const facets = facetsOf.all(JSON.stringify(profileIds));
    const share = Math.ceil(limit / Math.max(1, days.length));
    const found = days.flatMap((day, index) => {
      const after = now - (days[index + 1] ?? 2 * day) * dayMs;
      const rows: string[] = [];
      for (const facet of facets) {
        if (rows.length >= share) break;
        rows.push(...dueSince(facet, day, after, now - day * dayMs, share - rows.length));
      }
      return rows;
    });
    return found.slice(0, limit).map(text => {
      const row = readRow(text);
      return { profileId: row.profileId, orderNumber: row.orderNumber, key: lookUpKeyOf(row) };
    });
  };
};

/**
 * The search words of a text that may be pasted: if it has a payment link, a payment id or the number of an order, only
 * these count. A text without any stays as it is.
 */
type IdsInText = (text: string) => string;

const idsInText = (database: LogDatabase): IdsInText => {
  const isOrder = database
    .prepare<[string, string], number>('SELECT 1 FROM payment WHERE order_number IN (?, ?) LIMIT 1')
    .pluck();
  const isId = database
    .prepare<[string, string], number>('SELECT 1 FROM payment_id WHERE payment_id IN (?, ?) LIMIT 1')
    .pluck();
  const isWord = database
    .prepare<[string], number>('SELECT 1 FROM search WHERE search MATCH ? LIMIT 1')
    .pluck();
  return text => {
    const trimmed = text.trim();
    const uuids = uuidsIn(trimmed);
    if (trimmed.startsWith('=') || trimmed.toLowerCase() === uuids[0]) return trimmed;
    const links = addressesIn(trimmed)
      .map(linkWord)
      .filter(word => isWord.get(allOf(trigramsOf(` ${word} `))) !== undefined);
    if (links.length > 0) return `=${links.join('|')}`;
    const orders = isPasted(trimmed)
      ? orderNumbersIn(trimmed).filter(number => isOrder.get(number, number.toUpperCase()) !== undefined)
      : [];
    const known = [...uuids.filter(id => isId.get(id, id.toUpperCase()) !== undefined), ...orders];
    const ids = known.length > 0 ? known : uuids;
    return ids.length > 0 ? `=${ids.join('|')}` : trimmed;
  };
};

/** A list that corrects words. */
type SearchedSource = ListSource & { corrected: CorrectedWords };

/**
 * A page as `listPayments`, with payments that match almost if none matches; these are listed by the corrected words of
 * `approximate`, also on later pages.
 */
const searchPayments = (
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
const firstPayments = (
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

/** Everything that the requests about the list read from the file. */
export const listSource = (database: LogDatabase) => ({
  ...listStatements(database),
  ...totalsStatements(database),
  ...overviewStatements(database),
  ...reviewLists(database),
  ...queueStatements(database),
  find: findPayments(database),
  corrected: correctedWords(database),
});

/** The requests about the list of payments. `now`: the clock, milliseconds. Each throws SQLite errors. */
export const createListReader = (
  database: LogDatabase,
  now: () => number,
): Pick<
  PaymentLogAnswers,
  | 'list'
  | 'find'
  | 'paymentsToRecheck'
  | 'count'
  | 'totals'
  | 'counts'
  | 'overview'
  | 'movedMoney'
  | 'reconcile'
> => {
  const source = listSource(database);
  const wordsIn = idsInText(database);
  const searched = <F extends PaymentFilter>(filter: F): F => ({ ...filter, words: wordsIn(filter.words) });
  return {
    list: (filter, cursor, limit) => searchPayments(source, searched(filter), cursor, limit, now()),
    find: (filter, limit) => firstPayments(source, searched(filter), limit, now()),
    paymentsToRecheck: paymentsToRecheck(database),
    count: filter => countPayments(source, searched(filter), now()),
    totals: filter => totalPayments(source, searched(filter), now()),
    counts: profileId => countsOf(source, profileId, now()),
    movedMoney: movedMoney(database),
    overview: (...days) => overviewOf(source, ...days, now()),
    reconcile: (profileId, cause, cursor, limit, selection = { list: null, agent: '' }) =>
      reconcilePayments(source, profileId, cause, cursor, limit, selection, now()),
  };
};
