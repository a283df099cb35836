/**
 * The place of an event is a key of three columns: a time, its chain, and its number there. The time is that of its
 * recording, but never before the event before it in its chain, and not after its arrival: a clock that was set back
 * changes no order within a chain, and one that is ahead puts nothing above everything else.
 *
 * A payment begins at the place of the first event of the chain that requested it, or that verified its callback: an
 * event of another chain moves it nowhere, for any time that it claims.
 */

import type { Event } from '../../../../shared/payments/evidence.ts';

export type PlacedEvent = { event: Event; at: number };

const isRequest = ({ event }: PlacedEvent): boolean =>
  event.kind === 'session.requested' ||
  (event.kind === 'operation.requested' && event.body.operation === 'recurring');
const isVerified = ({ event }: PlacedEvent): boolean =>
  event.kind === 'callback.received' && event.body.verification.verdict === 'verified';

/** The event with which a payment begins. `events`: at least one, in the order of their places. */
export const beginningOf = (events: readonly PlacedEvent[]): PlacedEvent | undefined => {
  const claim = events.find(isRequest) ?? events.find(isVerified) ?? events[0];
  return events.find(({ event }) => event.writer === claim?.event.writer);
};

/** Numbers of one millisecond: those of times up to the year 2109 are exact. */
const perMillisecond = 2_048;
/** Doublings of the range in which a free number is looked for. */
const maxDoublings = 24;

/**
 * Numbers for a payment that begins at a place, the first one first: the search index orders its rows by one number.
 * All installations give a payment the same one, unless it is taken: then one of a range that doubles, so that any
 * number of payments of one instant find room near it.
 */
export function* numbersAt(at: number, chain: number, number: number): Generator<number> {
  const first = Math.max(0, at) * perMillisecond + 1;
  yield first + (number % perMillisecond);
  for (let doublings = 1; ; doublings += 1) {
    const range = perMillisecond * 2 ** Math.min(doublings, maxDoublings);
    yield first + ((number * 40_503 + chain * 7_919 + doublings * 104_729) % range);
  }
}
