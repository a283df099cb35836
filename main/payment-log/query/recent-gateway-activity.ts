import type { ErrorCode } from '../../../shared/errors.ts';
import type { Event, EventOf } from '../../../shared/payments/evidence.ts';
import type { LogDatabase } from '../store/database.ts';
import { eventReading, selectEvents, type StoredEvent } from '../store/stored-event.ts';

/** Events looked through: what came before says little of how a password fares now. */
const mostLooked = 20_000;

const stopped: ErrorCode = 'gateway.cancelled';

type CallEvent = EventOf<'session.accepted' | 'session.refused' | 'session.unanswered' | 'status.observed'>;

/** The latest of a profile's calls and callbacks, by how they went. */
export type LastCalls = {
  good: CallEvent | null;
  bad: CallEvent | null;
  verified: EventOf<'callback.received'> | null;
  refuted: EventOf<'callback.received'> | null;
  /** How many events were looked through. */
  looked: number;
};

/** Reads a profile's latest calls; only the log's latest events are looked through. */
export const lastCallsOf = (database: LogDatabase): ((profileId: string) => LastCalls) => {
  const last = database.prepare<[], number | null>('SELECT max(seq) FROM event').pluck();
  const select = database
    .prepare<[after: number, profile: string], StoredEvent>(
      `${selectEvents} WHERE event.seq > ? AND event.kind IN ('session.accepted', 'session.refused',
         'session.unanswered', 'status.observed', 'callback.received') AND payment.profile_id = ?
       ORDER BY event.seq DESC`,
    )
    .raw();
  const reading = eventReading(database);

  const note = (calls: LastCalls, event: Event): void => {
    switch (event.kind) {
      case 'session.accepted':
        calls.good ??= event;
        break;
      case 'session.refused':
      case 'session.unanswered':
        // That somebody stopped waiting says nothing of the gateway.
        if (event.body.code !== stopped) calls.bad ??= event;
        break;
      case 'status.observed':
        if (event.body.problem === null) calls.good ??= event;
        else if (event.body.problem.code !== stopped) calls.bad ??= event;
        break;
      case 'callback.received':
        if (event.body.verification.verdict === 'verified') calls.verified ??= event;
        else if (event.body.verification.verdict === 'refuted') calls.refuted ??= event;
        break;
      default:
        break;
    }
  };

  return profileId => {
    const end = last.get() ?? 0;
    const calls: LastCalls = {
      good: null,
      bad: null,
      verified: null,
      refuted: null,
      looked: Math.min(end, mostLooked),
    };
    for (const row of select.iterate(end - mostLooked, profileId)) {
      note(calls, reading.event(row));
      if (calls.good && calls.bad && calls.verified && calls.refuted) break;
    }
    return calls;
  };
};
