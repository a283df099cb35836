import type { Event } from './evidence.ts';

/**
 * Milliseconds between what the console asks by itself about a story that stands still: at once, then with growing
 * pauses, then never again by itself.
 */
const pauses = [0, 10 * 60_000, 60 * 60_000, 6 * 60 * 60_000, 24 * 60 * 60_000] as const;

/**
 * Whether the console should look a payment up by itself now, from nothing but its evidence: so a restart changes
 * nothing. `since`: when its story came to stand still, `now`: both in milliseconds. A look-up that a person made
 * counts as well: what was just asked is not asked again.
 */
export const isLookUpDue = (events: readonly Event[], since: number, now: number): boolean => {
  const asked = new Set<number>();
  let last = Number.NEGATIVE_INFINITY;
  for (const event of events) {
    if (event.kind !== 'status.observed' || event.happenedAt < since) continue;
    last = Math.max(last, event.happenedAt);
    if (event.body.requestedBy === 'console') asked.add(event.happenedAt);
  }
  const pause = pauses[asked.size];
  return (
    pause !== undefined && now - last >= (last === Number.NEGATIVE_INFINITY ? 0 : Math.max(pause, pauses[1]))
  );
};
