import type { PaymentPage } from '../../../../shared/contract/index.ts';
import { readRow } from '../../projection/packed-row.ts';
import type { PaymentLogAnswers } from '../../payment-log.ts';
import type { LogDatabase } from '../store/database.ts';

/** A movement with the packed row of its payment. */
type Moved = { at: number; payment: number; row: string };

/** Where a page of movements begins: after a movement at `at` of `payment`. `cursor`: null for the first page. */
const movedAfter = (from: number, cursor: string | null): [at: number, payment: number] => {
  const [at = from - 1, payment = Number.MAX_SAFE_INTEGER] = (cursor ?? '').split(' ').flatMap(part => {
    const number = Number.parseInt(part, 10);
    return Number.isNaN(number) ? [] : [number];
  });
  return [at, payment];
};

/**
 * One page of the payments whose money moved in a time span that begins at `from`, the first to move first; each
 * payment once. `found`: at most `limit` movements, so a page may hold fewer rows although a next one exists.
 */
const movedPage = (found: readonly Moved[], from: number, limit: number): PaymentPage => {
  const last = found.length < limit ? undefined : found.at(-1);
  const rows = found
    .map(one => ({ at: one.at, row: readRow(one.row) }))
    // A later movement of the same span belongs to a row that was listed already.
    .filter(one => one.row.movements.find(movement => movement.at >= from)?.at === one.at)
    .map(({ row }) => row);
  return { rows, next: last ? `${last.at} ${last.payment}` : null };
};

/**
 * One page of the payments whose money moved in a time span, the first to move first; each payment once. `profileId`:
 * null for all; `from`, `until`: milliseconds, half-open; `cursor`: the end of the last page, null for the first;
 * `limit`: movements of one page, so a page may hold fewer rows although a next one exists.
 */
export const movedPayments = (database: LogDatabase): PaymentLogAnswers['moved'] => {
  const read = database.prepare<[number, number, number, string | null, string | null, number], Moved>(
    `SELECT m.at, m.payment, l."row" AS row FROM movement m
       JOIN listed l ON l.payment = m.payment JOIN facet f ON f.id = l.facet
     WHERE (m.at, m.payment) > (?, ?) AND m.at < ? AND (? IS NULL OR f.profile_id = ?)
     ORDER BY m.at, m.payment LIMIT ?`,
  );
  return (profileId, from, until, cursor, limit) => {
    const [at, payment] = movedAfter(from, cursor);
    return movedPage(read.all(at, payment, until, profileId, profileId, limit), from, limit);
  };
};
