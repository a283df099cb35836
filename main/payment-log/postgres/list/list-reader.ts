import { spellingsOfId } from '../../../../shared/payment-reducer/payment-id.ts';
import { LogFailure } from '../../failures.ts';
import type { Result } from '../../../../shared/errors.ts';
import type { PaymentLogReader } from '../../payment-log.ts';
import { readRow } from '../../projection/packed-row.ts';
import { countPayments, countsOf } from '../../query/count.ts';
import { listPayments } from '../../query/list.ts';
import { movedAfter, movedPage, type Moved } from '../../query/moved.ts';
import { overviewOf } from '../../query/overview.ts';
import { paymentsToRecheck } from '../../query/recheck.ts';
import { reconcilePayments } from '../../query/reconcile.ts';
import { runLater } from '../../query/steps.ts';
import { totalPayments } from '../../query/totals.ts';
import type { Connection } from '../connection.ts';
import type { EventReader } from '../stored-events.ts';
import { escapeText, unescapeText } from '../text.ts';
import { evidenceSource } from './evidence-source.ts';
import { listSource, type ListSource } from './list-source.ts';
import { createSamples } from './sample.ts';

/** Limit of payment ids in the record of an order. */
const maxPaymentIds = 1_000;

/** Runs a read over a connection; see open-shared-log.ts. */
type Read = <T>(work: (reader: EventReader, connection: Connection) => Promise<T>) => Promise<Result<T>>;

/** All questions of a payment log, answered by the shared log. A failed read rejects with a LogFailure. */
export const createSharedReader = (read: Read, clock: () => number = Date.now): PaymentLogReader => {
  const samples = createSamples();
  const ask = async <T>(work: (reader: EventReader, connection: Connection) => Promise<T>): Promise<T> => {
    const answer = await read(work);
    if (!answer.ok) throw new LogFailure(answer.error);
    return answer.value;
  };
  const list = <T>(work: (source: ListSource) => Promise<T>): Promise<T> =>
    ask((_, connection) => work(listSource(connection, samples)));
  const evidence = <T>(work: (source: ReturnType<typeof evidenceSource>) => Promise<T>): Promise<T> =>
    ask((reader, connection) => work(evidenceSource(connection, reader)));

  return {
    payment: (...of) => evidence(source => source.payment(...of)),
    orderRecord: (profileId, orderNumber) =>
      ask(async (_, connection) => {
        const [found] = await connection.query<{ row: string }>(
          `SELECT l."row" FROM payment p JOIN listed l ON l.payment = p.id
           WHERE p.order_number = $1 AND p.profile_id = $2`,
          [escapeText(orderNumber), escapeText(profileId)],
          { name: 'order-record' },
        );
        if (!found) return null;
        const { amount, currency, description, customer, paymentIds } = readRow(found.row);
        return { amount, currency, description, customer, paymentIds: paymentIds.slice(0, maxPaymentIds) };
      }),
    eventPage: (...page) => evidence(source => source.eventPage(...page)),
    change: (...of) => evidence(source => source.change(...of)),
    events: (...of) => evidence(source => source.events(...of)),
    ordersOf: paymentId =>
      ask(async (_, connection) => {
        const found = await connection.query<{ profile: string; order: string }>(
          `SELECT p.profile_id AS profile, p.order_number AS order FROM payment_id i JOIN payment p ON p.id = i.payment
           WHERE i.payment_id = ANY ($1::text[]) ORDER BY p.id`,
          [spellingsOfId(paymentId).map(escapeText)],
          { name: 'orders-of' },
        );
        return found.map(({ profile, order }) => ({
          profileId: unescapeText(profile),
          orderNumber: unescapeText(order),
        }));
      }),
    list: (filter, cursor, limit) =>
      list(source => runLater(listPayments(source, filter, cursor, limit, clock()))),
    moved: (profileId, from, until, cursor, limit) =>
      ask(async (_, connection) => {
        const [at, payment] = movedAfter(from, cursor);
        const found = await connection.query<Moved>(
          `SELECT m.at, m.payment, l."row" AS row FROM movement m JOIN listed l ON l.payment = m.payment
             JOIN facet f ON f.id = l.facet
           WHERE (m.at, m.payment) > ($1::bigint, $2::bigint) AND m.at < $3 AND ($4::text IS NULL OR f.profile_id = $4)
           ORDER BY m.at, m.payment LIMIT $5`,
          [at, payment, until, profileId === null ? null : escapeText(profileId), limit],
        );
        return movedPage(found, from, limit);
      }),
    paymentsToRecheck: (...due) => list(({ recheck }) => runLater(paymentsToRecheck(recheck, ...due))),
    count: filter => list(source => runLater(countPayments(source, filter, clock()))),
    totals: filter => list(source => runLater(totalPayments(source, filter, clock()))),
    counts: profileId => list(source => runLater(countsOf(source, profileId, clock()))),
    overview: (profileId, dayBoundaries, before) =>
      list(source => runLater(overviewOf(source, profileId, dayBoundaries, before, clock()))),
    reconcile: (profileId, cause, cursor, limit, selection = { list: null, agent: '' }) =>
      list(source =>
        runLater(reconcilePayments(source, profileId, cause, cursor, limit, selection, clock())),
      ),
    expiringSoon: (profileId, limit) =>
      ask(async (_, connection) => {
        const found = await connection.query<{ row: string }>(
          `SELECT l."row" FROM listed l JOIN facet f ON f.id = l.facet
           WHERE l.runs_out_at > $1 AND ($2::text IS NULL OR f.profile_id = $2) ORDER BY l.runs_out_at, l.payment LIMIT $3`,
          [clock(), profileId === null ? null : escapeText(profileId), limit],
        );
        return found.map(({ row }) => readRow(row));
      }),
    notesSince: (...notes) => evidence(source => source.notesSince(...notes)),
    recentGatewayActivity: profileId => evidence(source => source.recentGatewayActivity(profileId)),
    callbackTypes: profileId => evidence(source => source.callbackTypes(profileId)),
    recentCallbacks: limit => evidence(source => source.recentCallbacks(limit)),
    inquiries: (...inquiry) => evidence(source => source.inquiries(...inquiry)),
    activities: (...page) => evidence(source => source.activities(...page)),
    hasEvent: (...of) => evidence(source => source.hasEvent(...of)),
    chainEnds: () => evidence(source => source.chainEnds()),
    lastRecordedAt: () => evidence(source => source.lastRecordedAt()),
    proof: (...of) => evidence(source => source.proof(...of)),
    proofPath: (...path) => evidence(source => source.proofPath(...path)),
  };
};
