import { parentPort, type MessagePort } from 'node:worker_threads';
import { msg } from '../../shared/messages/message.ts';
import type {
  FromFileWorker,
  LogReadRequest,
  LogReads,
  ThreadRequest,
  ToFileWorker,
} from './file-worker-client.ts';
import { fileReading, type FileReading, type FileText } from './file-reading.ts';
import { inspect, inspectFound } from './inspect.ts';
import { parseCallbacks } from './parse.ts';
import { provenReading, verifyAgainstCandidates, type Candidate } from './verify-callback.ts';

/** The worker thread that reads and inspects callbacks: pasted texts, and one open file. */

type PendingReply = { resolve: (value: unknown) => void; reject: (error: Error) => void };

const serve = (port: MessagePort): void => {
  const post = (message: FromFileWorker): void => port.postMessage(message);
  let reading: FileReading | null = null;
  const waiting = new Map<number, PendingReply>();
  let nextRead = 0;

  const readFromLog = (read: LogReadRequest): Promise<unknown> =>
    new Promise((resolve, reject) => {
      nextRead += 1;
      waiting.set(nextRead, { resolve, reject });
      post({ type: 'log-read', id: nextRead, read });
    });
  const log: LogReads = {
    orderRecordOf: async (...given) =>
      (await readFromLog({ name: 'orderRecordOf', args: given })) as Awaited<
        ReturnType<LogReads['orderRecordOf']>
      >,
    hasEvent: async (...given) => (await readFromLog({ name: 'hasEvent', args: given })) === true,
  };

  const open = async (file: FileText, candidates: readonly Candidate[]): Promise<void> => {
    reading = fileReading(file, candidates);
    await reading.run(state => post({ type: 'state', state }));
  };

  const answer = (request: ThreadRequest): unknown => {
    switch (request.name) {
      case 'rows':
        return reading?.rows(...request.args) ?? { rows: [], total: 0 };
      case 'batch':
        return reading?.batch(...request.args) ?? [];
      case 'inspectOne': {
        const [index, candidates] = request.args;
        const found = reading?.one(index);
        return found ? inspectFound([found], { ...log, candidates }) : null;
      }
      case 'inspect': {
        const [text, form, candidates] = request.args;
        return inspect(text, { ...log, form, candidates });
      }
      case 'read': {
        const [text, form, candidates] = request.args;
        return parseCallbacks(text, form).callbacks.flatMap(found => {
          const { fields, form: read, doubt } = provenReading(found, candidates);
          const result = verifyAgainstCandidates(fields, candidates);
          // What was not read with certainty is no evidence against its sender.
          return doubt !== undefined && result.verification.verdict !== 'verified'
            ? []
            : [{ fields, form: read, ...result }];
        });
      }
    }
  };

  const respond = async (request: ThreadRequest): Promise<void> => {
    const { id } = request;
    try {
      post({ type: 'answer', id, value: await answer(request), hasFailed: false });
    } catch {
      post({ type: 'answer', id, value: null, hasFailed: true });
    }
  };

  port.on('message', (message: ToFileWorker) => {
    switch (message.type) {
      case 'open':
        open(message.file, message.candidates).catch(() =>
          post({ type: 'refused', error: { code: 'internal', message: msg('file.stopped') } }),
        );
        return;
      case 'request':
        void respond(message);
        return;
      case 'log-answer': {
        const pending = waiting.get(message.id);
        waiting.delete(message.id);
        if (message.hasFailed) pending?.reject(new Error('The payment log did not respond.'));
        else pending?.resolve(message.value);
      }
    }
  });
};

if (parentPort) serve(parentPort);
