import { parentPort, workerData } from 'node:worker_threads';
import type { VerifyReport } from '../../../../shared/contract/index.ts';
import { ok, type Result } from '../../../../shared/errors.ts';
import { setFailureSink } from '../../../app-log/failure-report.ts';
import { auditLog } from '../integrity/audit.ts';
import { checkHeads } from '../integrity/check-heads.ts';
import { readChainEnd } from '../files/chain-end.ts';
import { copyLog } from '../files/copy-log.ts';
import { followLog } from '../files/follow-log.ts';
import { readHeads } from '../../heads/head-files.ts';
import { openForReading } from '../store/database.ts';
import { attempt } from '../../failures.ts';
import type { FromWorker, ToWorker, WorkerSetup } from './messages.ts';
import { logReader, type LogReader } from '../query/reader.ts';
import { runWriter, type Port } from './run-writer.ts';

/** Entry point of the log's worker threads: all blocking file access runs on them. */

/** `now`: milliseconds, by the clock that the writer uses. */
const answer = (reader: LogReader, message: ToWorker, now: number): unknown => {
  switch (message.type) {
    case 'payment':
      return reader.payment(...message.args);
    case 'orderRecord':
      return reader.orderRecord(...message.args);
    case 'events':
      return reader.events(...message.args);
    case 'eventPage':
      return reader.eventPage(...message.args);
    case 'change':
      return reader.change(...message.args);
    case 'ordersOf':
      return reader.ordersOf(...message.args);
    case 'list':
      return reader.list(...message.args, now);
    case 'moved':
      return reader.moved(...message.args);
    case 'paymentsToRecheck':
      return reader.paymentsToRecheck(...message.args);
    case 'count':
      return reader.count(...message.args, now);
    case 'totals':
      return reader.totals(...message.args, now);
    case 'counts':
      return reader.counts(...message.args, now);
    case 'overview':
      return reader.overview(...message.args, now);
    case 'reconcile':
      return reader.reconcile(...message.args, now);
    case 'expiringSoon':
      return reader.expiringSoon(...message.args, now);
    case 'notesSince':
      return reader.notesSince(...message.args);
    case 'recentGatewayActivity':
      return reader.recentGatewayActivity(...message.args);
    case 'recentCallbacks':
      return reader.recentCallbacks(...message.args);
    case 'callbackTypes':
      return reader.callbackTypes(...message.args);
    case 'inquiries':
      return reader.inquiries(...message.args);
    case 'activities':
      return reader.activities(...message.args);
    case 'hasEvent':
      return reader.hasEvent(...message.args);
    case 'chainEnds':
      return reader.chainEnds();
    case 'chainedEvents':
      return reader.chainedEvents(...message.args);
    case 'lastRecordedAt':
      return reader.lastRecordedAt();
    case 'proof':
      return reader.proof(...message.args);
    case 'proofPath':
      return reader.proofPath(...message.args);
    case 'append':
    case 'restore':
    case 'correct-clock':
    case 'erase':
    case 'rebuild':
    case 'settle-loss':
    case 'close':
      break;
  }
  return null;
};

/** Threshold for reports of slow requests, milliseconds. */
const slow = 100;

/** Answers requests one after the other, on a connection that never waits for the writer. */
const runReader = ({ port, post }: Port, { file, key }: Pick<WorkerSetup, 'file' | 'key'>): void => {
  const opened = openForReading(file, { key });
  if (!opened.ok) return post({ type: 'refused', error: opened.error });
  const reader = attempt(() => logReader(opened.value));
  if (!reader.ok) {
    opened.value.close();
    return post({ type: 'refused', error: reader.error });
  }
  let correctionMs = 0;
  port.on('message', (message: ToWorker) => {
    if (message.type === 'close') {
      opened.value.close();
      port.close();
    } else if (message.type === 'correct-clock') {
      correctionMs = message.milliseconds;
      post({ type: 'answer', id: message.id, result: ok(null) });
    } else if ('args' in message) {
      const startedAt = performance.now();
      post({
        type: 'answer',
        id: message.id,
        result: attempt(() => answer(reader.value, message, Date.now() + correctionMs)),
      });
      const milliseconds = performance.now() - startedAt;
      if (milliseconds > slow) post({ type: 'slow', read: message.type, milliseconds });
    }
  });
  post({ type: 'ready' });
};

/** Checks the parts one after another. */
const runAuditor = (
  { post }: Port,
  { parts, projected, heads, ...log }: Extract<WorkerSetup, { role: 'auditor' }>,
): Result<VerifyReport> => {
  const opened = openForReading(log.file, { older: true, key: log.key });
  if (!opened.ok) return opened;
  const database = opened.value;
  const result = attempt(() => {
    const all: VerifyReport = { events: 0, payments: 0, problems: [] };
    for (const part of parts) {
      const report = auditLog(
        database,
        part,
        (done, total) => post({ type: 'progress', done, total }),
        projected,
      );
      all.events += report.events;
      all.payments += report.payments;
      all.problems.push(...report.problems);
    }
    if (heads) {
      const recorded = readChainEnd(log.file);
      checkHeads(
        database,
        [...readHeads(heads.folder), ...heads.further],
        recorded ? [...recorded.cuts, recorded.end] : [],
        problem => all.problems.push(problem),
      );
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
      void copyLog(setup, { file: setup.copy, key: setup.copyKey }, report).then(result =>
        post({ type: 'copied', result }),
      );
      break;
    }
    case 'follower':
      post({ type: 'followed', result: followLog(setup, { file: setup.copy, key: setup.copyKey }) });
  }
}
