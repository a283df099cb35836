import { spellingsOfId } from '../../../../shared/payment-reducer/evidence/payment-id.ts';
import type { PaymentKey } from '../../../../shared/payments/payment-key.ts';
import type { Event } from '../../../../shared/payments/evidence.ts';
import { isConnectionCheck, isInquiry } from '../../../../shared/payment-reducer/evidence/inquiry.ts';
import { reducePayment } from '../../../../shared/payment-reducer/reduce.ts';
import type { LogDatabase } from '../store/database.ts';
import { createCustomerReader } from './customers/customers.ts';
import { createListReader } from './list-reader.ts';
import { readActivities } from './activities.ts';
import { readInquiries } from './inquiries.ts';
import { createRecentActivityReader } from './recent-gateway-activity.ts';
import { chainedEvents } from './chained-events.ts';
import { eventPages } from './event-page.ts';
import { movedPayments, ordersSince } from './moved.ts';
import { createCallbackTypesReader } from './callback-types.ts';
import { createShiftReader } from './handover.ts';
import { readRow } from '../../projection/packed-row.ts';
import { logProof } from '../integrity/proof.ts';
import {
  eventReading,
  eventsOfPayment,
  selectEvents,
  selectKnown,
  type StoredEvent,
} from '../store/stored-event.ts';
import type { ChainEnd } from '../../answers.ts';
import type { PaymentLogAnswers } from '../../payment-log.ts';

/** Every read request of the log, on a separate connection. Each throws SQLite errors. */
export type LogReader = PaymentLogAnswers & { chainedEvents: ReturnType<typeof chainedEvents> };

/** Limit of payment ids in the record of an order. */
const maxPaymentIds = 1_000;

/** `now`: the clock, milliseconds, since links expire by it (§3.3). */
export const logReader = (database: LogDatabase, now: () => number): LogReader => {
  const paymentOf = database
    .prepare<[string, string | null], number>(
      'SELECT id FROM payment WHERE profile_id = ? AND order_number IS ?',
    )
    .pluck();
  const readEvents = eventsOfPayment(database);
  const pages = eventPages(database);
  const ordersOf = database.prepare<[string, string, string], PaymentKey>(
    `SELECT p.profile_id AS profileId, p.order_number AS orderNumber
     FROM payment_id i JOIN payment p ON p.id = i.payment WHERE i.payment_id IN (?, ?, ?) ORDER BY p.id`,
  );
  const listedRow = database.prepare<[number], string>('SELECT "row" FROM listed WHERE payment = ?').pluck();
  const reading = eventReading(database);
  const recent = database
    .prepare<[number], StoredEvent>(
      `${selectEvents} WHERE event.kind = 'callback.received' ORDER BY event.seq DESC LIMIT ?`,
    )
    .raw();
  const known = database.prepare<[number, string, string], number>(selectKnown).pluck();
  const proof = logProof(database);
  const lastRecordedAt = database
    .prepare<[], number>('SELECT recorded_at FROM event ORDER BY seq DESC LIMIT 1')
    .pluck();
  const ends = database.prepare<[], ChainEnd>(
    'SELECT name AS writer, last_seq AS seq, last_hash AS hash FROM writer ORDER BY id',
  );

  const eventsOf = (profileId: string, orderNumber: string): Event[] => {
    const payment = paymentOf.get(profileId, orderNumber);
    return payment === undefined ? [] : readEvents(payment);
  };

  return {
    payment: (profileId, orderNumber) => {
      const events = eventsOf(profileId, orderNumber);
      return isInquiry(events, orderNumber) ? null : reducePayment(events);
    },
    orderRecord: (profileId, orderNumber) => {
      const payment = paymentOf.get(profileId, orderNumber);
      const row = payment === undefined ? undefined : listedRow.get(payment);
      if (row === undefined) return null;
      const { amount, currency, description, customer, paymentIds } = readRow(row);
      return { amount, currency, description, customer, paymentIds: paymentIds.slice(0, maxPaymentIds) };
    },
    rows: payments =>
      payments.flatMap(({ profileId, orderNumber }) => {
        const payment = paymentOf.get(profileId, orderNumber);
        const row = payment === undefined ? undefined : listedRow.get(payment);
        return row === undefined ? [] : [readRow(row)];
      }),
    events: (profileId, orderNumber) =>
      eventsOf(profileId, orderNumber).sort((one, other) => one.happenedAt - other.happenedAt),
    eventPage: (profileId, orderNumber, before) => {
      const payment = paymentOf.get(profileId, orderNumber);
      return payment === undefined ? { events: [], earlier: null } : pages(payment, before);
    },
    change: (profileId, orderNumber, since) => {
      const events = eventsOf(profileId, orderNumber);
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
    ordersOf: paymentId => ordersOf.all(...spellingsOfId(paymentId)),
    ...createListReader(database, now),
    ...createCustomerReader(database, now),
    ordersSince: ordersSince(database),
    moved: movedPayments(database),
    callbackTypes: createCallbackTypesReader(database),
    recentCallbacks: limit => recent.all(limit).map(row => reading.event(row)),
    ...createShiftReader(database, now),
    ...createRecentActivityReader(database),
    inquiries: readInquiries(database),
    activities: readActivities(database),
    hasEvent: (profileId, orderNumber, dedupeKey) => {
      const payment = paymentOf.get(profileId, orderNumber);
      return payment !== undefined && known.get(payment, dedupeKey, dedupeKey) !== undefined;
    },
    chainEnds: () => ends.all(),
    chainedEvents: chainedEvents(database),
    lastRecordedAt: () => lastRecordedAt.get() ?? null,
    proof: proof.events,
    proofPath: proof.path,
  };
};
