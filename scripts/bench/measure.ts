/** One row: how ours compares with a reference measured in the same run. */
export type Row = {
  name: string;
  /** Milliseconds (or the unit the name says), medians. */
  ours: number;
  reference: number;
  ratio: number;
  /** What the ratio must not exceed; or, with `atLeast`, must reach. */
  target: number;
  ok: boolean;
};

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};

const timed = async (work: () => unknown): Promise<number> => {
  const from = performance.now();
  await work();
  return performance.now() - from;
};

/**
 * Times two pieces of work in turn, A B A B …, so that a machine that slows down slows both.
 * `rounds` counted after `warmUp` uncounted ones; medians in milliseconds.
 */
export const pair = async (
  ours: () => unknown,
  reference: () => unknown,
  { rounds, warmUp }: { rounds: number; warmUp: number },
): Promise<{ ours: number; reference: number }> => {
  const times: { ours: number[]; reference: number[] } = { ours: [], reference: [] };
  for (let round = -warmUp; round < rounds; round += 1) {
    const first = await timed(ours);
    const second = await timed(reference);
    if (round < 0) continue;
    times.ours.push(first);
    times.reference.push(second);
  }
  return { ours: median(times.ours), reference: median(times.reference) };
};

/** A row whose time must be at most `target` times the reference's. */
export const atMost = (name: string, times: { ours: number; reference: number }, target: number): Row => {
  const ratio = times.ours / times.reference;
  return { name, ...times, ratio, target, ok: ratio <= target };
};
