import { groupOf } from '../../../../shared/activity/activity.ts';
import type { Event, EventOf } from '../../../../shared/payments/evidence.ts';
import { placeOf, placeText, readPlace, type Evidence, type Place } from '../list/merged-evidence.ts';
import type { PaymentLogAnswers } from '../../payment-log.ts';
import type { ActivitySelection } from '../../answers.ts';

/** Scan limit of one page, events: a rare filter reads a long list page by page. */
const maxScannedActivities = 5_000;

/** Activities name no profile and no order: they are together in one group. */
const group = { profileId: '', orderNumber: null };

const isActivity = (event: Event): event is EventOf<'activity.recorded'> =>
  event.kind === 'activity.recorded';

const isSelected = (
  { agent, body: { action, details } }: EventOf<'activity.recorded'>,
  { person, group: wanted }: ActivitySelection,
): boolean =>
  (person === null || [agent, details.person, details.name].includes(person)) &&
  (wanted === null || groupOf(action) === wanted);

/** Activities of all installations. */
export const readActivities = (evidence: Evidence): PaymentLogAnswers['activities'] => {
  const newest = evidence.newestOf('TRUE');
  return (selection, before, limit) => {
    const events: EventOf<'activity.recorded'>[] = [];
    let scanned = 0;
    let last: Place | null = null;
    for (const row of newest(group, before === null ? null : readPlace(before))) {
      if (events.length === limit || scanned === maxScannedActivities)
        return { events, earlier: last && placeText(last) };
      scanned += 1;
      last = placeOf(row);
      const event = evidence.event(row);
      if (isActivity(event) && isSelected(event, selection)) events.push(event);
    }
    return { events, earlier: null };
  };
};
