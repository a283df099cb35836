import { spellingsOfId } from '../../../../shared/payment-reducer/evidence/payment-id.ts';
import { isConnectionCheck, isInquiry } from '../../../../shared/payment-reducer/evidence/inquiry.ts';
import { reducePayment } from '../../../../shared/payment-reducer/reduce.ts';
import type { Event, EventKind, EventOf } from '../../../../shared/payments/evidence.ts';
import type { PaymentKey } from '../../../../shared/payments/payment-row.ts';
import { byPlace, evidenceOf, type Evidence } from '../list/merged-evidence.ts';
import type { ChainEnd, GatewayRequestEvent } from '../../answers.ts';
import { readRow } from '../../projection/packed-row.ts';
import { logFailure, LogFailure } from '../../log-failures.ts';
import { readSources, type ListRead, type PaymentLogAnswers } from '../../payment-log.ts';
import { logProof } from '../integrity/check-chain.ts';
import type { LogDatabase } from '../store/database.ts';
import { createCallbackTypesReader, eventPages, readActivities, readInquiries } from './event-page.ts';
import { chainedEvents } from './chained-events.ts';
import { createCustomerReader } from './customers/customers.ts';
import { createListReader } from './list-reader.ts';
import { movedPayments, ordersSince } from './moved.ts';
import type { ErrorCode } from '../../../../shared/errors.ts';
import type { StoredEvent } from '../store/stored-event.ts';

const isNote = (event: Event): event is EventOf<'note.added'> => event.kind === 'note.added';

/** A refusal is about the request of its chain and order. */
const keyOf = ({
  writer,
  profileId,
  orderNumber,
  body,
}: EventOf<'operation.requested' | 'operation.refused'>) =>
  JSON.stringify([writer, profileId, orderNumber, body.intent]);

/** Notes of all installations, and the operations of this one. */
const createShiftReader = (evidence: Evidence): Pick<PaymentLogAnswers, 'notesSince' | 'operationsSince'> => {
  const notes = evidence.newest("event.kind = 'note.added'");
  // What the others sent, the shared log counts.
  const operations = evidence.newestOwn("event.kind IN ('operation.requested', 'operation.refused')");
  return {
    operationsSince: since => {
      const requested: EventOf<'operation.requested'>[] = [];
      const refused = new Set<string>();
      for (const row of operations()) {
        if (row[19] < since) break;
        const event = evidence.event(row);
        if (event.kind === 'operation.refused') refused.add(keyOf(event));
        else if (event.kind === 'operation.requested' && event.happenedAt >= since) requested.push(event);
      }
      return requested
        .filter(event => !refused.has(keyOf(event)))
        .toSorted((one, other) => one.happenedAt - other.happenedAt);
    },
    notesSince: (profileId, since, limit) => {
      const found: EventOf<'note.added'>[] = [];
      for (const row of notes([])) {
        // No event was recorded before it was written.
        if (row[19] < since || found.length === limit) break;
        const event = profileId === null || row[5] === profileId ? evidence.event(row) : null;
        if (event && isNote(event) && event.happenedAt >= since) found.push(event);
      }
      return found.toSorted((one, other) => other.happenedAt - one.happenedAt);
    },
  };
};

/** Payments with an active link, the first to expire first. `now`: the clock, milliseconds. */
const expiringSoon = (list: LogDatabase, now: () => number): PaymentLogAnswers['expiringSoon'] => {
  const running = list
    .prepare<[now: number, profile: string | null, profile: string | null, limit: number], string>(
      `SELECT l."row" FROM listed l INDEXED BY listed_open CROSS JOIN facet f ON f.id = l.facet
       WHERE l.runs_out_at > ? AND (? IS NULL OR f.profile_id = ?) ORDER BY l.runs_out_at, l.payment LIMIT ?`,
    )
    .pluck();
  return (profileId, limit) => running.all(now(), profileId, profileId, limit).map(readRow);
};

const stopped: ErrorCode = 'gateway.cancelled';

type Callback = EventOf<'callback.received'>;
/** A kind of events, and what the shape of the wanted ones contains; empty: anything. */
type Place = readonly [kind: EventKind, shape: string];

/**
 * Where the events of each outcome are. The shape of a row selects those that are read, and the read event decides: a callback's
 * text can contain anything.
 */
const lookUps: readonly Place[] = [['status.observed', '"problem":null']];
const successes: readonly Place[] = [['session.accepted', ''], ['operation.answered', ''], ...lookUps];
const isSuccess = (event: Event): event is GatewayRequestEvent =>
  event.kind === 'session.accepted' ||
  event.kind === 'operation.answered' ||
  (event.kind === 'status.observed' && event.body.problem === null);

const failures: readonly Place[] = [
  ['session.refused', ''],
  ['session.unanswered', ''],
  ['operation.refused', ''],
  ['operation.unanswered', ''],
  ['status.observed', '"problem":{'],
];
/** A wait that the user cancelled says nothing about the gateway. */
const isFailure = (event: Event): event is GatewayRequestEvent =>
  event.kind === 'session.refused' ||
  event.kind === 'session.unanswered' ||
  event.kind === 'operation.refused' ||
  event.kind === 'operation.unanswered'
    ? event.body.code !== stopped
    : event.kind === 'status.observed' && event.body.problem !== null && event.body.problem.code !== stopped;

const withVerdict = (verdict: 'verified' | 'invalid'): readonly Place[] => [
  ['callback.received', `"verdict":"${verdict}"`],
];
const isVerified = (event: Event): event is Callback =>
  event.kind === 'callback.received' && event.body.verification.verdict === 'verified';
const isInvalid = (event: Event): event is Callback =>
  event.kind === 'callback.received' && event.body.verification.verdict === 'invalid';

/** Reads a profile's latest event of each outcome: one row, or few, however many events there are. */
export const createRecentActivityReader = (
  evidence: Evidence,
): Pick<PaymentLogAnswers, 'recentGatewayActivity' | 'hasCallbacks'> => {
  const ofShape = `payment.profile_id = ?
    AND event.shape IN (SELECT id FROM shape WHERE instr(text, ?) > 0)`;
  const kinds = new Set([...successes, ...failures, ...withVerdict('verified')].map(([kind]) => kind));
  const rowsOf = new Map(
    [...kinds].map(kind => [kind, evidence.latest(`event.kind = '${kind}' AND ${ofShape}`)]),
  );
  const callbacks = evidence.newest(`event.kind = 'callback.received' AND ${ofShape}`);

  const first = <E extends Event>(
    rows: Iterable<StoredEvent>,
    isWanted: (event: Event) => event is E,
  ): { row: StoredEvent; event: E } | null => {
    for (const row of rows) {
      const event = evidence.event(row);
      if (isWanted(event)) return { row, event };
    }
    return null;
  };
  const latest = <E extends Event>(
    profile: string,
    places: readonly Place[],
    isWanted: (event: Event) => event is E,
  ): E | null =>
    places
      .flatMap(([kind, shape]) => first(rowsOf.get(kind)?.([profile, shape]) ?? [], isWanted) ?? [])
      .reduce<{ row: StoredEvent; event: E } | null>(
        (newest, one) => (newest && byPlace(newest.row, one.row) >= 0 ? newest : one),
        null,
      )?.event ?? null;

  return {
    recentGatewayActivity: profileId => ({
      lastSuccess: latest(profileId, successes, isSuccess),
      lastLookUp: latest(profileId, lookUps, isSuccess),
      lastFailure: latest(profileId, failures, isFailure),
      verified: latest(profileId, withVerdict('verified'), isVerified),
      invalid: latest(profileId, withVerdict('invalid'), isInvalid),
      scanned: evidence.countLatest(),
    }),
    hasCallbacks: profileId => first(callbacks([profileId, '"verdict":"verified"']), isVerified) !== null,
  };
};

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
      const { amount, currency, description, customer, paymentIds, state } = reducePayment(events);
      return {
        amount,
        currency,
        description,
        customer,
        paymentIds: paymentIds.slice(0, maxPaymentIds),
        state,
      };
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
