import { hash } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openPaymentLog } from '../../../main/payment-log/sqlite/open-payment-log.ts';
import type { PaymentLog } from '../../../main/payment-log/payment-log.ts';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import { paymentFilterSchema } from '../../../shared/contract/contract.ts';
import { paymentEvents } from '../payments.ts';
import { pageRows, questionsOf, type Question } from './log-queries.ts';
import { searchTimes } from './search-times.ts';
import { atMost, alternate, type Row } from '../measure.ts';
import { median, percentile } from '../../load/percentile.ts';

/** The list of a large log: its first page, search and counts, compared with a small one's; and its verification. */

const small = 1_000;
/** Repetitions of each query. */
const rounds = 15;
/** Payments in one append. */
const batch = 2_000;
/** Limit of count and sums: the window shows them before anyone notices the wait. */
const footMs = 50;
const everything = paymentFilterSchema.parse({});

const opened = async (file: string): Promise<PaymentLog> => {
  const log = await openPaymentLog({ file, writer: 'bench' });
  if (!log.ok) throw new Error(inEnglish(log.error.message));
  return log.value;
};

/** Creates a log of `count` payments; `lastAt`: milliseconds at which the last of them was created. */
const fillLog = async (file: string, count: number, lastAt: number): Promise<void> => {
  const log = await opened(file);
  let writing = Promise.resolve();
  for (let first = 0; first < count; first += batch) {
    const size = Math.min(batch, count - first);
    const drafts = Array.from({ length: size }, (_, at) => paymentEvents(first + at, count, lastAt)).flat();
    await writing;
    // While a batch is written, the next one is made.
    writing = log.append(drafts).then(written => {
      if (!written.ok) throw new Error(inEnglish(written.error.message));
    });
    writing.catch(() => undefined);
  }
  await writing;
  // Checkpoints the write-ahead log.
  await log.close();
};

/** Runs each query through the log and as hand-written SQL, alternately; milliseconds of all answers. */
const askAll = async (
  file: string,
  questions: readonly Question[],
): Promise<{ ours: number[]; bare: number[] }> => {
  const log = await opened(file);
  const database = new Database(file, { readonly: true });
  database.pragma('cache_size = -65536');
  const ours: number[] = [];
  const bare: number[] = [];
  for (const { filter, sql, values } of questions) {
    const statement = database.prepare<(string | number)[], string>(sql).pluck();
    for (let round = -2; round < rounds; round += 1) {
      const startedAt = performance.now();
      const page = await log.list(filter, null, pageRows);
      const intervalStart = performance.now();
      const rows = statement.all(...values).map(row => JSON.parse(row) as unknown);
      const ended = performance.now();
      if (Math.min(rows.length, pageRows) !== page.rows.length)
        throw new Error(`the same question has two answers: ${JSON.stringify(filter)}`);
      if (round < 0) continue;
      ours.push(intervalStart - startedAt);
      bare.push(ended - intervalStart);
    }
  }
  database.close();
  await log.close();
  return { ours, bare };
};

/** Count and sums of each query. */
const counting = async (log: PaymentLog, questions: readonly Question[], of: string): Promise<Row> => {
  const times: number[] = [];
  for (const { filter } of questions)
    for (let round = -1; round < rounds; round += 1) {
      const startedAt = performance.now();
      await log.totals(filter);
      if (round >= 0) times.push(performance.now() - startedAt);
    }
  return atMost(
    `count and sums below the list ${of}, p95 / ${footMs} (ms)`,
    percentile(times, 0.95),
    footMs,
    1,
  );
};

/** CPU time of this process with its threads, milliseconds: other work on the machine counts on neither side. */
const cpuOf = async (work: () => unknown): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

/**
 * Reads every event, its personal values and every row of the list with bare SQL, and hashes each together with the
 * previous hash: the minimum cost of verifying. Returns the number of events.
 */
const readAndHash = (file: string): number => {
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

/** Verifying a log, on all its threads, compared with reading and hashing the same bytes by hand. */
const verification = async (file: string, of: string): Promise<Row> => {
  const log = await opened(file);
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    let events = 0;
    const verify = async (): Promise<void> => {
      events = (await log.verify()).events;
    };
    ours.push(await cpuOf(verify));
    const read = (): void => {
      if (readAndHash(file) !== events) throw new Error('events were not verified');
    };
    bare.push(await cpuOf(read));
  }
  await log.close();
  return atMost(`verify the log ${of}, CPU / read and hash it by hand (ms)`, median(ours), median(bare), 8);
};

/** Opening a log and reading a first screen: counts and the first page. */
const firstScreen = (file: string) => async (): Promise<void> => {
  const log = await opened(file);
  await Promise.all([log.counts(null), log.list(everything, null, pageRows)]);
  await log.close();
};

/** Rows for a log of this many payments, five events each. A large one takes minutes to create. */
export const logAtSize = async (count: number): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'));
  const fileOf = (payments: number): string => join(folder, `${payments}.db`);
  const file = fileOf(count);
  const lastAt = Date.now();
  const of = `of ${count.toLocaleString('en')} payments`;
  try {
    for (const payments of [0, small, count]) await fillLog(fileOf(payments), payments, lastAt);
    const bytes = statSync(file).size / count;
    const reference = percentile((await askAll(fileOf(small), questionsOf(small, lastAt))).ours, 0.95);
    const questions = questionsOf(count, lastAt);
    const { ours, bare } = await askAll(file, questions);
    const page = percentile(ours, 0.95);
    const [full, empty] = await alternate([firstScreen(file), firstScreen(fileOf(0))], {
      rounds: 9,
      warmUp: 1,
    });
    const log = await opened(file);
    const reads = [await counting(log, questions, of), ...(await searchTimes(log, count, lastAt, of))];
    await log.close();
    return [
      atMost(`first page ${of} / of ${small.toLocaleString('en')}, p95 (ms)`, page, reference, 3),
      atMost(`first page ${of} / the same SQL by hand, p95 (ms)`, page, percentile(bare, 0.95), 1.5),
      atMost(`bytes per payment ${of} / 4,096`, bytes, 4_096, 1),
      atMost(`open and first page ${of} / of none (ms)`, full, empty, 1.2),
      ...reads,
      await verification(file, of),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
