import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import { ok } from '../../shared/result.ts';
import type { EventDraft } from '../../shared/evidence.ts';
import { holdLog, openForWriting, type LogDatabase } from './database.ts';
import { attempt } from './failures.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { logWriter, type LogWriter } from './writer.ts';

/** Drafts in one transaction: enough to share a flush, few enough that the first is not kept waiting. */
const batch = 512;
/** Payments brought up to date in one go: some milliseconds, which evidence that comes meanwhile waits. */
const slice = 16;
/** Milliseconds without evidence after which the list has all the time. */
const stillness = 10;
/** Until then it gets small pieces, and rests after each up to this many times as long as it took. */
const smallSlice = 8;
const rest = 9;
/** The further the list is behind, the less it rests; this many payments behind, every batch brings it on by more. */
const farBehind = 20_000;

export type Port = { post: (message: FromWorker) => void; port: MessagePort };

type Append = Extract<ToWorker, { ask: 'append' }>;

/** Evidence as it comes, what came meanwhile sharing one flush; the list when nothing is waiting. */
const serve = ({ port, post }: Port, writer: LogWriter, close: () => void): void => {
  let scheduled = false;
  let closed = false;
  /** When evidence was last written, and how much. */
  let written = 0;
  let wrote = 0;
  /** Until when the list rests while evidence flows. */
  let restUntil = 0;

  const waiting = (): ToWorker | undefined => {
    const received = receiveMessageOnPort(port);
    return received && (received.message as ToWorker);
  };

  /** Says whether it could; a list that cannot be written now is tried again after the next evidence. */
  const catchUp = (most: number): boolean => {
    const through = attempt(() => writer.catchUp(most));
    if (through.ok) post({ say: 'projected', through: through.value });
    if (through.ok && writer.behind() > 0) later();
    return through.ok;
  };
  /** Looks after the list once evidence has been still for a moment: what is written for callers comes first. */
  const later = (): void => {
    if (scheduled) return;
    scheduled = true;
    const flows = (): boolean => performance.now() - written < stillness;
    setTimeout(
      () => {
        scheduled = false;
        if (closed) return;
        const next = waiting();
        if (next) return handle(next);
        if (writer.behind() === 0) return;
        const began = performance.now();
        if (flows() && began < restUntil) return later();
        catchUp(flows() ? smallSlice : slice);
        const now = performance.now();
        restUntil = now + (now - began) * rest * Math.max(0, 1 - writer.behind() / farBehind);
      },
      flows() ? 2 : 0,
    );
  };

  /** Writes an append and those behind it, as far as one batch goes; returns what came next. */
  const writeBatch = (first: Append): ToWorker | undefined => {
    const asked: { id: number; appends: EventDraft[][] }[] = [];
    let drafts = 0;
    let next: ToWorker | undefined = first;
    while (next?.ask === 'append') {
      // Written by the main thread, from drafts it has checked.
      const appends = JSON.parse(next.appends) as EventDraft[][];
      asked.push({ id: next.id, appends });
      for (const append of appends) drafts += append.length;
      next = drafts < batch ? waiting() : undefined;
    }
    written = performance.now();
    wrote = drafts;
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
      if (writer.behind() > farBehind) catchUp(Math.max(slice, 2 * wrote));
    }
    if (writer.behind() > 0) later();
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
