/** Difference between two clocks that is left alone: no measurement over a network is exact. */
const toleranceMs = 1_000;

/** What is added to this computer's clock. `offsetMs`: how far the server's clock is ahead; null if unknown. */
export const clockCorrection = (offsetMs: number | null): number =>
  offsetMs === null || Math.abs(offsetMs) < toleranceMs ? 0 : offsetMs;
