import { median } from '../load/percentile.ts';

/** One row: our value compared with a reference measured in the same run. */
export type Row = {
  name: string;
  /** Milliseconds (or the unit in the name), medians. */
  ours: number | null;
  reference: number | null;
  ratio: number | null;
  /** Upper limit of the ratio; or, with `atLeast`, lower limit. */
  target: number;
  atLeast?: true;
  /** Null if nothing was measured; `missing` says why. */
  ok: boolean | null;
  missing?: string;
};

const timed = async (work: () => unknown): Promise<number> => {
  const from = performance.now();
  await work();
  return performance.now() - from;
};

/**
 * Times pieces of work alternately, A B C A B C …, so that a slower machine slows all of them. `rounds` counted after
 * `warmUp` uncounted ones; medians in milliseconds, in the order of the works.
 */
export const alternate = async (
  tasks: readonly (() => unknown)[],
  { rounds, warmUp }: { rounds: number; warmUp: number },
): Promise<number[]> => {
  const times = tasks.map((): number[] => []);
  for (let round = -warmUp; round < rounds; round += 1)
    for (const [index, work] of tasks.entries()) {
      const took = await timed(work);
      if (round >= 0) times[index]?.push(took);
    }
  return times.map(median);
};

/** A row whose time must be at most `target` times the reference's. */
export const atMost = (
  name: string,
  ours: number | undefined,
  reference: number | undefined,
  target: number,
): Row => {
  if (ours === undefined || reference === undefined) throw new Error(`${name}: nothing was measured`);
  const ratio = ours / reference;
  return { name, ours, reference, ratio, target, ok: ratio <= target };
};

/** A row whose rate must be at least `target` times the reference's. */
export const atLeast = (name: string, ours: number, reference: number, target: number): Row => {
  const ratio = ours / reference;
  return { name, ours, reference, ratio, target, atLeast: true, ok: ratio >= target };
};

/** A row for which this machine lacks the reference or a program. */
export const missing = (name: string, reason: string, target: number): Row => ({
  name,
  ours: null,
  reference: null,
  ratio: null,
  target,
  ok: null,
  missing: reason,
});
