import type { PaymentKey } from '../../../../shared/payments/payment-key.ts';
import type { Event } from '../../../../shared/payments/evidence.ts';
import type { OrderRecord, Payment } from '../../../../shared/payments/payment.ts';
import { isInquiry } from '../../../../shared/payment-reducer/inquiry.ts';
import { reducePayment } from '../../../../shared/payment-reducer/reduce.ts';
import type { LogDatabase } from '../store/database.ts';
import { readActivities, type ReadActivities } from './activities.ts';
import { readInquiries, type ReadInquiries } from './inquiries.ts';
import { createRecentActivityReader } from './recent-gateway-activity.ts';
import { chainedEvents } from './chained-events.ts';
import { countPayments, type CountPayments } from './count.ts';
import { totalPayments, type TotalPayments } from './totals.ts';
import { eventPages } from './event-page.ts';
import { endOf, findPayments } from './query-planner.ts';
import { movedPayments, type MovedPayments } from './moved.ts';
import { createCallbackTypesReader, type ReadCallbackTypes } from './callback-types.ts';
import { paymentsToRecheck, type ReadPaymentsToRecheck } from './recheck.ts';
import { listPayments, type ListPayments } from './list.ts';
import { overviewOf, type ReadOverview } from './overview.ts';
import { createShiftReader, type ShiftReader } from './handover.ts';
import { reconcilePayments, type ReconcilePayments } from './reconcile.ts';
import { readRow } from '../store/packed-row.ts';
import { logProof } from '../integrity/proof.ts';
import {
  eventReading,
  eventsOfPayment,
  selectEvents,
  selectKnown,
  type StoredEvent,
} from '../store/stored-event.ts';
import type {
  ChainEnd,
  Counts,
  EventPage,
  EventPlace,
  PaymentChange,
  RecentGatewayActivity,
} from '../../answers.ts';

/** Every read request of the log, on a separate connection. Each throws SQLite errors. */
export type LogReader = {
  payment(profileId: string, orderNumber: string): Payment | null;
  orderRecord(profileId: string, orderNumber: string): OrderRecord | null;
  events(profileId: string, orderNumber: string): Event[];
  eventPage(profileId: string, orderNumber: string, before: number | null): EventPage;
  change(profileId: string, orderNumber: string, since: EventPlace): PaymentChange | null;
  ordersOf(paymentId: string): PaymentKey[];
  list: ListPayments;
  moved: MovedPayments;
  paymentsToRecheck: ReadPaymentsToRecheck;
  count: CountPayments;
  totals: TotalPayments;
  counts(profileId: string | null, now: number): Counts;
  overview: ReadOverview;
  reconcile: ReconcilePayments;
  expiringSoon: ShiftReader['expiringSoon'];
  notesSince: ShiftReader['notesSince'];
  recentGatewayActivity(profileId: string): RecentGatewayActivity;
  recentCallbacks(limit: number): Event[];
  callbackTypes: ReadCallbackTypes;
  inquiries: ReadInquiries;
  activities: ReadActivities;
  hasEvent(profileId: string, orderNumber: string | null, dedupeKey: string): boolean;
  /** The end of every writer's chain. */
  chainEnds(): ChainEnd[];
  chainedEvents: ReturnType<typeof chainedEvents>;
  /** When the last event was recorded, milliseconds; null if the log is empty. */
  lastRecordedAt(): number | null;
  proof: ReturnType<typeof logProof>['events'];
  proofPath: ReturnType<typeof logProof>['path'];
};

/** Limit of payment ids in the record of an order. */
const maxPaymentIds = 1_000;

export const logReader = (database: LogDatabase): LogReader => {
  const paymentOf = database
    .prepare<[string, string | null], number>(
      'SELECT id FROM payment WHERE profile_id = ? AND order_number IS ?',
    )
    .pluck();
  const readEvents = eventsOfPayment(database);
  const pages = eventPages(database);
  const ordersOf = database.prepare<[string], PaymentKey>(
    `SELECT p.profile_id AS profileId, p.order_number AS orderNumber
     FROM payment_id i JOIN payment p ON p.id = i.payment WHERE i.payment_id = ? ORDER BY p.id`,
  );
  const listedRow = database.prepare<[number], string>('SELECT "row" FROM listed WHERE payment = ?').pluck();
  const facets = database.prepare<
    [string | null, string | null],
    { id: number; state: string; currency: string; flagged: number; timed: number; n: number }
  >('SELECT id, state, currency, flagged, timed, n FROM facet WHERE n > 0 AND (? IS NULL OR profile_id = ?)');
  const running = database.prepare<[number], { facet: number; n: number }>(
    'SELECT facet, count(*) AS n FROM listed INDEXED BY listed_open WHERE runs_out_at > ? GROUP BY facet',
  );
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

  const find = findPayments(database);
  const list = listPayments(database, find);
  const count = countPayments(database, find);

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
    events: (profileId, orderNumber) =>
      eventsOf(profileId, orderNumber).sort((one, other) => one.happenedAt - other.happenedAt),
    eventPage: (profileId, orderNumber, before) => {
      const payment = paymentOf.get(profileId, orderNumber);
      return payment === undefined ? { events: [], earlier: null } : pages(payment, before);
    },
    change: (profileId, orderNumber, since) => {
      const events = eventsOf(profileId, orderNumber);
      if (isInquiry(events, orderNumber)) return null;
      const before = events.filter(
        ({ writer, writerSeq }) => writer !== since.writer || writerSeq < since.writerSeq,
      );
      return {
        payment: reducePayment(events),
        previousState: isInquiry(before, orderNumber) ? null : reducePayment(before).state,
      };
    },
    ordersOf: paymentId => ordersOf.all(paymentId),
    list,
    moved: movedPayments(database),
    paymentsToRecheck: paymentsToRecheck(database),
    count,
    totals: totalPayments(database, find, count),
    counts: (profileId, now) => {
      const states: Record<string, number> = {};
      const currencies: Record<string, number> = {};
      const add = (state: string, n: number): void => {
        if (n > 0) states[state] = (states[state] ?? 0) + n;
      };
      let flagged = 0;
      const live = new Map(running.all(now).map(({ facet, n }) => [facet, n]));
      for (const facet of facets.all(profileId, profileId)) {
        const still = facet.timed ? (live.get(facet.id) ?? 0) : facet.n;
        add(facet.state, still);
        add(endOf(facet.state), facet.n - still);
        if (facet.currency !== '') currencies[facet.currency] = (currencies[facet.currency] ?? 0) + facet.n;
        if (facet.flagged) flagged += facet.n;
      }
      return { states, currencies, flagged };
    },
    overview: overviewOf(database),
    reconcile: reconcilePayments(database, list),
    callbackTypes: createCallbackTypesReader(database),
    recentCallbacks: limit => recent.all(limit).map(row => reading.event(row)),
    ...createShiftReader(database),
    recentGatewayActivity: createRecentActivityReader(database),
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
