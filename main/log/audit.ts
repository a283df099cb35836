import type { VerifyReport } from '../../shared/contract.ts';
import type { AuditPart } from './audit-parts.ts';
import { checkChain, type Problem } from './check-chain.ts';
import { checkProjection } from './check-projection.ts';
import type { LogDatabase } from './database.ts';
import { toLogFailure } from './failures.ts';

/** More problems than this are counted, not listed: the first ones say where to look. */
const listed = 1_000;
/** Events between two words on progress. */
const stride = 5_000;

/** Asks SQLite itself whether pages, tables and indexes fit together; what it says is passed on. */
const checkFile = (database: LogDatabase, note: (problem: Problem) => void): void => {
  const said = database.prepare<[], string>('PRAGMA integrity_check').pluck().all();
  for (const message of said) if (message !== 'ok') note({ kind: 'chain', at: 'the file', message });
};

/** A file too damaged to be walked is a finding, not a failure. Throws SQLite's other errors. */
const unlessDamaged = (note: (problem: Problem) => void, work: () => void): void => {
  try {
    work();
  } catch (thrown) {
    const { error } = toLogFailure(thrown);
    if (error.code !== 'log.corrupt') throw thrown;
    note({ kind: 'chain', at: 'the file', message: error.message });
  }
};

/**
 * Checks one part of the log on a consistent view of it: the file and every chain, or the older or newer half of
 * the payments, each rebuilt from its evidence and compared. `onProgress`: events done and to do, of which the
 * second is a guess. Throws SQLite's errors.
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
  database.exec('BEGIN');
  try {
    unlessDamaged(note, () => {
      const last = database.prepare<[], number | null>('SELECT max(seq) FROM event').pluck().get() ?? 0;
      const middle = Math.floor(last / 2);
      const total = part === 'chain' ? last : part === 'older' ? middle : last - middle;
      let done = 0;
      const step = (): void => {
        done += 1;
        if (done % stride === 0) onProgress(Math.min(done, total), total);
      };
      if (part === 'chain') {
        unlessDamaged(note, () => checkFile(database, note));
        report.events = checkChain(database, note, step);
      } else {
        const range = part === 'older' ? { after: 0, until: middle } : { after: middle, until: last };
        report.payments = checkProjection(database, range, note, step);
      }
      onProgress(total, total);
    });
  } finally {
    database.exec('COMMIT');
  }
  if (unlisted > 0) {
    report.problems.push({ kind: 'chain', at: 'the whole log', message: `${unlisted} more are not listed.` });
  }
  return report;
};
