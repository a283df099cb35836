import type { ErrorCode } from '../../../../shared/errors.ts';
import type { Event, EventKind, EventOf } from '../../../../shared/payments/evidence.ts';
import type { GatewayRequestEvent } from '../../answers.ts';
import { byPlace, type Evidence } from '../list/merged-evidence.ts';
import type { PaymentLogAnswers } from '../../payment-log.ts';
import type { StoredEvent } from '../store/stored-event.ts';

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
      lastLookUp: latest(profileId, successes.slice(1), isSuccess),
      lastFailure: latest(profileId, failures, isFailure),
      verified: latest(profileId, withVerdict('verified'), isVerified),
      invalid: latest(profileId, withVerdict('invalid'), isInvalid),
      scanned: evidence.countLatest(),
    }),
    hasCallbacks: profileId => first(callbacks([profileId, '"verdict":"verified"']), isVerified) !== null,
  };
};
