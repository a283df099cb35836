import type { Event } from '../../../../shared/payments/evidence.ts';
import { maxScannedEvents, recentActivityOf } from '../../query/recent-gateway-activity.ts';
import type { LogDatabase } from '../store/database.ts';
import { eventReading, selectEvents, type StoredEvent } from '../store/stored-event.ts';
import type { RecentGatewayActivity } from '../../answers.ts';

/** Reads a profile's latest gateway requests; only the latest events of the log are scanned. */
export const createRecentActivityReader = (
  database: LogDatabase,
): ((profileId: string) => RecentGatewayActivity) => {
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
