import type { ChainedEvent } from '../../answers.ts';

/** Limit of events in memory. */
const maxEvents = 2_048;

/** The last events of the own chain, which shipping would otherwise read back from the file at once. */
export type RecentChain = {
  /** Adds events that are durable, in the order of the chain. */
  add(events: readonly ChainedEvent[]): void;
  /** The events after this number, at most `limit`; empty if the first of them is not in memory. */
  after(number: number, limit: number): readonly ChainedEvent[];
  clear(): void;
};

export const createRecentChain = (): RecentChain => {
  /** Consecutive numbers. */
  let events: ChainedEvent[] = [];
  return {
    add: added => {
      const last = events.at(-1);
      if (last && added[0]?.writerSeq !== last.writerSeq + 1) events = [];
      events.push(...added);
      if (events.length > maxEvents) events = events.slice(-maxEvents / 2);
    },
    after: (number, limit) => {
      const [first] = events;
      const from = first ? number + 1 - first.writerSeq : -1;
      return from < 0 ? [] : events.slice(from, from + limit);
    },
    clear: () => {
      events = [];
    },
  };
};
