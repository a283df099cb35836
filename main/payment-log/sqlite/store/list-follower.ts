import type { Event } from '../../../../shared/payments/evidence.ts';
import { backlog, type Backlog, type Priority } from './backlog.ts';
import type { LogDatabase } from './database.ts';
import { eventCache } from './event-cache.ts';
import { project } from '../../projection/project.ts';
import { projector } from './projection.ts';
import { dropFalseEntries } from './side-tables.ts';
import { eventsOfPayments, type ReadPayments } from './stored-event.ts';

/** Batch size of one query, payments. */
const readAtOnce = 32;
/** Share of a slice's time for rows; the search index, written in one batch, takes the rest. */
const rowShare = 0.65;

/**
 * Threshold, milliseconds: a payment whose events take longer to read pauses afterwards for a multiple of that time.
 */
const longReadMs = 20;
const cooldownFactor = 20;

/** The limits of one transaction of the projection. */
export type SliceBudget = {
  /** Milliseconds after which no further payment is begun. */
  maxMs: number;
  maxPayments?: number;
};

/** The list of payments, which follows the evidence; a cache of the reducer's results. */
export type ListFollower = {
  /** Adds an event that was just written. `payment`: its id; `first`: it has no other event. */
  addEvent(payment: number, seq: number, event: Event, textLength: number, first: boolean): void;
  /** The number of payments behind their evidence. */
  behind(): number;
  /** Projects the next payments inside a transaction. `last`: the last event of the log. Throws SQLite errors. */
  follow(slice: SliceBudget, last: number): number;
  /** Reads these payments again and projects them, inside a transaction. Throws SQLite errors. */
  project(payments: readonly number[], last: number): void;
  /** Reloads the state from the file, after a transaction was rolled back. */
  reset(): void;
};

/** Whether a user of this console caused it and will look for it in the list. */
const isOwn = (event: Event): boolean => {
  if (event.kind === 'callback.received') return event.body.via === 'paste';
  if (event.kind === 'status.observed') return event.body.requestedBy === 'person';
  return event.kind !== 'callback.reverified';
};

const nothingRead: ReadPayments = { read: new Map(), unreadFrom: Number.POSITIVE_INFINITY };

export const listFollower = (database: LogDatabase): ListFollower => {
  const readEvents = eventsOfPayments(database);
  const updateThrough = database.prepare<[number]>('UPDATE projection SET through = ?');
  const raisedBy = database.prepare<[number], { agent: string | null }>(
    'SELECT agent FROM listed WHERE payment = ?',
  );
  const rows = projector(database);
  const cache = eventCache();
  const waiting: Backlog = backlog(database);

  const priorityOf = (payment: number, event: Event, first: boolean): Priority => {
    const known = waiting.priorityOf(payment);
    if (known === 'own' || isOwn(event)) return 'own';
    if (first || known !== undefined) return known ?? 'new';
    const row = raisedBy.get(payment);
    if (row === undefined) return 'new';
    return row.agent === null ? 'listed' : 'own';
  };

  /**
   * The end of the pause of each payment whose events take long to read: high load on one payment must not block the
   * others.
   */
  const cooldownUntil = new Map<number, number>();
  const rest = (payments: readonly number[], durationMs: number): void => {
    for (const payment of payments) cooldownUntil.delete(payment);
    if (durationMs < longReadMs) return;
    for (const payment of payments)
      cooldownUntil.set(payment, performance.now() + durationMs * cooldownFactor);
    for (const [other, until] of cooldownUntil) if (until < performance.now()) cooldownUntil.delete(other);
  };

  /**
   * Projects these payments; those not in memory are read in one query. Returns those that exceeded the memory limit.
   */
  const projectAll = (payments: readonly number[]): number[] => {
    const missing = payments.filter(payment => cache.get(payment) === undefined);
    const startedAt = performance.now();
    const { read, unreadFrom } = missing.length > 0 ? readEvents(missing) : nothingRead;
    rest([...read.keys()], performance.now() - startedAt);
    const unread: number[] = [];
    for (const payment of payments) {
      const fromDisk = read.get(payment);
      if (!fromDisk && payment >= unreadFrom && cache.get(payment) === undefined) {
        unread.push(payment);
        continue;
      }
      const events = fromDisk?.events ?? cache.get(payment);
      const projected = events && events.length > 0 ? project(events) : null;
      if (projected) rows.set(payment, projected);
      if (fromDisk) cache.set(payment, fromDisk);
      else cache.projected(payment);
      waiting.delete(payment);
    }
    return unread;
  };

  /** The next batch of payments, without pausing ones. */
  const choose = (most: number): number[] => {
    const chosen: number[] = [];
    const now = performance.now();
    for (const payment of waiting.next()) {
      if (chosen.length >= most) break;
      if ((cooldownUntil.get(payment) ?? 0) <= now) chosen.push(payment);
    }
    return chosen;
  };

  /** Whether the entries beside the rows that a start found outdated are those of the rows. */
  let isCleared = false;
  const clearMissed = (): void => {
    const { after, until } = waiting.missed();
    if (!isCleared && after < until) dropFalseEntries(database, after, until);
    isCleared = true;
  };

  const finish = (last: number): number => {
    rows.flush();
    const through = waiting.through(last);
    updateThrough.run(through);
    return through;
  };

  return {
    addEvent: (payment, seq, event, textLength, first) => {
      if (cache.append(payment, event, textLength, first))
        waiting.add(payment, seq, priorityOf(payment, event, first));
    },
    behind: () => waiting.size(),
    follow: ({ maxMs, maxPayments = Number.POSITIVE_INFINITY }, last) => {
      const until = performance.now() + maxMs * rowShare;
      clearMissed();
      let left = maxPayments;
      do {
        const chosen = choose(Math.min(readAtOnce, left));
        if (chosen.length === 0) break;
        left -= chosen.length - projectAll(chosen).length;
      } while (left > 0 && performance.now() < until);
      return finish(last);
    },
    project: (payments, last) => {
      for (const payment of payments) cache.delete(payment);
      let left = payments;
      while (left.length > 0) left = [...projectAll(left.slice(0, readAtOnce)), ...left.slice(readAtOnce)];
      finish(last);
    },
    reset: () => {
      cache.clear();
      rows.reset();
      cooldownUntil.clear();
      isCleared = false;
      waiting.reset();
    },
  };
};
