import { hash } from 'node:crypto';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

/**
 * The minimum cost of verifying a log: every event, its personal values and every row of the list, read with bare SQL
 * and hashed, each together with the previous hash.
 */

/** Reads and hashes a whole log, `file`, once. Returns the number of its events. */
export const readAndHash = (file: string): number => {
  const database = new Database(file, { readonly: true });
  database.pragma('cache_size = -65536');
  const evidence = database
    .prepare<[], [string, string, string, string | null, string | null]>(
      `SELECT lower(hex(event.id)), event."values", shape.text, lower(hex(personal.salt)), personal."values"
       FROM event JOIN shape ON shape.id = event.shape LEFT JOIN personal ON personal.event = event.seq
       ORDER BY event.seq`,
    )
    .raw();
  const list = database.prepare<[], [string, string]>('SELECT "row", words FROM listed').raw();
  let previous = '';
  let events = 0;
  for (const [id, values, shape, salt, personal] of evidence.iterate()) {
    events += 1;
    const digest = personal === null ? '' : hash('sha256', `${salt}${personal}`);
    const content = hash('sha256', `${id}${hash('sha256', shape + values)}${digest}`);
    previous = hash('sha256', previous + content);
  }
  for (const [row, words] of list.iterate()) previous = hash('sha256', previous + row + words);
  database.close();
  return events;
};

type Job = { file: string; milliseconds: number };

/** Reads and hashes a log repeatedly for the given time, on `threads` separate threads. */
export const readOnThreads = async (job: Job, threads: number): Promise<void> => {
  await Promise.all(
    Array.from(
      { length: threads },
      () =>
        new Promise<void>((resolve, reject) => {
          const worker = new Worker(new URL(import.meta.url), { workerData: job });
          worker.once('error', reject);
          worker.once('exit', () => resolve());
        }),
    ),
  );
};

if (!isMainThread) {
  const { file, milliseconds } = workerData as Job;
  const until = performance.now() + milliseconds;
  do readAndHash(file);
  while (performance.now() < until);
}
