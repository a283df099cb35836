import type { CopyProgress } from '../../../shared/team/replica-standing.ts';
import type { SourceEvent } from './check-foreign-event.ts';
import type { Held } from './replica-statements.ts';
import type { ReplicaWriter, Stored } from './replica-writer.ts';

/**
 * Events of one read: few at first, so that the newest payments are there at once; later many, because each transaction
 * adds a part to the search index.
 */
const firstPageSize = 500;
const maxPageSize = 4_000;
/** Events of all chains that are read and wait, at most. */
const maxWaiting = 40_000;
/** Events of one millisecond and chain that are stored together at most: their order is that of their positions. */
const maxTogether = 20_000;

/** Where chains are read: the shared log, or the journal of this installation. */
export type ChainSource = {
  /** The number of the last event of each chain. */
  ends(): Promise<readonly { writer: string; seq: number }[]>;
  /** The events of a chain from one number to another, in their order; fewer if they are large. */
  read(writer: string, from: number, to: number): Promise<readonly SourceEvent[]>;
  /** The number of a chain's first event that was recorded since an instant (milliseconds); null: there is none. */
  firstSince(writer: string, since: number): Promise<number | null>;
};

/** Copies the chains of one source. Both methods reject with the errors of the source and of SQLite. */
export type Copier = {
  /** Copies what is newer than what is here; of a chain that is not here at all, nothing. */
  forward(): Promise<void>;
  /** Copies a part of what is older, the newest events of all chains first; false if nothing is left. */
  backward(): Promise<boolean>;
  /** As of the last call of `forward`. */
  progress(): CopyProgress;
  /** The number up to which a chain is here, once all of it is that is to be copied; 0 until then. */
  wholeTo(writer: string): number;
};

/** The events of a chain from one number to another; without those from the first gap on. */
const readRange = async (
  source: ChainSource,
  writer: string,
  from: number,
  to: number,
): Promise<SourceEvent[]> => {
  const events: SourceEvent[] = [];
  for (let next = from; next <= to; next = from + events.length) {
    const read = await source.read(writer, next, to);
    const gap = read.findIndex((one, at) => one.writer !== writer || one.writerSeq !== next + at);
    events.push(...(gap < 0 ? read : read.slice(0, gap)));
    if (read.length === 0 || gap >= 0) break;
  }
  return events;
};

/** A chain that is read towards its beginning. */
type Backward = {
  /** The number of the first event that is to be copied. */
  first: number;
  /** The number below which nothing is read yet. */
  below: number;
  /** Read, not stored. */
  waiting: SourceEvent[];
  /** The page before that, which is read meanwhile. */
  next: Promise<SourceEvent[]> | null;
  hasRead: boolean;
  /** Nothing is left to read. */
  isDone: boolean;
};

/**
 * Copies the chains of a source into a replica. A new copier continues where the last one stopped, also after a
 * restart. `onStored`: what a transaction has changed; `isNew`: its events are newer than what was here. `since`: events
 * that were recorded before this instant (milliseconds) are not copied, except those after the first later one of their
 * chain; null: all are. `atMost`: events of one read.
 */
export const createCopier = (
  replica: ReplicaWriter,
  source: ChainSource,
  onStored: (stored: Stored, isNew: boolean) => void,
  {
    since = () => null,
    atMost = maxPageSize,
  }: { since?: (() => number | null) | undefined; atMost?: number } = {},
): Copier => {
  let ends: readonly { writer: string; seq: number }[] = [];
  const backward = new Map<string, Backward>();
  const heldNow = (): Map<string, Held> => new Map(replica.held().map(one => [one.writer, one]));

  const firstOf = async (writer: string, end: number): Promise<number> => {
    const from = since();
    return from === null ? 1 : ((await source.firstSince(writer, from)) ?? end + 1);
  };

  const pageSize = (): number =>
    Math.min(atMost, Math.max(firstPageSize, Math.floor(maxWaiting / (2 * ends.length + 1))));
  const readBefore = async (writer: string, chain: Backward): Promise<SourceEvent[]> => {
    const size = chain.hasRead ? pageSize() : Math.min(atMost, firstPageSize);
    chain.hasRead = true;
    const from = Math.max(chain.first, chain.below - size);
    if (from >= chain.below) return [];
    const read = await readRange(source, writer, from, chain.below - 1);
    // With a gap it is not next to what is held.
    if (read.length < chain.below - from) return [];
    chain.below = from;
    return read;
  };
  const readOn = (writer: string, chain: Backward): Promise<SourceEvent[]> => {
    const reading = readBefore(writer, chain);
    // Reported when it is awaited.
    reading.catch(() => undefined);
    return reading;
  };

  /** Whether what waits may continue, in the same millisecond, in the page before it. */
  const isIncomplete = ({ waiting, isDone }: Backward): boolean =>
    !isDone && waiting.length < maxTogether && waiting[0]?.recordedAt === waiting.at(-1)?.recordedAt;
  const fill = async (writer: string, chain: Backward): Promise<void> => {
    while (isIncomplete(chain)) {
      const reading = chain.next ?? readOn(writer, chain);
      chain.next = null;
      const page = await reading;
      chain.waiting = [...page, ...chain.waiting];
      chain.isDone = page.length === 0 || page[0]?.writerSeq === chain.first;
      if (!chain.isDone) chain.next = readOn(writer, chain);
    }
  };
  /** From this time on, all events of a chain are here. */
  const completeFrom = ({ waiting, isDone }: Backward): number => {
    const first = waiting[0]?.recordedAt ?? 0;
    if (isDone) return Number.NEGATIVE_INFINITY;
    return first === waiting.at(-1)?.recordedAt ? first : first + 1;
  };

  return {
    forward: async () => {
      ends = await source.ends();
      const held = heldNow();
      for (const { writer, seq } of ends) {
        const known = held.get(writer);
        const begun = backward.get(writer);
        // Of a chain without an event that is to be copied, the first one may have come meanwhile.
        if (!begun || (!known && begun.first >= begun.below && seq >= begun.below))
          backward.set(writer, {
            first: await firstOf(writer, seq),
            below: known?.low ?? seq + 1,
            waiting: [],
            next: null,
            hasRead: false,
            isDone: false,
          });
        const size = pageSize();
        for (let from = (known?.high ?? seq) + 1; from <= seq; from += size) {
          const part = await readRange(source, writer, from, Math.min(seq, from + size - 1));
          if (part.length > 0) onStored(replica.store([part]), true);
          if (part.length < Math.min(size, seq - from + 1)) break;
        }
      }
    },
    backward: async () => {
      for (const [writer, chain] of backward) await fill(writer, chain);
      const open = [...backward.values()].filter(({ waiting }) => waiting.length > 0);
      if (open.length === 0) return false;
      const since = Math.max(...open.map(completeFrom));
      const parts = open.flatMap(({ waiting }) => {
        const at = waiting.findIndex(({ recordedAt }) => recordedAt >= since);
        return at < 0 ? [] : [waiting.splice(at)];
      });
      try {
        onStored(replica.store(parts), false);
      } catch (thrown) {
        // On a full disk, for example: what was read and not stored is read again.
        backward.clear();
        throw thrown;
      }
      return true;
    },
    progress: () => {
      const held = heldNow();
      const total = { done: 0, total: 0 };
      for (const { writer, seq } of ends) {
        const known = held.get(writer);
        const before = Math.min(backward.get(writer)?.first ?? 1, known?.low ?? Number.POSITIVE_INFINITY) - 1;
        total.total += Math.max(seq, known?.high ?? 0) - before;
        total.done += known ? known.high - known.low + 1 : 0;
      }
      return total;
    },
    wholeTo: writer => {
      const known = replica.held().find(one => one.writer === writer);
      const first = backward.get(writer)?.first;
      if (first === undefined) return 0;
      if (known) return known.low <= first ? known.high : 0;
      const end = ends.find(one => one.writer === writer)?.seq ?? 0;
      return first > end ? end : 0;
    },
  };
};
