import { startLoop } from '../pacing/loop.ts';
import type { SharedLog } from '../payment-log/postgres/open-shared-log.ts';

/** Measurements of one comparison: their median counts. */
const rounds = 5;
/** Longest round trip of a measurement that counts: an asymmetric one is off by half of it. */
const maxRoundTripMs = 1_000;
/** Interval of the comparisons. */
const measureEveryMs = 5 * 60_000;

/**
 * Compares this computer's clock with the server's, so that the installations of a team record the same time. Without a
 * connection the last known difference stays. `onChange`: called with a new one.
 */
export const startServerClock = ({
  shared,
  clock,
  onChange,
  everyMs = measureEveryMs,
}: {
  shared: { installations: Pick<SharedLog['installations'], 'clock'> };
  /** This computer's clock, without a correction, milliseconds. */
  clock: () => number;
  onChange: (offsetMs: number) => void;
  everyMs?: number;
}) => {
  let offsetMs: number | null = null;
  let isClosed = false;

  const compare = async (): Promise<void> => {
    const offsets: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const measured = await shared.installations.clock(clock);
      if (!measured.ok || isClosed) return;
      if (measured.value.roundTripMs <= maxRoundTripMs) offsets.push(measured.value.offsetMs);
    }
    const middle = offsets.sort((one, other) => one - other)[Math.floor(offsets.length / 2)];
    if (middle === undefined) return;
    const next = Math.round(middle);
    if (next === offsetMs) return;
    offsetMs = next;
    onChange(next);
  };
  const loop = startLoop(compare, { everyMs });
  return {
    /** How far the clock of the server is ahead of this computer's, as last known; null until it was measured. */
    offsetMs: (): number | null => offsetMs,
    /** Compares the clocks now. */
    measure: (): Promise<void> => loop.wake(),
    close: async (): Promise<void> => {
      isClosed = true;
      await loop.close();
    },
  };
};
