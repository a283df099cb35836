import { mkdirSync, rmSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { exportPageRows, exportPayments } from '../../../main/export/export-payments.ts';
import { columns } from '../../../main/export/columns.ts';
import { createReportContext } from '../../../main/export/report-context.ts';
import { openPaymentLog } from '../../../main/payment-log/sqlite/open-payment-log.ts';
import type { PaymentLog } from '../../../main/payment-log/payment-log.ts';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import { paymentFilterSchema } from '../../../shared/contract/contract.ts';
import { readAndHash, readOnThreads } from '../bare-reading.ts';
import { boundedReads } from './bounded-reads.ts';
import { fillLog } from './fill-log.ts';
import { pageRows, questionsOf, type Question } from './log-queries.ts';
import { searchTimes } from './search-times.ts';
import { atMost, alternate, type Row } from '../measure.ts';
import { median, percentile } from '../../load/percentile.ts';

/** The growth of the log: a small one is the reference of the large ones. */

const small = 1_000;
/** Repetitions of each query. */
const rounds = 15;
const everything = paymentFilterSchema.parse({});

const opened = async (file: string): Promise<PaymentLog> => {
  const log = await openPaymentLog({ file, writer: 'bench' });
  if (!log.ok) throw new Error(inEnglish(log.error.message));
  return log.value;
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

/** The lateness of the main thread's timers during the work, milliseconds, 99th percentile. */
const lateness = async (work: () => Promise<unknown>): Promise<number> => {
  const late: number[] = [];
  const ended = new AbortController();
  const interval = 5;
  const watch = (async () => {
    while (!ended.signal.aborted) {
      const due = performance.now() + interval;
      await new Promise(resolve => setTimeout(resolve, interval));
      late.push(performance.now() - due);
    }
  })();
  await work();
  ended.abort();
  await watch;
  return percentile(late, 0.99);
};

const machineContext = createReportContext({
  readers: 'programs',
  language: 'en',
  locale: 'en',
  zone: 'UTC',
  now: Date.now(),
  period: null,
  profileName: id => id,
});

/** Searches, verifies and exports at once, like a busy day. */
const busy = async (file: string, folder: string, questions: readonly Question[]): Promise<void> => {
  const log = await opened(file);
  const ended = new AbortController();
  const search = async (): Promise<void> => {
    while (!ended.signal.aborted) for (const { filter } of questions) await log.list(filter, null, pageRows);
  };
  const searching = search();
  const exporting = exportPayments({
    file: join(folder, 'export.csv'),
    content: 'csv',
    columns,
    context: machineContext,
    next: cursor => log.list(everything, cursor, exportPageRows),
  });
  const report = await log.verify();
  const exported = await exporting;
  ended.abort();
  await searching;
  await log.close();
  if (report.problems.length > 0 || !exported.ok) throw new Error('the log of the bench is not right');
};

/** The longest imperceptible time: a shorter reference counts as this much. */
const noticeableMs = 4;

/** CPU time of this process with its threads, milliseconds: other work on the machine counts on neither side. */
const cpuOf = async (work: () => unknown): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

/** Verifying a log, on all its threads, compared with reading and hashing the same bytes by hand. */
const verification = async (file: string, of: string): Promise<Row> => {
  const log = await opened(file);
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    let events = 0;
    ours.push(
      await cpuOf(async () => {
        events = (await log.verify()).events;
      }),
    );
    bare.push(
      await cpuOf(() => {
        if (readAndHash(file) !== events) throw new Error('events were not verified');
      }),
    );
  }
  await log.close();
  return atMost(`verify the log ${of}, CPU / read and hash it by hand (ms)`, median(ours), median(bare), 8);
};

/** Threads of the console under such load: those that verify, one of them for the file, and the reader. */
const busyThreads = Math.max(2, availableParallelism()) + 1;

/** The lateness of the main thread's timers on a busy day, compared with as many threads that only read and hash. */
const responsiveness = async (
  file: string,
  folder: string,
  questions: readonly Question[],
  of: string,
): Promise<Row> => {
  const startedAt = performance.now();
  const ours = await lateness(() => busy(file, folder, questions));
  const milliseconds = performance.now() - startedAt;
  const bare = await lateness(() => readOnThreads({ file, milliseconds }, busyThreads));
  return atMost(
    `main thread while searching, verifying, exporting ${of}, p99 delay / beside ${busyThreads} bare threads, at least ${noticeableMs} (ms)`,
    ours,
    Math.max(bare, noticeableMs),
    1.5,
  );
};

/** Opening a log and reading a first screen: counts and the first page. */
const firstScreen = (file: string) => async (): Promise<void> => {
  const log = await opened(file);
  await Promise.all([log.counts(null), log.list(everything, null, pageRows)]);
  await log.close();
};

/** The folder of a log of this many payments, with the layout of the console's own. */
export const logFolder = (folder: string, count: number): string => join(folder, String(count));

/**
 * Rows for logs of these many payments, five events each. A large one takes minutes to create. The last one stays in
 * place, beneath `folder`.
 */
export const logAtSize = async (folder: string, sizes: readonly number[]): Promise<Row[]> => {
  const fileOf = (count: number): string => {
    mkdirSync(logFolder(folder, count), { recursive: true });
    return join(logFolder(folder, count), 'payments.db');
  };
  const lastAt = Date.now();
  const rows: Row[] = [];
  await fillLog(fileOf(0), 0, lastAt);
  await fillLog(fileOf(small), small, lastAt);
  const reference = await askAll(fileOf(small), questionsOf(small, lastAt));
  for (const count of sizes) {
    const file = fileOf(count);
    await fillLog(file, count, lastAt);
    const bytes = statSync(file).size / count;
    const questions = questionsOf(count, lastAt);
    const { ours, bare } = await askAll(file, questions);
    const of = `of ${count.toLocaleString('en')} payments`;
    rows.push(
      atMost(
        `first page ${of} / of ${small.toLocaleString('en')}, p95 (ms)`,
        percentile(ours, 0.95),
        percentile(reference.ours, 0.95),
        3,
      ),
      atMost(
        `first page ${of} / the same SQL by hand, p95 (ms)`,
        percentile(ours, 0.95),
        percentile(bare, 0.95),
        1.5,
      ),
      atMost(`bytes per payment ${of} / 4,096`, bytes, 4_096, 1),
    );
    const [full, empty] = await alternate([firstScreen(file), firstScreen(fileOf(0))], {
      rounds: 9,
      warmUp: 1,
    });
    rows.push(atMost(`open and first page ${of} / of none (ms)`, full, empty, 1.2));
    const log = await opened(file);
    rows.push(...(await boundedReads(log, lastAt, of)), ...(await searchTimes(log, count, lastAt, of)));
    await log.close();
    rows.push(await verification(file, of), await responsiveness(file, folder, questions, of));
    if (count !== sizes.at(-1)) rmSync(logFolder(folder, count), { recursive: true, force: true });
  }
  return rows;
};
