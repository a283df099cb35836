import type { ErrorCode } from '../../../../shared/errors.ts';
import type { Event } from '../../../../shared/payments/evidence.ts';
import type { RecentGatewayActivity } from '../../answers.ts';
import type { LogDatabase } from '../store/database.ts';
import { eventReading, selectEvents, type StoredEvent } from '../store/stored-event.ts';
import type { PaymentLogAnswers } from '../../payment-log.ts';

/** Scan limit, events. Older events say nothing about whether the current password works. */
const maxScannedEvents = 20_000;

const stopped: ErrorCode = 'gateway.cancelled';

const note = (calls: RecentGatewayActivity, event: Event): void => {
  switch (event.kind) {
    case 'session.accepted':
      calls.lastSuccess ??= event;
      break;
    case 'session.refused':
    case 'session.unanswered':
      // A wait that the user cancelled says nothing about the gateway.
      if (event.body.code !== stopped) calls.lastFailure ??= event;
      break;
    case 'status.observed':
      if (event.body.problem === null) calls.lastSuccess ??= event;
      else if (event.body.problem.code !== stopped) calls.lastFailure ??= event;
      break;
    case 'callback.received':
      if (event.body.verification.verdict === 'verified') calls.verified ??= event;
      else if (event.body.verification.verdict === 'invalid') calls.invalid ??= event;
      break;
    default:
      break;
  }
};

/** The latest requests and callbacks by outcome. `events`: newest first; `scanned`: how many are read at most. */
const recentActivityOf = (events: Iterable<Event>, scanned: number): RecentGatewayActivity => {
  const calls: RecentGatewayActivity = {
    lastSuccess: null,
    lastFailure: null,
    verified: null,
    invalid: null,
    scanned,
  };
  for (const event of events) {
    note(calls, event);
    if (calls.lastSuccess && calls.lastFailure && calls.verified && calls.invalid) break;
  }
  return calls;
};

/** Reads a profile's latest gateway requests; only the latest events of the log are scanned. */
export const createRecentActivityReader = (
  database: LogDatabase,
): PaymentLogAnswers['recentGatewayActivity'] => {
  const latestPart = database.prepare<[], { from: number | null; events: number }>(
    `SELECT min(seq) AS "from", count(*) AS events FROM
       (SELECT seq FROM event ORDER BY seq DESC LIMIT ${maxScannedEvents})`,
  );
  const select = database
    .prepare<[from: number, profile: string], StoredEvent>(
      `${selectEvents} WHERE event.seq >= ? AND event.kind IN ('session.accepted', 'session.refused',
         'session.unanswered', 'status.observed', 'callback.received') AND payment.profile_id = ?
       ORDER BY event.seq DESC`,
    )
    .raw();
  const reading = eventReading(database);

  function* latest(from: number, profileId: string): Generator<Event> {
    for (const row of select.iterate(from, profileId)) yield reading.event(row);
  }

  return profileId => {
    const { from = null, events = 0 } = latestPart.get() ?? {};
    return recentActivityOf(latest(from ?? 0, profileId), events);
  };
};
