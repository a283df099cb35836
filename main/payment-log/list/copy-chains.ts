import type { CopyProgress } from '../../../shared/team/team-standing.ts';
import type { SourceEvent } from '../evidence/check-foreign-event.ts';
import { ForkedChain, type ForeignEvents, type Stored } from '../sqlite/list/foreign-events.ts';
import type { Held } from '../sqlite/list/foreign-statements.ts';

/**
 * Events of one read: few at first, so that the newest payments are there at once; later many, because each transaction
 * adds a part to the search index.
 */
const firstPageSize = 500;
const maxPageSize = 4_000;
/** Events of all chains that are read and wait, at most. */
const maxWaiting = 40_000;

/** The end of a chain, and the account that writes it. */
export type SourceEnd = { writer: string; account: string; seq: number; hash: string };

/** Where chains of other installations are read: the shared log. */
export type ChainSource = {
  /** The ends of the chains that moved since the last call, others too perhaps; of all chains at the first call. */
  ends(): Promise<readonly SourceEnd[]>;
  /** The events of a chain from one number to another, in their order; fewer if they are large. */
  read(writer: string, from: number, to: number): Promise<readonly SourceEvent[]>;
};

/** Copies the chains of one source. Every method rejects with the errors of the source and of SQLite. */
export type Copier = ReturnType<typeof createCopier>;

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
  /** The number below which nothing is read yet. */
  below: number;
  /** The next page, while it is read, and once it is. */
  reading: Promise<SourceEvent[]> | null;
  waiting: SourceEvent[];
  hasRead: boolean;
};

/**
 * Copies the chains of a source into a list. A new copier continues where the last one stopped, also after a restart.
 * `onStored`: what a transaction has changed; `isNew`: its events are newer than what was here. `atMost`: events of one
 * read.
 */
export const createCopier = (
  foreign: ForeignEvents,
  source: ChainSource,
  onStored: (stored: Stored, isNew: boolean) => void,
  atMost = maxPageSize,
) => {
  const ends = new Map<string, SourceEnd>();
  const backward = new Map<string, Backward>();
  const heldNow = (): Map<string, Held> => new Map(foreign.held().map(one => [one.writer, one]));

  const drop = (writer: string): void => {
    backward.delete(writer);
    onStored(foreign.drop(writer), false);
  };
  const pageSize = (): number =>
    Math.min(atMost, Math.max(firstPageSize, Math.floor(maxWaiting / (2 * ends.size + 1))));

  /** Stores what continues a chain; false if the chain is another one than it is here. */
  const storeNewer = async (known: Held, part: SourceEvent[]): Promise<boolean> => {
    try {
      onStored(foreign.store([part]), true);
      return true;
    } catch (thrown) {
      if (!(thrown instanceof ForkedChain)) throw thrown;
      const [end] = await source.read(known.writer, known.high, known.high);
      if (end?.hash !== known.hash) return false;
      onStored(foreign.store([part], false), true);
      return true;
    }
  };

  const readBefore = async (writer: string, chain: Backward): Promise<SourceEvent[]> => {
    const size = chain.hasRead ? pageSize() : Math.min(atMost, firstPageSize);
    chain.hasRead = true;
    const from = Math.max(1, chain.below - size);
    if (from >= chain.below) return [];
    const read = await readRange(source, writer, from, chain.below - 1);
    // With a gap it is not next to what is held.
    if (read.length < chain.below - from) return [];
    chain.below = from;
    return read;
  };
  const readOn = (writer: string, chain: Backward): void => {
    chain.reading = readBefore(writer, chain);
    // Reported when it is awaited.
    chain.reading.catch(() => undefined);
  };
  const lastAt = ({ waiting }: Backward): number => waiting.at(-1)?.recordedAt ?? 0;

  return {
    /** Reads the ends. A chain that was continued otherwise than it is here is removed, and copied again. */
    compare: async (): Promise<void> => {
      const moved = await source.ends();
      const held = heldNow();
      for (const end of moved) {
        const { writer, account, seq, hash } = end;
        ends.set(writer, end);
        foreign.noteAccount(writer, account);
        const known = held.get(writer);
        if (known && (known.high > seq || (known.high === seq && known.hash !== hash))) drop(writer);
      }
    },
    /** Copies a part of what is newer than what is here; false if nothing is left. */
    forward: async (): Promise<boolean> => {
      const held = heldNow();
      let isLeft = false;
      const size = pageSize();
      for (const { writer, seq } of ends.values()) {
        const known = held.get(writer);
        if (!known) {
          if (!backward.has(writer))
            backward.set(writer, { below: seq + 1, reading: null, waiting: [], hasRead: false });
          continue;
        }
        if (!backward.has(writer))
          backward.set(writer, { below: known.low, reading: null, waiting: [], hasRead: false });
        if (known.high >= seq) continue;
        const until = Math.min(seq, known.high + size);
        const part = await readRange(source, writer, known.high + 1, until);
        if (part.length === 0) continue;
        if (!(await storeNewer(known, part))) drop(writer);
        isLeft ||= known.high + part.length < seq && part.length === until - known.high;
      }
      return isLeft;
    },
    /** Copies a part of what is older, the newest events of all chains first; false if nothing is left. */
    backward: async (): Promise<boolean> => {
      for (const [writer, chain] of backward) {
        if (chain.waiting.length > 0) continue;
        if (chain.reading === null) readOn(writer, chain);
        chain.waiting = (await chain.reading) ?? [];
        // The page before it is read meanwhile.
        if (chain.waiting.length > 0) readOn(writer, chain);
      }
      const open = [...backward.values()]
        .filter(({ waiting }) => waiting.length > 0)
        .toSorted((one, other) => lastAt(other) - lastAt(one));
      if (open.length === 0) return false;
      const parts: SourceEvent[][] = [];
      for (let events = 0, at = 0; at < open.length && events < pageSize(); at += 1) {
        const chain = open[at];
        if (!chain) break;
        events += chain.waiting.length;
        parts.push(chain.waiting);
        chain.waiting = [];
      }
      try {
        onStored(foreign.store(parts), false);
      } catch (thrown) {
        // On a full disk, for example: what was read and not stored is read again.
        backward.clear();
        throw thrown;
      }
      return true;
    },
    /** As of the last call of `compare`. */
    progress: (): CopyProgress => {
      const held = heldNow();
      const total = { done: 0, total: 0 };
      for (const { writer, seq } of ends.values()) {
        const known = held.get(writer);
        total.total += Math.max(seq, known?.high ?? 0);
        total.done += known ? known.high - known.low + 1 : 0;
      }
      return total;
    },
  };
};
