import type { ErrorCode } from '../../../../shared/errors.ts';
import type { Event } from '../../../../shared/payments/evidence.ts';
import type { LogDatabase } from '../store/database.ts';
import { eventReading, selectEvents, type StoredEvent } from '../store/stored-event.ts';
import type { RecentGatewayActivity } from '../../answers.ts';

/** Scan limit, events. Older events say nothing about whether the current password works. */
const maxScannedEvents = 20_000;

const stopped: ErrorCode = 'gateway.cancelled';

/** Reads a profile's latest gateway requests; only the latest events of the log are scanned. */
export const createRecentActivityReader = (
  database: LogDatabase,
): ((profileId: string) => RecentGatewayActivity) => {
  const last = database.prepare<[], number | null>('SELECT max(seq) FROM event').pluck();
  const select = database
    .prepare<[after: number, profile: string], StoredEvent>(
      `${selectEvents} WHERE event.seq > ? AND event.kind IN ('session.accepted', 'session.refused',
         'session.unanswered', 'status.observed', 'callback.received') AND payment.profile_id = ?
       ORDER BY event.seq DESC`,
    )
    .raw();
  const reading = eventReading(database);

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

  return profileId => {
    const end = last.get() ?? 0;
    const calls: RecentGatewayActivity = {
      lastSuccess: null,
      lastFailure: null,
      verified: null,
      invalid: null,
      scanned: Math.min(end, maxScannedEvents),
    };
    for (const row of select.iterate(end - maxScannedEvents, profileId)) {
      note(calls, reading.event(row));
      if (calls.lastSuccess && calls.lastFailure && calls.verified && calls.invalid) break;
    }
    return calls;
  };
};
