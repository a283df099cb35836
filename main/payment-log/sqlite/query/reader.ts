import { spellingsOfId } from '../../../../shared/payment-reducer/evidence/payment-id.ts';
import { isConnectionCheck, isInquiry } from '../../../../shared/payment-reducer/evidence/inquiry.ts';
import { reducePayment } from '../../../../shared/payment-reducer/reduce.ts';
import type { Event } from '../../../../shared/payments/evidence.ts';
import type { PaymentKey } from '../../../../shared/payments/payment-key.ts';
import { evidenceOf, type Evidence } from '../list/merged-evidence.ts';
import type { ChainEnd } from '../../answers.ts';
import { readRow } from '../../projection/packed-row.ts';
import { logFailure, LogFailure } from '../../log-failures.ts';
import { readSources, type ListRead, type PaymentLogAnswers } from '../../payment-log.ts';
import { logProof } from '../integrity/proof.ts';
import type { LogDatabase } from '../store/database.ts';
import { createCallbackTypesReader, eventPages, readActivities, readInquiries } from './event-page.ts';
import { chainedEvents } from './chained-events.ts';
import { createCustomerReader } from './customers/customers.ts';
import { createShiftReader, expiringSoon } from './handover.ts';
import { createListReader } from './list-reader.ts';
import { movedPayments, ordersSince } from './moved.ts';
import { createRecentActivityReader } from './recent-gateway-activity.ts';

/** Every read request of the log, on separate connections. Each throws SQLite errors. */
export type LogReader = PaymentLogAnswers & { chainedEvents: ReturnType<typeof chainedEvents> };

/** Limit of payment ids in the record of an order. */
const maxPaymentIds = 1_000;

/** `now`: the clock, milliseconds, since links expire by it (§3.3). */
const readsOfList = (
  list: LogDatabase,
  evidence: Evidence,
  now: () => number,
): Pick<PaymentLogAnswers, ListRead> => {
  const ordersOf = list.prepare<[string, string, string], PaymentKey>(
    `SELECT p.profile_id AS profileId, p.order_number AS orderNumber
     FROM payment_id i JOIN payment p ON p.id = i.payment WHERE i.payment_id IN (?, ?, ?) ORDER BY p.id`,
  );
  const rowOf = list
    .prepare<[string, string], string>(
      'SELECT l."row" FROM payment p JOIN listed l ON l.payment = p.id WHERE p.order_number = ? AND p.profile_id = ?',
    )
    .pluck();
  return {
    rows: payments =>
      payments.flatMap(({ profileId, orderNumber }) => {
        const row = rowOf.get(orderNumber, profileId);
        return row === undefined ? [] : [readRow(row)];
      }),
    ordersOf: paymentId => ordersOf.all(...spellingsOfId(paymentId)),
    ...createListReader(list, now),
    ...createCustomerReader(list, evidence, now),
    moved: movedPayments(list),
    expiringSoon: expiringSoon(list, now),
    inquiries: readInquiries(evidence, list),
  };
};

/** Without a list its reads fail. */
const withoutList = (): Pick<PaymentLogAnswers, ListRead> => {
  const refuse = (): never => {
    throw new LogFailure(logFailure('log.unavailable', 'no list').error);
  };
  return Object.fromEntries(Object.keys(readSources).map(name => [name, refuse])) as unknown as Pick<
    PaymentLogAnswers,
    ListRead
  >;
};

/** `own`: the chain of this installation; `list`: null without one; `now`: the clock, milliseconds. */
export const logReader = (
  journal: LogDatabase,
  list: LogDatabase | null,
  own: string,
  now: () => number,
): LogReader => {
  const evidence = evidenceOf(journal, list, own);
  const proof = logProof(journal, list, evidence, own);
  const callbacks = evidence.newest("event.kind = 'callback.received'");
  const lastRecordedAt = journal
    .prepare<[], number>('SELECT recorded_at FROM event ORDER BY seq DESC LIMIT 1')
    .pluck();
  const ends = journal.prepare<[], ChainEnd>(
    'SELECT name AS writer, last_seq AS seq, last_hash AS hash FROM writer ORDER BY id',
  );
  const hasWritten = journal
    .prepare<[string, string], number>('SELECT 1 FROM payment WHERE order_number = ? AND profile_id = ?')
    .pluck();

  return {
    ...(list ? readsOfList(list, evidence, now) : withoutList()),
    payment: (profileId, orderNumber) => {
      const events = evidence.eventsOf({ profileId, orderNumber });
      return isInquiry(events, orderNumber) ? null : reducePayment(events);
    },
    orderRecord: (profileId, orderNumber) => {
      const events = evidence.eventsOf({ profileId, orderNumber });
      if (isInquiry(events, orderNumber) || isConnectionCheck(events)) return null;
      const { amount, currency, description, customer, paymentIds } = reducePayment(events);
      return { amount, currency, description, customer, paymentIds: paymentIds.slice(0, maxPaymentIds) };
    },
    events: (profileId, orderNumber) =>
      evidence
        .eventsOf({ profileId, orderNumber })
        .toSorted((one, other) => one.happenedAt - other.happenedAt),
    statementRecords: name =>
      evidence
        .eventsOf({ profileId: name, orderNumber: null })
        .filter(event => event.kind === 'statement.recorded'),
    eventPage: eventPages(evidence),
    change: (profileId, orderNumber, since) => {
      const events = evidence.eventsOf({ profileId, orderNumber });
      if (isInquiry(events, orderNumber) || isConnectionCheck(events)) return null;
      const before = events.filter(
        ({ writer, writerSeq }) => writer !== since.writer || writerSeq < since.writerSeq,
      );
      return {
        payment: reducePayment(events),
        previousState:
          isInquiry(before, orderNumber) || isConnectionCheck(before) ? null : reducePayment(before).state,
      };
    },
    callbackTypes: createCallbackTypesReader(evidence),
    recentCallbacks: limit => {
      const events: Event[] = [];
      for (const row of callbacks([])) {
        if (events.length === limit) break;
        events.push(evidence.event(row));
      }
      return events;
    },
    ordersSince: ordersSince(journal, list),
    ...createShiftReader(evidence),
    ...createRecentActivityReader(evidence),
    activities: readActivities(evidence),
    hasEvent: (profileId, orderNumber, dedupeKey) => evidence.has({ profileId, orderNumber }, dedupeKey),
    hasWritten: (profileId, orderNumber) => hasWritten.get(orderNumber, profileId) !== undefined,
    chainEnds: () => ends.all(),
    chainedEvents: chainedEvents(journal),
    lastRecordedAt: () => lastRecordedAt.get() ?? null,
    proof: proof.events,
    proofPath: proof.path,
  };
};
