import type { ErrorCode } from '../../../../shared/errors.ts';
import type { Event, EventKind, EventOf } from '../../../../shared/payments/evidence.ts';
import type { GatewayRequestEvent } from '../../answers.ts';
import type { PaymentLogAnswers } from '../../payment-log.ts';
import type { LogDatabase } from '../store/database.ts';
import { eventReading, selectEvents, type StoredEvent } from '../store/stored-event.ts';

/** Scan limit, events. Older events say nothing about whether the current password works. */
const maxScannedEvents = 20_000;

const stopped: ErrorCode = 'gateway.cancelled';

type Callback = EventOf<'callback.received'>;
/** A kind of events, and what the shape of the wanted ones contains; empty: anything. */
type Place = readonly [kind: EventKind, shape: string];

/**
 * Where the events of each outcome are. The shape of a row selects those that are read, and the read event decides: a callback's
 * text can contain anything.
 */
const successes: readonly Place[] = [
  ['session.accepted', ''],
  ['status.observed', '"problem":null'],
];
const isSuccess = (event: Event): event is GatewayRequestEvent =>
  event.kind === 'session.accepted' || (event.kind === 'status.observed' && event.body.problem === null);

const failures: readonly Place[] = [
  ['session.refused', ''],
  ['session.unanswered', ''],
  ['status.observed', '"problem":{'],
];
/** A wait that the user cancelled says nothing about the gateway. */
const isFailure = (event: Event): event is GatewayRequestEvent =>
  event.kind === 'session.refused' || event.kind === 'session.unanswered'
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
  database: LogDatabase,
): Pick<PaymentLogAnswers, 'recentGatewayActivity' | 'hasCallbacks'> => {
  const latestPart = database.prepare<[], { from: number | null; events: number }>(
    `SELECT min(seq) AS "from", count(*) AS events FROM
       (SELECT seq FROM event ORDER BY seq DESC LIMIT ${maxScannedEvents})`,
  );
  const rowsOf = (kind: string) =>
    database
      .prepare<{ from: number; kind?: string; shape: string; profile: string }, StoredEvent>(
        `${selectEvents} WHERE event.seq >= @from AND event.kind = ${kind} AND payment.profile_id = @profile
           AND event.shape IN (SELECT id FROM shape WHERE instr(text, @shape) > 0) ORDER BY event.seq DESC`,
      )
      .raw();
  // The literal finds the index of callbacks.
  const callbacks = rowsOf("'callback.received'");
  const others = rowsOf('@kind');
  const reading = eventReading(database);

  const latest = <E extends Event>(
    from: number,
    profile: string,
    places: readonly Place[],
    isWanted: (event: Event) => event is E,
  ): E | null => {
    let newest: { seq: number; event: E } | null = null;
    for (const [kind, shape] of places) {
      const rows =
        kind === 'callback.received'
          ? callbacks.iterate({ from, shape, profile })
          : others.iterate({ from, kind, shape, profile });
      for (const row of rows) {
        const event = reading.event(row);
        if (newest && row[0] < newest.seq) break;
        if (!isWanted(event)) continue;
        newest = { seq: row[0], event };
        break;
      }
    }
    return newest?.event ?? null;
  };

  return {
    recentGatewayActivity: profileId => {
      const { from, events: scanned } = latestPart.get() ?? { from: null, events: 0 };
      return {
        lastSuccess: latest(from ?? 0, profileId, successes, isSuccess),
        lastFailure: latest(from ?? 0, profileId, failures, isFailure),
        verified: latest(from ?? 0, profileId, withVerdict('verified'), isVerified),
        invalid: latest(from ?? 0, profileId, withVerdict('invalid'), isInvalid),
        scanned,
      };
    },
    hasCallbacks: profileId => latest(0, profileId, withVerdict('verified'), isVerified) !== null,
  };
};
