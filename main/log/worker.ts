import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import { ok, type Result } from '../../shared/errors.ts';
import type { EventDraft } from '../../shared/evidence.ts';
import { auditLog } from './audit.ts';
import { holdLog, openForReading, openForWriting } from './database.ts';
import { toLogFailure } from './failures.ts';
import type { FromWorker, ToWorker, WorkerSetup } from './messages.ts';
import { logReader, type LogReader } from './reader.ts';
import { logWriter } from './writer.ts';

/** The log's threads start here: all of the disk's waiting happens on them. */

/** Drafts in one transaction: enough to share a flush, few enough that the first is not kept waiting. */
const batch = 512;

type Port = { post: (message: FromWorker) => void; port: MessagePort };

const attempt = <T>(work: () => T): Result<T> => {
  try {
    return ok(work());
  } catch (thrown) {
    return toLogFailure(thrown);
  }
};

/** Writes appends as they come; those that came while the disk was busy share the next flush. */
const runWriter = ({ port, post }: Port, { file, writer: name }: WorkerSetup): void => {
  const held = holdLog(file);
  if (!held.ok) return post({ say: 'refused', error: held.error });
  const opened = openForWriting(file);
  if (!opened.ok) {
    held.value();
    return post({ say: 'refused', error: opened.error });
  }
  const started = attempt(() => logWriter(opened.value, name));
  if (!started.ok) {
    opened.value.close();
    held.value();
    return post({ say: 'refused', error: started.error });
  }
  port.on('message', (first: ToWorker) => {
    let next: ToWorker | undefined = first;
    while (next) {
      const ids: number[] = [];
      const appends: (readonly EventDraft[])[] = [];
      let drafts = 0;
      while (next?.ask === 'append') {
        ids.push(next.id);
        appends.push(next.drafts);
        drafts += next.drafts.length;
        next = drafts < batch ? (receiveMessageOnPort(port)?.message as ToWorker | undefined) : undefined;
      }
      const results = started.value.write(appends);
      for (const [index, result] of results.entries()) {
        const id = ids[index];
        if (id !== undefined) post({ say: 'appended', id, result });
      }
      if (next?.ask === 'close') {
        opened.value.close();
        held.value();
        port.close();
        return;
      }
      next = receiveMessageOnPort(port)?.message as ToWorker | undefined;
    }
  });
  post({ say: 'ready' });
};

const answer = (reader: LogReader, message: ToWorker): Result<unknown> =>
  attempt(() => {
    switch (message.ask) {
      case 'payment':
        return reader.payment(...message.with);
      case 'events':
        return reader.events(...message.with);
      case 'ordersOf':
        return reader.ordersOf(...message.with);
      case 'list':
        return reader.list(...message.with, Date.now());
      case 'counts':
        return reader.counts(...message.with, Date.now());
      case 'recentCallbacks':
        return reader.recentCallbacks(...message.with);
      case 'knows':
        return reader.knows(...message.with);
      case 'append':
      case 'close':
        break;
    }
    return null;
  });

/** Answers questions one after the other, on a connection that never waits for the writer. */
const runReader = ({ port, post }: Port, { file }: WorkerSetup): void => {
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
    } else if (message.ask !== 'append') {
      post({ say: 'answer', id: message.id, result: answer(reader.value, message) });
    }
  });
  post({ say: 'ready' });
};

/** Verifies once, reports, and ends. */
const runAuditor = ({ port, post }: Port, { file }: WorkerSetup): void => {
  const opened = openForReading(file);
  if (!opened.ok) return post({ say: 'report', result: opened });
  const result = attempt(() =>
    auditLog(opened.value, (done, total) => post({ say: 'progress', done, total })),
  );
  opened.value.close();
  post({ say: 'report', result });
  port.close();
};

if (parentPort) {
  const port = parentPort;
  const setup = workerData as WorkerSetup;
  const roles = { writer: runWriter, reader: runReader, auditor: runAuditor };
  roles[setup.role]({ port, post: message => port.postMessage(message) }, setup);
}
