import type { Event } from '../../shared/evidence.ts';
import type { Payment } from '../../shared/payment.ts';
import { reducePayment } from '../../shared/reduce.ts';
import type { LogDatabase } from './database.ts';
import { lastCallsOf, type LastCalls } from './last-calls.ts';
import { countPayments, type CountPayments } from './count.ts';
import { findPayments } from './find.ts';
import { listPayments, type ListPayments } from './list.ts';
import { overviewOf, type ReadOverview } from './overview.ts';
import { shiftReading, type ShiftReading } from './shift.ts';
import { reconcilePayments, type ReconcilePayments } from './reconcile.ts';
import { logProof } from './proof.ts';
import type { ChainEnd } from './signed-head-schema.ts';
import {
  eventReading,
  eventsOfPayment,
  selectEvents,
  selectKnown,
  type StoredEvent,
  uuidText,
} from './stored-event.ts';

/** How many payments there are, by what they have in common; `flagged`: those with any flag. */
export type Counts = {
  states: Record<string, number>;
  currencies: Record<string, number>;
  flagged: number;
};

/** Every question that can be asked of the log, on a connection of its own. Each throws SQLite's errors. */
export type LogReader = {
  payment(profileId: string, orderNumber: string): Payment | null;
  events(profileId: string, orderNumber: string): Event[];
  ordersOf(paymentId: string): { profileId: string; orderNumber: string }[];
  list: ListPayments;
  count: CountPayments;
  counts(profileId: string | null, now: number): Counts;
  overview: ReadOverview;
  reconcile: ReconcilePayments;
  runningOut: ShiftReading['runningOut'];
  notesSince: ShiftReading['notesSince'];
  lastCalls(profileId: string): LastCalls;
  recentCallbacks(limit: number): Event[];
  knows(dedupeKey: string): boolean;
  /** The number of the last event; 0 when there is none. */
  end(): number;
  /** The ids of all events after a number, in the order of writing. */
  idsAfter(seq: number): string[];
  /** Where every writer's chain ends. */
  chainEnds(): ChainEnd[];
  proof: ReturnType<typeof logProof>['events'];
  proofPath: ReturnType<typeof logProof>['path'];
};

export const logReader = (database: LogDatabase): LogReader => {
  const paymentOf = database
    .prepare<[string, string], number>('SELECT id FROM payment WHERE profile_id = ? AND order_number = ?')
    .pluck();
  const readEvents = eventsOfPayment(database);
  const ordersOf = database.prepare<[string], { profileId: string; orderNumber: string }>(
    `SELECT p.profile_id AS profileId, p.order_number AS orderNumber
     FROM payment_id i JOIN payment p ON p.id = i.payment WHERE i.payment_id = ? ORDER BY p.id`,
  );
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
  const known = database.prepare<[string, string], number>(selectKnown).pluck();
  const end = database.prepare<[], number>('SELECT max(seq) FROM event').pluck();
  const idsAfter = database
    .prepare<[number], string>('SELECT lower(hex(id)) FROM event WHERE seq > ? ORDER BY seq')
    .pluck();
  const proof = logProof(database);
  const ends = database.prepare<[], ChainEnd>(
    'SELECT name AS writer, last_seq AS seq, last_hash AS hash FROM writer ORDER BY id',
  );

  const eventsOf = (profileId: string, orderNumber: string): Event[] => {
    const payment = paymentOf.get(profileId, orderNumber);
    return payment === undefined ? [] : readEvents(payment);
  };

  const find = findPayments(database);
  const list = listPayments(database, find);

  return {
    payment: (profileId, orderNumber) => {
      const events = eventsOf(profileId, orderNumber);
      return events.length === 0 ? null : reducePayment(events);
    },
    events: (profileId, orderNumber) =>
      eventsOf(profileId, orderNumber).sort((one, other) => one.happenedAt - other.happenedAt),
    ordersOf: paymentId => ordersOf.all(paymentId),
    list,
    count: countPayments(database, find),
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
        add('expired', facet.n - still);
        if (facet.currency !== '') currencies[facet.currency] = (currencies[facet.currency] ?? 0) + facet.n;
        if (facet.flagged) flagged += facet.n;
      }
      return { states, currencies, flagged };
    },
    overview: overviewOf(database),
    reconcile: reconcilePayments(database, list),
    recentCallbacks: limit => recent.all(limit).map(row => reading.event(row)),
    ...shiftReading(database),
    lastCalls: lastCallsOf(database),
    knows: dedupeKey => known.get(dedupeKey, dedupeKey) !== undefined,
    end: () => end.get() ?? 0,
    idsAfter: seq => idsAfter.all(seq).map(uuidText),
    chainEnds: () => ends.all(),
    proof: proof.events,
    proofPath: proof.path,
  };
};
