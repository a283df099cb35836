import type { ChainedEvent, RecentEvents } from '../../answers.ts';
import type { OwnChain } from '../../payment-log.ts';

/** Limit of events in memory. */
const maxEvents = 2_048;

/**
 * The last events of the own chain, which shipping would otherwise read back from the file at once, and cannot read
 * while they are being written.
 */
export type RecentChain = {
  /** Adds events that are being written, in the order of the chain. */
  add(events: readonly ChainedEvent[]): void;
  /** Everything up to this number is durable. */
  confirm(number: number): void;
  /** What is not durable was not written. */
  undo(): void;
  after: OwnChain['recent'];
  onChange: OwnChain['onWriting'];
  clear(): void;
};

type Waiting = { number: number; resolve: (isDurable: boolean) => void };

export const createRecentChain = (): RecentChain => {
  /** Consecutive numbers. */
  let events: ChainedEvent[] = [];
  let durableTo = 0;
  let waiting: Waiting[] = [];
  const listeners = new Set<(last: number) => void>();
  const report = (): void => {
    const last = events.at(-1)?.writerSeq ?? durableTo;
    for (const listener of listeners) listener(last);
  };
  const becomesDurable = (number: number): Promise<boolean> | null =>
    number <= durableTo
      ? null
      : new Promise(resolve => {
          waiting.push({ number, resolve });
        });

  return {
    add: added => {
      const last = events.at(-1);
      if (last && added[0]?.writerSeq !== last.writerSeq + 1) events = [];
      events.push(...added);
      if (events.length > maxEvents) events = events.slice(-maxEvents / 2);
      report();
    },
    confirm: number => {
      durableTo = Math.max(durableTo, number);
      const settled = waiting.filter(one => one.number <= durableTo);
      waiting = waiting.filter(one => one.number > durableTo);
      for (const { resolve } of settled) resolve(true);
    },
    undo: () => {
      events = events.filter(({ writerSeq }) => writerSeq <= durableTo);
      for (const { resolve } of waiting.splice(0)) resolve(false);
      report();
    },
    after: (number, limit): RecentEvents | null => {
      const [first] = events;
      const from = first ? number + 1 - first.writerSeq : -1;
      if (from < 0 || from >= events.length) return null;
      events = events.slice(from);
      const found = events.slice(0, limit);
      return { events: found, durable: becomesDurable(found.at(-1)?.writerSeq ?? 0) };
    },
    onChange: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    clear: () => {
      events = [];
    },
  };
};
