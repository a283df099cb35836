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
const slots = 8;

/** Keeps the list of payments up to date with the evidence; see project-chain.ts. */
export type Projector = {
  /** The own chain, if this installation writes one. It has priority over those that others left behind. */
  setOwn(writer: string): void;
  /** The own chain has new events. */
  wake(): void;
  /** Whether the list shows the own chain up to this number; waits for it so long at most. */
  listed(number: number, milliseconds: number): Promise<boolean>;
  close(): Promise<void>;
};

/** `leftoversMs`: interval of looking for chains that no process projects, milliseconds. */
export type ProjectorOptions = { leftoversMs?: number };

type Waiting = { number: number; resolve: (isListed: boolean) => void; timer: NodeJS.Timeout };

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
  let own: string | null = null;
  let ownId: number | null = null;
  let through = 0;
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
  const moveTo = (number: number): void => {
    // A list that is built again shows its rows all the time.
    through = Math.max(through, number);
    for (const one of waiting) {
      if (one.number > number) continue;
      clearTimeout(one.timer);
      waiting.delete(one);
      one.resolve(true);
    }
  };
  /** Projects a chain until nothing is left, or another process projects it. Returns false if a newer program does. */
  const projectChain = async (
    used: Connection,
    reader: EventReader,
    list: ListWriter,
    writer: number,
  ): Promise<boolean> => {
    while (!isOver()) {
      const step = await projectNext(used, reader, writer, list, channel);
      if (step.state === 'newer') return false;
      if (step.state === 'busy') {
        if (writer !== ownId) return true;
        const [place] = await used.query<{ through: number }>(
          'SELECT through FROM projected WHERE writer = $1',
          [writer],
        );
        if (place) moveTo(place.through);
        if (waiting.size === 0) return true;
        await delay(busyDelayMs);
        continue;
      }
      if (writer === ownId) moveTo(step.through);
      if (step.state === 'done') return true;
      // Other tasks of the process take their turn.
      await delay(0);
    }
    return true;
  };

  /** Chains that are behind although they have not moved for a while, except the own one. */
  const leftovers = async (used: Connection): Promise<number[]> => {
    await used.query('INSERT INTO projected (writer) SELECT id FROM writer ON CONFLICT DO NOTHING');
    const found = await used.query<{ id: number }>(
      `SELECT w.id FROM writer w JOIN projected p ON p.writer = w.id
       WHERE p.through < w.last_seq AND w.id IS DISTINCT FROM $1::int
         AND p.moved_at < clock_timestamp() - $2 * interval '1 millisecond' ORDER BY p.moved_at`,
      [ownId, leftoversMs],
    );
    return found.map(({ id }) => id);
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
          let list = createListWriter(0);
          ownId = null;
          let lookAt = Number.NEGATIVE_INFINITY;
          let isNewest = await raiseVersion(used);
          while (!isOver() && used.isOpen()) {
            if (own !== null && ownId === null) {
              const [writer] = await used.query<{ id: number }>('SELECT id FROM writer WHERE name = $1', [
                own,
              ]);
              if (writer) {
                ownId = writer.id;
                list = createListWriter(writer.id % slots);
                await used.query('INSERT INTO projected (writer) VALUES ($1) ON CONFLICT DO NOTHING', [
                  ownId,
                ]);
              }
            }
            if (isNewest && ownId !== null) isNewest = await projectChain(used, reader, list, ownId);
            failures = 0;
            if (performance.now() >= lookAt) {
              lookAt = performance.now() + leftoversMs * (0.75 + Math.random() / 2);
              isNewest = await raiseVersion(used);
              for (const writer of isNewest ? await leftovers(used) : []) {
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
    setOwn: writer => {
      if (own === writer) return;
      own = writer;
      ownId = null;
      wake();
    },
    wake,
    listed: (number, milliseconds) =>
      new Promise(resolve => {
        if (number <= through) return resolve(true);
        if (isClosed || milliseconds <= 0 || performance.now() < cooldownUntil) return resolve(false);
        const one: Waiting = {
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

/**
 * Begins to build the list again from the evidence; the projectors of all installations complete it. Rows stay as they
 * are until they are written again.
 */
export const rebuildList = async (connection: Connection): Promise<Result<undefined>> => {
  try {
    await connection.query(`BEGIN; UPDATE list SET generation = generation + 1; UPDATE projected SET through = 0;
      LOCK TABLE facet_count IN EXCLUSIVE MODE; DELETE FROM facet_count;
      INSERT INTO facet_count SELECT facet, 0, count(*) FROM listed GROUP BY facet; COMMIT`);
    return ok(undefined);
  } catch (thrown) {
    if (connection.isOpen()) await connection.query('ROLLBACK').catch(() => undefined);
    return toSharedLogFailure(thrown);
  }
};
