import { groupOf } from '../../../../shared/activity/activity.ts';
import type { Event, EventOf } from '../../../../shared/payments/evidence.ts';
import type { PaymentLogAnswers } from '../../payment-log.ts';
import type { ActivitySelection } from '../../answers.ts';
import type { LogDatabase } from '../store/database.ts';
import { eventReading, selectEvents, type StoredEvent } from '../store/stored-event.ts';

/** Scan limit of one page, events: a rare filter reads a long list page by page. */
const maxScannedActivities = 5_000;

const isActivity = (event: Event): event is EventOf<'activity.recorded'> =>
  event.kind === 'activity.recorded';

const isSelected = (
  { agent, body: { action, details } }: EventOf<'activity.recorded'>,
  { person, group }: ActivitySelection,
): boolean =>
  (person === null || [agent, details.person, details.name].includes(person)) &&
  (group === null || groupOf(action) === group);

/** Activities name no profile and no order: they are together in one group, which the index of payments finds. */
export const readActivities = (database: LogDatabase): PaymentLogAnswers['activities'] => {
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
