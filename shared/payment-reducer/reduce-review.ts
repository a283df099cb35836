import type { Event, EventOf } from '../payments/evidence.ts';
import type { Review } from '../review/review.ts';

/**
 * What people did about a payment. Pure: a resolution and a snooze hold for the facts that they name, so neither the
 * order of events nor the installation that wrote them matters, and new evidence ends both. Of several assignments or snoozes
 * the latest counts; a resolution is reopened only in the chain that holds it. `events`: in order. `facts`: the payment's present facts, computed only if needed. Null
 * if nothing is left of any.
 */
export const reviewOf = (events: readonly Event[], facts: () => string): Review | null => {
  const resolutions: EventOf<'review.resolved'>[] = [];
  const reopened = new Set<string>();
  let assignee: string | null = null;
  let snooze: EventOf<'review.snoozed'> | null = null;
  for (const event of events)
    if (event.kind === 'review.resolved') resolutions.push(event);
    else if (event.kind === 'review.reopened')
      for (const id of event.body.resolutions) reopened.add(`${event.writer} ${id}`);
    else if (event.kind === 'review.assigned') ({ assignee } = event.body);
    else if (event.kind === 'review.snoozed') snooze = event;
  // Most payments were never reviewed.
  const present = resolutions.length > 0 || snooze !== null ? facts() : null;
  const holds = resolutions.findLast(
    ({ id, writer, body }) => body.facts === present && !reopened.has(`${writer} ${id}`),
  );
  const snoozedUntil = snooze?.body.facts === present ? snooze.body.until : null;
  if (!holds && assignee === null && snoozedUntil === null) return null;
  return {
    resolved: holds
      ? { reason: holds.body.reason, text: holds.body.text, at: holds.happenedAt, agent: holds.agent }
      : null,
    assignee,
    snoozedUntil,
  };
};
