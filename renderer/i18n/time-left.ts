/** Two clocks read at one instant: the wall clock, and a monotonic one. Milliseconds. */
export type ClockReading = { wallClock: number; monotonic: number };

let correctionMs = 0;

/** From now on `milliseconds` are added to this computer's clock. */
export const correctClock = (milliseconds: number): void => {
  correctionMs = milliseconds;
};

export const readClocks = (): ClockReading => ({
  wallClock: Date.now() + correctionMs,
  monotonic: performance.now(),
});

/** The time of the clock that all installations share, milliseconds: this computer's, corrected. */
export const currentTime = (): number => readClocks().wallClock;

/**
 * Milliseconds left until `expiresAt`, never negative and never too high. A wall clock that is set back cannot
 * lengthen it; the wall clock detects a sleep that stops the monotonic clock.
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

/** The last threshold that was crossed, in minutes: only these are announced. */
export const thresholdCrossed = (ms: number): 0 | 1 | 5 | 10 | null => {
  if (ms <= 0) return 0;
  if (ms <= 60_000) return 1;
  if (ms <= 5 * 60_000) return 5;
  return ms <= 10 * 60_000 ? 10 : null;
};
