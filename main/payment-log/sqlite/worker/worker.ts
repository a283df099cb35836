import { parentPort, workerData } from 'node:worker_threads';
import type { VerifyReport } from '../../../../shared/contract/contract.ts';
import type { Result } from '../../../../shared/errors.ts';
import { setFailureSink } from '../../../app-log/failure-report.ts';
import { auditLog } from '../integrity/audit.ts';
import { checkHeads } from '../integrity/check-heads.ts';
import { readChainEnd } from '../files/chain-end.ts';
import { copyLog } from '../files/copy-log.ts';
import { readHeads } from '../../heads/head-files.ts';
import { openForReading } from '../store/database.ts';
import { msg } from '../../../../shared/messages/message.ts';
import { attempt } from '../../log-failures.ts';
import type { FromWorker, WorkerSetup } from './messages.ts';
import { runReader } from './run-reader.ts';
import { runWriter, type Port } from './run-writer.ts';

/** Entry point of the log's worker threads: all blocking file access runs on them. */

/** Checks the parts one after another. */
const runAuditor = (
  { post }: Port,
  { parts, heads, file }: Extract<WorkerSetup, { role: 'auditor' }>,
): Result<VerifyReport> => {
  const opened = openForReading(file);
  if (!opened.ok) return opened;
  const database = opened.value;
  const result = attempt(() => {
    const all: VerifyReport = { events: 0, payments: 0, problems: [] };
    for (const part of parts) {
      const report = auditLog(database, part, (done, total) => post({ type: 'progress', done, total }));
      all.events += report.events;
      all.payments += report.payments;
      all.problems.push(...report.problems);
    }
    if (heads) {
      const recorded = readChainEnd(file);
      checkHeads(
        database,
        [...readHeads(heads.folder), ...heads.further],
        recorded ? [...recorded.cuts, recorded.end] : [],
        problem => all.problems.push(problem),
      );
      if (recorded?.madeAt)
        all.problems.push({
          kind: 'head',
          at: { kind: 'end-file' },
          message: msg('integrity.end.made', { at: recorded.madeAt }),
        });
    }
    return all;
  });
  database.close();
  return result;
};

if (parentPort) {
  const port = parentPort;
  const post = (message: FromWorker): void => port.postMessage(message);
  const setup = workerData as WorkerSetup;
  setFailureSink(failure => post({ type: 'failed', failure }));
  switch (setup.role) {
    case 'writer':
      runWriter({ port, post }, setup);
      break;
    case 'reader':
      runReader({ port, post }, setup);
      break;
    case 'auditor':
      post({ type: 'report', result: runAuditor({ port, post }, setup) });
      break;
    case 'copier': {
      const report = (done: number, total: number): void => post({ type: 'progress', done, total });
      void copyLog(setup.file, setup.copy, report).then(result => post({ type: 'copied', result }));
      break;
    }
    // Its entry point is list-worker.ts.
    case 'list-writer':
  }
}
