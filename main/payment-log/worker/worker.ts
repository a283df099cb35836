import { parentPort, workerData } from 'node:worker_threads';
import { ok } from '../../../shared/result.ts';
import { setFailureSink } from '../../app-log/failure-report.ts';
import { auditLog } from '../integrity/audit.ts';
import type { Problem } from '../integrity/check-chain.ts';
import { checkHeads } from '../integrity/check-heads.ts';
import { copyLog } from '../files/copy-log.ts';
import { readHeads } from '../integrity/head-files.ts';
import { openForReading } from '../store/database.ts';
import { attempt } from '../failures.ts';
import type { FromWorker, ToWorker, WorkerSetup } from './messages.ts';
import { logReader, type LogReader } from '../store/reader.ts';
import { runWriter, type Port } from './run-writer.ts';

/** The log's threads start here: all of the disk's waiting happens on them. */

const answer = (reader: LogReader, message: ToWorker): unknown => {
  switch (message.ask) {
    case 'payment':
      return reader.payment(...message.with);
    case 'orderRecord':
      return reader.orderRecord(...message.with);
    case 'events':
      return reader.events(...message.with);
    case 'eventPage':
      return reader.eventPage(...message.with);
    case 'change':
      return reader.change(...message.with);
    case 'ordersOf':
      return reader.ordersOf(...message.with);
    case 'list':
      return reader.list(...message.with, Date.now());
    case 'count':
      return reader.count(...message.with, Date.now());
    case 'counts':
      return reader.counts(...message.with, Date.now());
    case 'overview':
      return reader.overview(...message.with, Date.now());
    case 'reconcile':
      return reader.reconcile(...message.with, Date.now());
    case 'runningOut':
      return reader.runningOut(...message.with, Date.now());
    case 'notesSince':
      return reader.notesSince(...message.with);
    case 'lastCalls':
      return reader.lastCalls(...message.with);
    case 'recentCallbacks':
      return reader.recentCallbacks(...message.with);
    case 'inquiries':
      return reader.inquiries(...message.with);
    case 'knows':
      return reader.knows(...message.with);
    case 'chainEnds':
      return reader.chainEnds();
    case 'lastRecordedAt':
      return reader.lastRecordedAt();
    case 'proof':
      return reader.proof(...message.with);
    case 'proofPath':
      return reader.proofPath(...message.with);
    case 'append':
    case 'erase':
    case 'rebuild':
    case 'close':
      break;
  }
  return null;
};

/** Milliseconds beyond which a question is reported as slow. */
const slow = 100;

/** Answers questions one after the other, on a connection that never waits for the writer. */
const runReader = ({ port, post }: Port, file: string): void => {
  const opened = openForReading(file);
  if (!opened.ok) return post({ say: 'refused', error: opened.error });
  const reader = attempt(() => logReader(opened.value));
  if (!reader.ok) {
    opened.value.close();
    return post({ say: 'refused', error: reader.error });
  }
  port.on('message', (message: ToWorker) => {
    if (message.ask === 'close') {
      opened.value.close();
      port.close();
    } else if (message.ask !== 'append' && message.ask !== 'erase' && message.ask !== 'rebuild') {
      const began = performance.now();
      post({ say: 'answer', id: message.id, result: attempt(() => answer(reader.value, message)) });
      const milliseconds = performance.now() - began;
      if (milliseconds > slow) post({ say: 'slow', question: message.ask, milliseconds });
    }
  });
  post({ say: 'ready' });
};

if (parentPort) {
  const port = parentPort;
  const post = (message: FromWorker): void => port.postMessage(message);
  const setup = workerData as WorkerSetup;
  setFailureSink(failure => post({ say: 'failed', failure }));
  switch (setup.role) {
    case 'writer':
      runWriter({ port, post }, setup.file, setup.writer);
      break;
    case 'reader':
      runReader({ port, post }, setup.file);
      break;
    case 'auditor': {
      const opened = openForReading(setup.file, { older: true });
      const report = (done: number, total: number): void => post({ say: 'progress', done, total });
      const result = opened.ok
        ? attempt(() => auditLog(opened.value, setup.part, report, setup.projected))
        : opened;
      if (opened.ok) opened.value.close();
      post({ say: 'report', result });
      break;
    }
    case 'head-checker': {
      const { file, headFolder, heads } = setup;
      const opened = openForReading(file, { older: true });
      const problems: Problem[] = [];
      const result = opened.ok
        ? attempt(() =>
            checkHeads(opened.value, [...readHeads(headFolder), ...heads], problem => problems.push(problem)),
          )
        : opened;
      if (opened.ok) opened.value.close();
      post({ say: 'report', result: result.ok ? ok({ events: 0, payments: 0, problems }) : result });
      break;
    }
    case 'copier': {
      const report = (done: number, total: number): void => post({ say: 'progress', done, total });
      void copyLog(setup.file, setup.copy, report).then(result => post({ say: 'copied', result }));
    }
  }
}
