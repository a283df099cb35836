import type { EventOf } from '../../../../shared/payments/evidence.ts';
import type { Activities, ActivitySelection } from '../../answers.ts';
import { isActivity, isSelected, maxScannedActivities } from '../../query/activities.ts';
import type { LogDatabase } from '../store/database.ts';
import { eventReading, selectEvents, type StoredEvent } from '../store/stored-event.ts';

/** The newest activities before a position (null: the newest of all), at most `limit`. */
export type ReadActivities = (
  selection: ActivitySelection,
  before: number | null,
  limit: number,
) => Activities;

/** Activities name no profile and no order: they are together in one group, which the index of payments finds. */
export const readActivities = (database: LogDatabase): ReadActivities => {
  const group = database
    .prepare<[], number>("SELECT id FROM payment WHERE order_number IS NULL AND profile_id = ''")
    .pluck();
  const newest = database
    .prepare<[payment: number, before: number], StoredEvent>(
      `${selectEvents} WHERE event.payment = ? AND event.seq < ? ORDER BY event.seq DESC`,
    )
    .raw();
  const reading = eventReading(database);
  return (selection, before, limit) => {
    const payment = group.get();
    const events: EventOf<'activity.recorded'>[] = [];
    if (payment === undefined) return { events, earlier: null };
    let scanned = 0;
    let last: number | null = null;
    for (const row of newest.iterate(payment, before ?? Number.MAX_SAFE_INTEGER)) {
      if (events.length === limit || scanned === maxScannedActivities) return { events, earlier: last };
      scanned += 1;
      [last] = row;
      const event = reading.event(row);
      if (isActivity(event) && isSelected(event, selection)) events.push(event);
    }
    return { events, earlier: null };
  };
};
