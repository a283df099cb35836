/** Two clocks read at one instant: the wall's, and one that never jumps. Milliseconds. */
export type ClockReading = { wallClock: number; monotonic: number };

export const readClocks = (): ClockReading => ({ wallClock: Date.now(), monotonic: performance.now() });

/**
 * Milliseconds left until `expiresAt`, never negative and never more than the truth:
 * a wall clock set back cannot lengthen it, and a sleep that stops the steady clock is seen by the wall.
 */
export const timeLeft = (expiresAt: number, first: ClockReading, now: ClockReading): number =>
  Math.max(
    0,
    Math.min(expiresAt - now.wallClock, expiresAt - first.wallClock - (now.monotonic - first.monotonic)),
  );

/** Minutes and seconds, rounded down. */
export const minutesAndSeconds = (ms: number): { minutes: number; seconds: number } => {
  const whole = Math.floor(ms / 1000);
  return { minutes: Math.floor(whole / 60), seconds: whole % 60 };
};

/** The last threshold that was crossed, in minutes: these alone are spoken. */
export const thresholdCrossed = (ms: number): 0 | 1 | 5 | 10 | null => {
  if (ms <= 0) return 0;
  if (ms <= 60_000) return 1;
  if (ms <= 5 * 60_000) return 5;
  return ms <= 10 * 60_000 ? 10 : null;
};
