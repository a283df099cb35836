import { basename } from 'node:path';
import { parentPort, type MessagePort } from 'node:worker_threads';
import { ok, type Result } from '../../shared/errors.ts';
import { decodeBytes } from './forms/text-form.ts';
import type {
  FileSource,
  FromFileWorker,
  LogReadRequest,
  LogReads,
  ThreadRequest,
  ToFileWorker,
} from './file-worker-messages.ts';
import {
  fileReading,
  readCallbackFile,
  unreadableFile,
  type FileReading,
  type FileText,
} from './file-reading.ts';
import { inspect, inspectFound } from './inspect.ts';
import { parseCallbacks } from './parse.ts';
import { provenReading, verifyAgainstCandidates, type Candidate } from './verify-callback.ts';

/** The worker thread that reads and inspects callbacks: pasted texts, and one open file. */

type PendingReply = { resolve: (value: unknown) => void; reject: (error: Error) => void };

const serve = (port: MessagePort): void => {
  const post = (message: FromFileWorker): void => port.postMessage(message);
  let reading: FileReading | null = null;
  /** A file whose content is received part by part. */
  let arriving: { whole: Buffer; at: number; done: (text: FileText) => void } | null = null;
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

  const readSource = async (source: FileSource): Promise<Result<FileText>> => {
    if ('file' in source) return readCallbackFile(source.file);
    return ok(
      await new Promise<FileText>(done => {
        arriving = { whole: Buffer.alloc(source.bytes), at: 0, done };
      }),
    );
  };

  const open = async (source: FileSource, candidates: readonly Candidate[]): Promise<void> => {
    const read = await readSource(source);
    if (!read.ok) return post({ type: 'refused', error: read.error });
    const name = 'file' in source ? basename(source.file) : source.name;
    reading = fileReading({ name, ...read.value }, candidates);
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
        open(message.source, message.candidates).catch(() =>
          post({ type: 'refused', error: unreadableFile().error }),
        );
        return;
      case 'part': {
        if (!arriving) return;
        arriving.at += Buffer.from(message.part).copy(arriving.whole, arriving.at);
        if (arriving.at < arriving.whole.length) return;
        const { whole, done } = arriving;
        arriving = null;
        done({ bytes: whole.length, ...decodeBytes(whole) });
        return;
      }
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
