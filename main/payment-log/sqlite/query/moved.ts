import { decimalOf } from '../../../../shared/money/signed-amount.ts';
import type { MovedMoney } from '../../../../shared/money/moved-money.schema.ts';
import type { PaymentPage } from '../../../../shared/contract/contract.ts';
import { onJournal } from '../list/broken-list.ts';
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
    .filter(one => one.row.entries.find(entry => entry.at >= from)?.at === one.at)
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

/** Movements of one currency in a span, minor units; `net`: of the payments without an unknown amount in it. */
type MovedSums = {
  currency: string;
  paid: number | string;
  refunded: number | string;
  voided: number | string;
  disputed: number | string;
  net: number | string;
  uncounted: number;
};

/** What moved in each of several time spans, by currency; `profileId`: null for all. */
export const movedMoney = (database: LogDatabase): PaymentLogAnswers['movedMoney'] => {
  const moved = database.prepare<
    [from: number, until: number, profile: string | null, profile: string | null],
    MovedSums
  >(
    `SELECT f.currency, sum(m.paid) AS paid, sum(m.refunded) AS refunded, sum(m.voided) AS voided,
       sum(m.disputed) AS disputed, sum(m.uncounted) AS uncounted,
       ifnull(sum(CASE WHEN m.uncounted = 0 THEN m.paid - m.refunded - m.voided - m.disputed END), 0) AS net
     FROM (SELECT payment, sum(paid) AS paid, sum(refunded) AS refunded, sum(voided) AS voided,
             sum(disputed) AS disputed, max(sum(uncounted), 0) AS uncounted
           FROM movement WHERE at >= ? AND at < ? GROUP BY 1) m
       CROSS JOIN listed l ON l.payment = m.payment CROSS JOIN facet f ON f.id = l.facet
     WHERE ? IS NULL OR f.profile_id = ? GROUP BY 1 ORDER BY count(*) DESC, 1`,
  );
  const inWire = ({ currency, uncounted, ...of }: MovedSums): MovedMoney => {
    const wire = (minor: number | string): string => decimalOf(BigInt(minor), currency);
    return {
      currency,
      paidAmount: wire(of.paid),
      refundedAmount: wire(of.refunded),
      voidedAmount: wire(of.voided),
      disputedAmount: wire(of.disputed),
      netAmount: wire(of.net),
      uncounted,
    };
  };
  return (profileId, spans) =>
    spans.map(({ from, until }) => moved.all(from, until, profileId, profileId).map(inWire));
};

/** The orders with events of the chains of one file. `after`: what its index narrows, by the number in the chain. */
const ordersOfFile = (database: LogDatabase, after: string): PaymentLogAnswers['ordersSince'] => {
  const writers = database.prepare<[], { id: number; name: string }>('SELECT id, name FROM writer');
  const orders = database
    .prepare<{ id: number; last: number; since: number; profileId: string }, string>(
      `SELECT DISTINCT o.order_number FROM event e JOIN payment o ON o.id = e.payment
       WHERE e.writer = @id AND e.writer_seq > @last AND ${after} AND e.recorded_at > @since AND o.profile_id = @profileId
         AND o.order_number IS NOT NULL`,
    )
    .pluck();
  return (profileId, positions, since) =>
    writers.all().flatMap(({ id, name }) => {
      const last = positions[name];
      return orders.all({ id, last: last ?? 0, since: last === undefined ? since : -1, profileId });
    });
};

/** The orders of a profile with events after a position in their chain; of an unknown chain, recorded after an instant. */
export const ordersSince = (
  journal: LogDatabase,
  list: LogDatabase | null,
): PaymentLogAnswers['ordersSince'] => {
  // The number of an event in its chain is never above that in its file.
  const own = ordersOfFile(journal, 'e.seq > @last');
  const foreign = list && ordersOfFile(list, 'true');
  return (profileId, positions, since) => [
    ...new Set([
      ...onJournal(() => own(profileId, positions, since)),
      ...(foreign?.(profileId, positions, since) ?? []),
    ]),
  ];
};
