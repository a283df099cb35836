import { setTimeout as delay } from 'node:timers/promises';

/** Faults at random: what is common to the soak of a console and of a team. */

/** Pauses between two faults. */
const pauseMs = { least: 500, most: 4_000 };
/** Time limit of one fault with its recovery. */
export const maxFaultMs = 120_000;

export const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(Math.random() * from.length)];
export const between = (least: number, most: number): number => least + Math.random() * (most - least);
/** Waits for a random time. */
export const someTime = (least: number, most: number): Promise<unknown> => delay(between(least, most));

/** Rejects with the step's name if it takes longer. */
export const within = async <T>(name: string, milliseconds: number, step: () => Promise<T>): Promise<T> => {
  const limit = new AbortController();
  const late = delay(milliseconds, null, { signal: limit.signal }).then(() => {
    throw new Error(`"${name}" did not end within ${milliseconds / 1_000} s`);
  });
  // Cancelled below.
  late.catch(() => undefined);
  try {
    return await Promise.race([step(), late]);
  } finally {
    limit.abort();
  }
};

export type Faults = Readonly<Record<string, () => Promise<unknown>>>;

/** Each kind once in its turn, then at random, for some time; counts them in `counts`. `isLeftOut`: at this time. */
export const runFaults = async (
  kinds: Faults,
  milliseconds: number,
  counts: Record<string, number>,
  isLeftOut: (name: string) => boolean = () => false,
): Promise<void> => {
  const until = performance.now() + milliseconds;
  for (let round = 0; performance.now() < until; round += 1) {
    const names = Object.keys(kinds).filter(name => !isLeftOut(name));
    const name = (round < names.length ? names[round] : pick(names)) ?? '';
    await within(name, maxFaultMs, async () => kinds[name]?.());
    counts[name] = (counts[name] ?? 0) + 1;
    await someTime(pauseMs.least, pauseMs.most);
  }
};

/** Counts by name, as text. */
export const listed = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
