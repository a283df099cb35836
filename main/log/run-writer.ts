import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import { ok } from '../../shared/errors.ts';
import { holdLog, openForWriting, type LogDatabase } from './database.ts';
import { attempt } from './failures.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { logWriter, type LogWriter } from './writer.ts';

/** Drafts in one transaction: enough to share a flush, few enough that the first is not kept waiting. */
const batch = 512;
/** Payments brought up to date in one go: some ten milliseconds. */
const slice = 32;
/** Milliseconds without evidence after which the list is brought up to date, and how long it waits for that at most. */
const stillness = 10;
const patience = 200;
/** While evidence waits for the list: larger pieces cost less. */
const largeSlice = 1_000;
/** When the list is this many payments behind, evidence waits for it. */
const farBehind = 20_000;

export type Port = { post: (message: FromWorker) => void; port: MessagePort };

type Append = Extract<ToWorker, { ask: 'append' }>;

/** Evidence as it comes, what came meanwhile sharing one flush; the list when nothing is waiting. */
const serve = ({ port, post }: Port, writer: LogWriter, close: () => void): void => {
  let scheduled = false;
  let closed = false;
  /** When evidence was last written. */
  let written = 0;
  /** Since when the list lacks something. */
  let behindSince: number | null = null;

  const waiting = (): ToWorker | undefined => {
    const received = receiveMessageOnPort(port);
    return received && (received.message as ToWorker);
  };

  /** Says whether it could; a list that cannot be written now is tried again after the next evidence. */
  const catchUp = (most: number): boolean => {
    const through = attempt(() => writer.catchUp(most));
    if (through.ok) post({ say: 'projected', through: through.value });
    if (through.ok && writer.behind() > 0) later();
    else if (through.ok) behindSince = null;
    return through.ok;
  };
  /** Looks after the list once evidence has been still for a moment: what is written for callers comes first. */
  const later = (): void => {
    if (scheduled) return;
    scheduled = true;
    const wait = performance.now() - written < stillness ? stillness : 0;
    setTimeout(() => {
      scheduled = false;
      if (closed) return;
      const next = waiting();
      if (next) return handle(next);
      const now = performance.now();
      if (writer.behind() === 0) behindSince = null;
      else if (now - written < stillness && now - (behindSince ?? now) < patience) later();
      else catchUp(slice);
    }, wait);
  };

  /** Writes an append and those behind it, as far as one batch goes; returns what came next. */
  const writeBatch = (first: Append): ToWorker | undefined => {
    const asked: Append[] = [];
    let drafts = 0;
    let next: ToWorker | undefined = first;
    while (next?.ask === 'append') {
      asked.push(next);
      for (const append of next.appends) drafts += append.length;
      next = drafts < batch ? waiting() : undefined;
    }
    written = performance.now();
    const places = writer.write(asked.flatMap(({ appends }) => appends));
    let from = 0;
    for (const { id, appends } of asked) {
      post({ say: 'appended', id, result: ok(places.slice(from, from + appends.length)) });
      from += appends.length;
    }
    return next;
  };

  const handle = (first: ToWorker): void => {
    let next: ToWorker | undefined = first;
    while (next) {
      if (next.ask === 'close') {
        closed = true;
        // What is further behind, after a change of the tables, waits for the next start.
        attempt(() => writer.catchUp(farBehind));
        close();
        port.close();
        return;
      }
      if (next.ask === 'erase') {
        const { id, erasure } = next;
        post({ say: 'answer', id, result: attempt(() => writer.erase(erasure)) });
      }
      next = (next.ask === 'append' ? writeBatch(next) : undefined) ?? waiting();
      for (let before = 0; writer.behind() > farBehind && writer.behind() !== before;) {
        before = writer.behind();
        if (!catchUp(largeSlice)) break;
      }
    }
    if (writer.behind() === 0) return;
    behindSince ??= performance.now();
    later();
  };

  port.on('message', handle);
  if (writer.behind() > 0) later();
  post({ say: 'ready' });
};

/** Takes the log for this console alone and writes it until told to close. `name`: whose chain it continues. */
export const runWriter = (port: Port, file: string, name: string): void => {
  const held = holdLog(file);
  if (!held.ok) return port.post({ say: 'refused', error: held.error });
  const refuse = (error: Extract<FromWorker, { say: 'refused' }>['error'], database?: LogDatabase): void => {
    database?.close();
    held.value();
    port.post({ say: 'refused', error });
  };
  const opened = openForWriting(file);
  if (!opened.ok) return refuse(opened.error);
  const database = opened.value;
  const writer = attempt(() => logWriter(database, name));
  if (!writer.ok) return refuse(writer.error, database);
  return serve(port, writer.value, () => {
    database.close();
    held.value();
  });
};
