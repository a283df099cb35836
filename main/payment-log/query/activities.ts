import { groupOf } from '../../../shared/activity/activity.ts';
import type { Event, EventOf } from '../../../shared/payments/evidence.ts';
import type { ActivitySelection } from '../answers.ts';

/** Scan limit of one page, events: a rare filter reads a long list page by page. */
export const maxScannedActivities = 5_000;

export const isActivity = (event: Event): event is EventOf<'activity.recorded'> =>
  event.kind === 'activity.recorded';

export const isSelected = (
  { agent, body: { action, details } }: EventOf<'activity.recorded'>,
  { person, group }: ActivitySelection,
): boolean =>
  (person === null || [agent, details.person, details.name].includes(person)) &&
  (group === null || groupOf(action) === group);
