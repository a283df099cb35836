import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callbackDraft } from '../../../main/callbacks/callback-event.ts';
import { readBody } from '../../../main/callbacks/read-body.ts';
import { openForWriting, type LogDatabase } from '../../../main/payment-log/sqlite/store/database.ts';
import { logWriter } from '../../../main/payment-log/sqlite/store/writer.ts';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { signedCallbacks } from '../../load/callbacks.ts';
import { atMost, type Row } from '../measure.ts';
import { median } from '../../percentile.ts';

/** Payments of one round, counted rounds and uncounted ones. */
const payments = 5_000;
const rounds = 7;
const warmUp = 6;
/** Payments in one transaction of the bare inserts: about as many as in one slice of the projection. */
const bareBatch = 64;

type Listed = [
  payment: number,
  facet: number,
  firstAt: number,
  runsOutAt: number | null,
  row: string,
  words: string,
  agent: string | null,
  amount: number | null,
  paidAfter: number | null,
  paid: number | null,
  returned: number | null,
  uncounted: number | null,
  checkedDays: number | null,
];

const open = (file: string): LogDatabase => {
  const opened = openForWriting(file);
  if (!opened.ok) throw new Error(inEnglish(opened.error.message));
  return opened.value;
};

/** CPU time of this process, microseconds, including garbage collection. */
const cpuOf = (work: () => void): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
};

/**
 * Updating the list, each payment with one callback, compared with the same rows and words inserted by hand into the
 * same tables. Only CPU time: other work on the machine, and the disk, count on neither side.
 */
export const projectPayments = async (): Promise<Row> => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'));
  const log = open(join(folder, 'payments.db'));
  const bare = open(join(folder, 'bare.db'));
  bare.pragma('synchronous = NORMAL');
  const writer = logWriter(log, 'bench');
  const next = signedCallbacks('a password');
  const draft = (): EventDraft => {
    const [read] = readBody(next(), 'application/x-www-form-urlencoded') ?? [];
    if (!read) throw new Error('not a callback');
    return callbackDraft({
      profileId: 'bench',
      fields: read.fields,
      form: read.form,
      via: 'receiver',
      verification: { verdict: 'verified', uppercasing: 'unicode', digest: 'md5' },
      arrivedAt: Date.now(),
      agent: 'console',
    });
  };
  const select = log
    .prepare<[number], Listed>(
      `SELECT payment, facet, first_at, runs_out_at, "row", words, agent, amount, paid_after, paid, returned,
         uncounted, checked_days
       FROM listed WHERE payment > ? ORDER BY payment`,
    )
    .raw();
  const insertRow = bare.prepare<Listed>(
    `INSERT INTO listed (payment, facet, first_at, runs_out_at, "row", words, agent, amount, paid_after, paid,
       returned, uncounted, checked_days)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertWords = bare.prepare<[number, string]>('INSERT INTO search (rowid, words) VALUES (?, ?)');
  const insertAll = bare.transaction((rows: readonly Listed[]) => {
    for (const row of rows) {
      insertRow.run(...row);
      insertWords.run(row[0], row[5]);
    }
  });

  const ours: number[] = [];
  const theirs: number[] = [];
  let done = 0;
  for (let round = -warmUp; round < rounds; round += 1) {
    for (let at = 0; at < payments; at += 100) {
      const places = writer.write(Array.from({ length: 100 }, () => [draft()]));
      if (!places.every(({ ok }) => ok)) throw new Error('the log refused a callback');
    }
    const took = cpuOf(() => {
      while (writer.behind() > 0) writer.catchUp({ maxMs: 2 });
    });
    const rows = select.all(done);
    done += payments;
    const bareTook = cpuOf(() => {
      for (let at = 0; at < rows.length; at += bareBatch) insertAll(rows.slice(at, at + bareBatch));
    });
    if (rows.length !== payments) throw new Error(`${rows.length} payments are in the list`);
    if (round < 0) continue;
    ours.push(took / payments);
    theirs.push(bareTook / payments);
  }
  log.close();
  bare.close();
  rmSync(folder, { recursive: true, force: true });
  return atMost(
    'bring the list up to date, CPU per payment / one bare FTS5 insert and one row insert (µs)',
    median(ours),
    median(theirs),
    5,
  );
};
