import type { PaymentPage } from '../../../../shared/contract/index.ts';
import type { LogDatabase } from '../store/database.ts';
import { movedAfter, movedPage, type Moved } from '../../query/moved.ts';

/**
 * One page of the payments whose money moved in a time span, the first to move first; each payment once. `profileId`:
 * null for all; `from`, `until`: milliseconds, half-open; `cursor`: the end of the last page, null for the first;
 * `limit`: movements of one page, so a page may hold fewer rows although a next one exists.
 */
export type MovedPayments = (
  profileId: string | null,
  from: number,
  until: number,
  cursor: string | null,
  limit: number,
) => PaymentPage;

export const movedPayments = (database: LogDatabase): MovedPayments => {
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
