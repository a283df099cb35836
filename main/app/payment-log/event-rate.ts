/** Window of the rate measurement. */
const windowMs = 5_000;
/** Limit of events per window while the load counts as low. */
const maxQuietEvents = 500;

/** Measures the rate of recent events, so that deferrable work does not compete with high load. */
export type EventRate = {
  countEvents(events: number): void;
  isFlooded(): boolean;
};

/** `now`: a clock in milliseconds that never goes back. */
export const createEventRate = (now: () => number = () => performance.now()): EventRate => {
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
    countEvents: count => {
      turn();
      events += count;
    },
    isFlooded: () => {
      turn();
      return Math.max(events, eventsBefore) > maxQuietEvents;
    },
  };
};
