import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Result } from '../../../../shared/errors.ts';
import { ok } from '../../../../shared/errors.ts';
import { projectionVersion } from '../../projection/project.ts';
import type { Connection } from '../connection.ts';
import { toSharedLogFailure } from '../failures.ts';
import { eventReader, type EventReader } from '../stored-events.ts';
import { projectNext } from './project-chain.ts';
import { createListWriter, type ListWriter } from './write-list.ts';

/** Interval of looking for chains that no process projects, and the time after which one counts as such, milliseconds. */
const leftoversEveryMs = 10_000;
/** While another process projects the own chain, its progress is read this often, milliseconds. */
const busyDelayMs = 25;
/** First and longest delay after a failure, milliseconds. */
const firstDelayMs = 100;
const maxDelayMs = 5_000;
/** After a wait that timed out, further callers do not wait for this time, milliseconds: the list is known to be behind. */
const cooldownMs = 1_000;
/** Longest rest after a transaction, milliseconds: the list takes half of the time at most. */
const maxRestMs = 100;
/** The same while this thread is busy with evidence, which comes first: a burst is projected after it. */
const maxRestUnderLoadMs = 1_000;
/** The share of its time from which on the thread is busy. */
const busyShare = 0.5;
/** Events behind from which the list does not wait for evidence, so that it does not fall further and further behind. */
const maxBehind = 50_000;
const slots = 8;

/** Keeps the list of payments up to date with the evidence; see project-chain.ts. */
export type Projector = {
  /** A chain that this installation writes. Such chains have priority over those that others left behind. */
  addOwn(writer: string): void;
  /** An own chain has new events, up to this number. */
  wake(writer?: string, written?: number): void;
  /** Whether the list shows an own chain up to this number; waits for it so long at most. */
  listed(writer: string, number: number, milliseconds: number): Promise<boolean>;
  close(): Promise<void>;
};

/** `leftoversMs`: interval of looking for chains that no process projects, milliseconds. */
export type ProjectorOptions = { leftoversMs?: number };

/** An own chain: its id, null until it is known, its last event, and up to which event the list shows it. */
type OwnChain = { id: number | null; written: number; through: number };

type Waiting = {
  writer: string;
  number: number;
  resolve: (isListed: boolean) => void;
  timer: NodeJS.Timeout;
};

/**
 * Raises the list to this program's projection, which projects everything again. Returns false if a newer program
 * writes the list.
 */
const raiseVersion = async (connection: Connection): Promise<boolean> => {
  const [list] = await connection.query<{ version: number }>('SELECT version FROM list');
  if (!list || list.version > projectionVersion) return false;
  if (list.version < projectionVersion)
    await connection.query(`BEGIN;
      UPDATE list SET version = ${projectionVersion}, generation = generation + 1 WHERE version < ${projectionVersion};
      UPDATE projected SET through = 0; COMMIT`);
  return true;
};

/** `open`: opens a connection for the projector. `channel`: of notifications. */
export const startProjector = (
  open: () => Promise<Result<Connection>>,
  channel: string,
  { leftoversMs = leftoversEveryMs }: ProjectorOptions = {},
): Projector => {
  const own = new Map<string, OwnChain>();
  let isClosed = false;
  let isAwake = false;
  let wakeUp: () => void = () => undefined;
  let cooldownUntil = Number.NEGATIVE_INFINITY;
  let connection: Connection | null = null;
  const waiting = new Set<Waiting>();
  const isOver = (): boolean => isClosed;

  const wake = (): void => {
    isAwake = true;
    wakeUp();
  };
  const pause = async (milliseconds: number): Promise<void> => {
    if (!isAwake && !isClosed) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>(resolve => {
        wakeUp = resolve;
        timer = setTimeout(resolve, milliseconds);
        timer.unref();
      });
      clearTimeout(timer);
    }
    isAwake = false;
  };
  const moveTo = (writer: number, number: number): void => {
    for (const [name, chain] of own) {
      if (chain.id !== writer) continue;
      // A list that is built again shows its rows all the time.
      chain.through = Math.max(chain.through, number);
      for (const one of waiting) {
        if (one.writer !== name || one.number > chain.through) continue;
        clearTimeout(one.timer);
        waiting.delete(one);
        one.resolve(true);
      }
    }
  };
  /** Pauses after a transaction, longer under load. A list that an own read waits for does not pause. */
  const rest = async (writer: number, isMore: boolean, tookMs: number): Promise<void> => {
    const chain = [...own.values()].find(({ id }) => id === writer);
    const mayWait = isMore && chain !== undefined && chain.written - chain.through < maxBehind;
    const until = performance.now() + maxRestUnderLoadMs;
    for (let pauseMs = Math.min(maxRestMs, tookMs); waiting.size === 0 && !isOver(); pauseMs = maxRestMs) {
      const before = performance.eventLoopUtilization();
      await delay(pauseMs);
      const isBusy = performance.eventLoopUtilization(before).utilization >= busyShare;
      if (!mayWait || !isBusy || performance.now() > until) return;
    }
  };
  const ownIds = (): number[] => [...own.values()].flatMap(({ id }) => (id === null ? [] : [id]));

  /** Projects a chain until nothing is left, or another process projects it. Returns false if a newer program does. */
  const projectChain = async (
    used: Connection,
    reader: EventReader,
    list: ListWriter,
    writer: number,
  ): Promise<boolean> => {
    while (!isOver()) {
      const startedAt = performance.now();
      const step = await projectNext(used, reader, writer, list, channel);
      if (step.state === 'newer') return false;
      if (step.state === 'busy') {
        if (!ownIds().includes(writer)) return true;
        const [place] = await used.query<{ through: number }>(
          'SELECT through FROM projected WHERE writer = $1',
          [writer],
        );
        if (place) moveTo(writer, place.through);
        if (waiting.size === 0) return true;
        await delay(busyDelayMs);
        continue;
      }
      moveTo(writer, step.through);
      await rest(writer, step.state === 'more', performance.now() - startedAt);
      if (step.state === 'done') return true;
    }
    return true;
  };

  /** Chains that are behind although they have not moved for a while, except the own one. */
  const leftovers = async (used: Connection): Promise<number[]> => {
    await used.query('INSERT INTO projected (writer) SELECT id FROM writer ON CONFLICT DO NOTHING');
    const found = await used.query<{ id: number }>(
      `SELECT w.id FROM writer w JOIN projected p ON p.writer = w.id
       WHERE p.through < w.last_seq AND w.id <> ALL ($1::int[])
         AND p.moved_at < clock_timestamp() - $2 * interval '1 millisecond' ORDER BY p.moved_at`,
      [ownIds(), leftoversMs],
    );
    return found.map(({ id }) => id);
  };

  /** The ids of own chains that are not known yet. */
  const findOwn = async (used: Connection): Promise<void> => {
    for (const [name, chain] of own) {
      if (chain.id !== null) continue;
      const [writer] = await used.query<{ id: number }>('SELECT id FROM writer WHERE name = $1', [name]);
      if (!writer) continue;
      await used.query('INSERT INTO projected (writer) VALUES ($1) ON CONFLICT DO NOTHING', [writer.id]);
      chain.id = writer.id;
    }
  };

  const run = async (): Promise<void> => {
    let failures = 0;
    while (!isOver()) {
      const opened = await open();
      if (opened.ok) {
        const used = opened.value;
        connection = used;
        try {
          const reader = await eventReader(used);
          let list: ListWriter | null = null;
          let lookAt = Number.NEGATIVE_INFINITY;
          let isNewest = await raiseVersion(used);
          while (!isOver() && used.isOpen()) {
            await findOwn(used);
            const [slot] = ownIds();
            if (slot !== undefined && !list) list = createListWriter(slot % slots);
            for (const writer of ownIds())
              if (isNewest && list) isNewest = await projectChain(used, reader, list, writer);
            failures = 0;
            if (performance.now() >= lookAt) {
              lookAt = performance.now() + leftoversMs * (0.75 + Math.random() / 2);
              isNewest = await raiseVersion(used);
              for (const writer of isNewest ? await leftovers(used) : []) {
                list ??= createListWriter(0);
                await projectChain(used, reader, list, writer);
                if (isAwake) break;
              }
            }
            await pause(Math.max(0, lookAt - performance.now()));
          }
        } catch (thrown) {
          // The list follows as soon as the shared log answers again.
          toSharedLogFailure(thrown);
        }
        await used.close();
        connection = null;
      }
      failures += 1;
      if (!isClosed) await pause(Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(failures, 10)));
    }
  };
  const running = run();

  return {
    addOwn: writer => {
      if (own.has(writer)) return;
      own.set(writer, { id: null, written: 0, through: 0 });
      wake();
    },
    wake: (writer, written = 0) => {
      const chain = writer === undefined ? undefined : own.get(writer);
      if (chain) chain.written = Math.max(chain.written, written);
      wake();
    },
    listed: (writer, number, milliseconds) =>
      new Promise(resolve => {
        if (number <= (own.get(writer)?.through ?? 0)) return resolve(true);
        if (isClosed || milliseconds <= 0 || performance.now() < cooldownUntil) return resolve(false);
        const one: Waiting = {
          writer,
          number,
          resolve,
          timer: setTimeout(() => {
            waiting.delete(one);
            cooldownUntil = performance.now() + cooldownMs;
            resolve(false);
          }, milliseconds),
        };
        waiting.add(one);
        wake();
      }),
    close: async () => {
      isClosed = true;
      for (const one of waiting) {
        clearTimeout(one.timer);
        one.resolve(false);
      }
      waiting.clear();
      wake();
      await connection?.close();
      await running;
    },
  };
};

/** Deadline of what `rebuildList` does at once, milliseconds. */
const rebuildDeadlineMs = 10 * 60_000;

/**
 * Begins to build the list again from the evidence; the projectors of all installations complete it. Rows stay as they
 * are until they are written again; those that belong to nothing are removed.
 */
export const rebuildList = async (connection: Connection): Promise<Result<undefined>> => {
  try {
    const entries = ['searched', 'payment_flag', 'payment_id', 'movement', 'review'];
    await connection.query(
      `BEGIN; SET LOCAL statement_timeout = 0;
      UPDATE list SET generation = generation + 1; UPDATE projected SET through = 0;
      DELETE FROM listed l WHERE NOT EXISTS (SELECT FROM payment p WHERE p.id = l.payment);
      ${entries.map(table => `DELETE FROM ${table} t WHERE NOT EXISTS (SELECT FROM listed l WHERE l.payment = t.payment);`).join(' ')}
      LOCK TABLE facet_count IN EXCLUSIVE MODE; DELETE FROM facet_count;
      INSERT INTO facet_count SELECT facet, 0, count(*) FROM listed GROUP BY facet; COMMIT`,
      [],
      { deadlineMs: rebuildDeadlineMs },
    );
    return ok(undefined);
  } catch (thrown) {
    if (connection.isOpen()) await connection.query('ROLLBACK').catch(() => undefined);
    return toSharedLogFailure(thrown);
  }
};
