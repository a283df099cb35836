import type { VerifyReport } from '../../../../shared/contract/contract.ts';
import { isConnectionCheck, isInquiry } from '../../../../shared/payment-reducer/evidence/inquiry.ts';
import type { Event } from '../../../../shared/payments/evidence.ts';
import { type MessageKey, msg, quoted } from '../../../../shared/messages/message.ts';
import type { AuditPart } from './audit-parts.ts';
import { checkOrder, eventCheck, type Problem } from './check-chain.ts';
import type { LogDatabase } from '../store/database.ts';
import { fileProblems } from '../store/file-problems.ts';
import { toLogFailure } from '../../log-failures.ts';
import { eventReading, selectEvents, type StoredEvent } from '../store/stored-event.ts';
import { schemaDifferences } from '../store/schema-differences.ts';

/** Orphaned rows: the table, the statement that counts them, and their description. */
type OrphanCheck = [table: string, sql: string, key: Extract<MessageKey, `integrity.orphans.${string}`>];

const orphans: OrphanCheck[] = [
  [
    'personal',
    'SELECT count(*) FROM personal WHERE event NOT IN (SELECT seq FROM event)',
    'integrity.orphans.personal',
  ],
  [
    'payment',
    'SELECT count(*) FROM payment p WHERE NOT EXISTS (SELECT 1 FROM event e WHERE e.payment = p.id)',
    'integrity.orphans.payment',
  ],
  [
    'shape',
    'SELECT count(*) FROM shape WHERE id NOT IN (SELECT shape FROM event)',
    'integrity.orphans.shape',
  ],
];

/** Finds orphaned rows. Throws SQLite errors. */
const checkOrphans = (database: LogDatabase, reportProblem: (problem: Problem) => void): void => {
  for (const [table, sql, key] of orphans) {
    const count = database.prepare<[], number>(sql).pluck().get() ?? 0;
    if (count > 0)
      reportProblem({ kind: 'chain', at: { kind: 'table', name: table }, message: msg(key, { count }) });
  }
};

/**
 * Reports every difference; a missing index or trigger is created again at the next start. Throws SQLite
 * errors.
 */
const checkSchema = (database: LogDatabase, reportProblem: (problem: Problem) => void): void => {
  const { foreign, missing } = schemaDifferences(database);
  for (const { type, name, difference } of foreign)
    reportProblem({
      kind: 'schema',
      at: { kind: type, name },
      message: msg(`integrity.schema.${difference}`),
    });
  for (const { type, name } of missing)
    reportProblem({
      kind: 'index',
      at: { kind: type, name },
      message: msg('integrity.schema.recreated'),
    });
};

/** Limit of listed problems; further ones are only counted. */
const listed = 1_000;

/** Reports what SQLite's own check finds. */
const checkFile = (database: LogDatabase, reportProblem: (problem: Problem) => void): void => {
  for (const text of fileProblems(database, 'integrity_check'))
    reportProblem({ kind: 'chain', at: { kind: 'file' }, message: quoted(text) });
};

/** A file too damaged to be read is a finding, not a failure. Throws other SQLite errors. */
const skipIfDamaged = (reportProblem: (problem: Problem) => void, work: () => void): void => {
  try {
    work();
  } catch (thrown) {
    const { error } = toLogFailure(thrown);
    if (error.code !== 'log.corrupt') throw thrown;
    reportProblem({ kind: 'chain', at: { kind: 'file' }, message: error.message });
  }
};

/** Batch size, payments, by number. */
const span = 2_000;

/** Payments by number: the first excluded, the last included. */
type Range = { after: number; until: number };

/**
 * The payments of part `index` of `of`. The first and the last range are open-ended, to include numbers that a log
 * should not contain.
 */
const rangeOf = (last: number, index: number, of: number): Range => ({
  after: index === 0 ? -1 : Math.floor((last * index) / of),
  until: index === of - 1 ? Number.MAX_SAFE_INTEGER : Math.floor((last * (index + 1)) / of),
});

/** Checks every event of a range of payments, and counts these; each event is read once. */
const checkPayments = (
  database: LogDatabase,
  range: Range,
  reportProblem: (problem: Problem) => void,
  step: (events: number) => void,
): { events: number; payments: number } => {
  const reading = eventReading(database);
  const checkEvent = eventCheck(database, reportProblem);
  const select = database
    .prepare<[number, number], StoredEvent>(
      `${selectEvents} WHERE event.payment > ? AND event.payment <= ? ORDER BY event.payment, event.seq`,
    )
    .raw();
  const highest = database.prepare<[], number | null>('SELECT max(payment) FROM event').pluck().get() ?? 0;
  let events = 0;
  let payments = 0;
  const checkOne = (rows: readonly StoredEvent[]): void => {
    const read: Event[] = [];
    for (const row of rows) {
      let body: string | null = null;
      try {
        body = reading.body(row);
        read.push(reading.event(row, body));
      } catch {
        // An unreadable body matches no hash.
      }
      checkEvent(row, body);
    }
    const orderNumber = rows[0]?.[6] ?? null;
    if (orderNumber !== null && !isInquiry(read, orderNumber) && !isConnectionCheck(read)) payments += 1;
  };
  for (let after = range.after; after < Math.min(range.until, highest); after += span) {
    const rows = select.all(after, Math.min(after + span, range.until));
    events += rows.length;
    for (let from = 0, to = 1; from < rows.length; from = to, to += 1) {
      while (to < rows.length && rows[to]?.[4] === rows[from]?.[4]) to += 1;
      checkOne(rows.slice(from, to));
    }
    step(events);
  }
  return { events, payments };
};

/**
 * Checks one part of the log on a consistent snapshot. `onProgress`: events done and to do; the total is an estimate,
 * and the file part reports none. Throws SQLite errors.
 */
export const auditLog = (
  database: LogDatabase,
  part: AuditPart,
  onProgress: (done: number, total: number) => void = () => undefined,
): VerifyReport => {
  const report: VerifyReport = { events: 0, payments: 0, problems: [] };
  let unlisted = 0;
  const note = (problem: Problem): void => {
    if (report.problems.length < listed) report.problems.push(problem);
    else unlisted += 1;
  };
  // Personal data must not reach a temporary file.
  database.pragma('temp_store = MEMORY');
  database.exec('BEGIN');
  try {
    if (part.part === 'file')
      for (const check of [checkSchema, checkFile, checkOrder, checkOrphans])
        skipIfDamaged(note, () => check(database, note));
    else
      skipIfDamaged(note, () => {
        const last = database.prepare<[], number | null>('SELECT max(seq) FROM event').pluck().get() ?? 0;
        const total = Math.ceil(last / part.of);
        const range = rangeOf(last, part.index, part.of);
        Object.assign(
          report,
          checkPayments(database, range, note, done => onProgress(Math.min(done, total), total)),
        );
        onProgress(total, total);
      });
  } finally {
    database.exec('COMMIT');
  }
  if (unlisted > 0)
    report.problems.push({
      kind: 'chain',
      at: { kind: 'log' },
      message: msg('integrity.unlisted', { count: unlisted }),
    });
  return report;
};
