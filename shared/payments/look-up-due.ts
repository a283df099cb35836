import type { Event } from './evidence.ts';

/** Delays of automatic look-ups of a stalled payment, milliseconds; after the last one there are none. */
const pauses = [0, 10 * 60_000, 60 * 60_000, 6 * 60 * 60_000, 24 * 60 * 60_000] as const;

/**
 * Whether an automatic look-up of a payment is due, derived only from its events, so that a restart changes nothing.
 * `since`: when the payment stalled, `now`: both in milliseconds. A user's look-up counts as well and delays the next
 * automatic one.
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
