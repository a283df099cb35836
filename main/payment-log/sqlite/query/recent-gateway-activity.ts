import type { Event } from '../../../../shared/payments/evidence.ts';
import { maxScannedEvents, recentActivityOf } from '../../query/recent-gateway-activity.ts';
import type { LogDatabase } from '../store/database.ts';
import { eventReading, selectEvents, type StoredEvent } from '../store/stored-event.ts';
import type { RecentGatewayActivity } from '../../answers.ts';

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

  function* latest(end: number, profileId: string): Generator<Event> {
    for (const row of select.iterate(end - maxScannedEvents, profileId)) yield reading.event(row);
  }

  return profileId => {
    const end = last.get() ?? 0;
    return recentActivityOf(latest(end, profileId), Math.min(end, maxScannedEvents));
  };
};
