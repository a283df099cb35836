/** Seconds of evidence that are looked at together. */
const windowMs = 5_000;
/** Events within such a window at most while the log counts as quiet. */
const maxQuietEvents = 500;

/** Counts the evidence that was written lately, so that what can wait does not compete with a flood. */
export type EventRate = {
  advanceTarget(events: number): void;
  isFlooded(): boolean;
};

/** `now`: a clock in milliseconds that never goes back. */
export const eventRate = (now: () => number = () => performance.now()): EventRate => {
  let windowStart = now();
  let events = 0;
  let eventsBefore = 0;
  const turn = (): void => {
    const age = now() - windowStart;
    if (age < windowMs) return;
    eventsBefore = age < 2 * windowMs ? events : 0;
    events = 0;
    windowStart = now();
  };
  return {
    advanceTarget: count => {
      turn();
      events += count;
    },
    isFlooded: () => {
      turn();
      return Math.max(events, eventsBefore) > maxQuietEvents;
    },
  };
};
