import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import { ok } from '../../../shared/result.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { holdLog, openForWriting, type LogDatabase } from '../store/database.ts';
import { attempt } from '../failures.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { missingLog, watchLogFiles } from '../files/missing-log.ts';
import { finishReplacement } from '../files/replace-log.ts';
import { parseWellFormed } from '../store/well-formed.ts';
import { logWriter, type LogWriter } from '../store/writer.ts';

/** Drafts in one transaction: enough to share a flush, few enough that the first is not kept waiting. */
const maxBatchDrafts = 512;
/** Characters of their JSON: what one transaction holds in memory is bounded. */
const maxBatchChars = 8 * 1024 * 1024;
/** Milliseconds of one slice of the list: so long may evidence wait that comes meanwhile. */
const sliceMs = 8;
/** Milliseconds without evidence after which the list has all the time. */
const idleMs = 10;
/** While evidence flows, the list pauses after each slice for up to this many times as long as the slice took. */
const maxPause = 9;
/**
 * The further the list is behind, payments, the shorter the pause; at this many, every batch brings it on by more. A
 * burst is taken at full speed; evidence that flows for longer than that has the list nearly level.
 */
const maxBehindInBurst = 50_000;
const maxBehind = 5_000;
/** Until payments that rest are looked at again, milliseconds. */
const restingMs = 50;
/** How long a burst is, and the silence after which another may begin, milliseconds. */
const burstMs = 10_000;
const silenceMs = 1_000;
/** Milliseconds of projecting at the end; what is further behind waits for the next start. */
const closingMs = 1_500;

export type Port = { post: (message: FromWorker) => void; port: MessagePort };

/** Milliseconds between two looks at whether the log's file is still the one that is open. */
const lookEveryMs = 1_000;

type FileCheck = ReturnType<typeof watchLogFiles>;
type Append = Extract<ToWorker, { ask: 'append' }>;

/** Evidence as it comes, what came meanwhile sharing one flush; the list when nothing is waiting. */
const serve = (
  { port, post }: Port,
  writer: LogWriter,
  { missing, markUsed, close }: { missing: FileCheck; markUsed: () => void; close: () => void },
): void => {
  let scheduled = false;
  let closed = false;
  /** When evidence was last written, and how long that took. */
  let writtenAt = 0;
  let tookMs = 0;
  let flowsSince = 0;
  const limit = (): number => (writtenAt - flowsSince < burstMs ? maxBehindInBurst : maxBehind);
  /** Until when the list pauses while evidence flows. */
  let pausedUntil = 0;

  const waiting = (): ToWorker | undefined => {
    const received = receiveMessageOnPort(port);
    return received && (received.message as ToWorker);
  };

  /** Returns whether it could; a list that cannot be written now is tried again after the next evidence. */
  const catchUp = (maxMs: number): boolean => {
    const through = attempt(() => writer.catchUp({ maxMs }));
    if (through.ok) post({ say: 'projected', through: through.value });
    return through.ok;
  };
  const isFlowing = (): boolean => performance.now() - writtenAt < idleMs;
  const followSoon = (delayMs = 2): void => {
    if (scheduled || writer.behind() === 0) return;
    scheduled = true;
    if (isFlowing() || delayMs > 2) setTimeout(follow, delayMs);
    else setImmediate(follow);
  };
  /** A slice of the list, unless evidence waits: what is written for callers comes first. */
  const follow = (): void => {
    scheduled = false;
    if (closed) return;
    const next = waiting();
    if (next) return handle(next);
    const began = performance.now();
    if (isFlowing() && began < pausedUntil) return followSoon();
    const before = writer.behind();
    const worked = catchUp(sliceMs);
    const now = performance.now();
    pausedUntil = now + (now - began) * maxPause * Math.max(0, 1 - writer.behind() / limit());
    // Nothing moved: what is behind takes long to read and rests.
    if (worked) followSoon(writer.behind() === before ? restingMs : 2);
  };

  /** Writes an append and those behind it, as far as one batch goes; returns what came next. */
  const writeBatch = (first: Append): ToWorker | undefined => {
    const asked: { id: number; appends: EventDraft[][] }[] = [];
    let drafts = 0;
    let chars = 0;
    let next: ToWorker | undefined = first;
    while (next?.ask === 'append') {
      // Written by the main thread, from drafts it has checked.
      const appends = parseWellFormed(next.appends) as EventDraft[][];
      asked.push({ id: next.id, appends });
      for (const append of appends) drafts += append.length;
      chars += next.appends.length;
      next = drafts < maxBatchDrafts && chars < maxBatchChars ? waiting() : undefined;
    }
    const began = performance.now();
    const results = writer.write(asked.flatMap(({ appends }) => appends));
    // What went into a file that is found under no name is not durable for anyone.
    const gone = missing();
    const places = gone ? results.map(() => gone) : results;
    if (!gone && places.some(({ ok: wasWritten }) => wasWritten)) markUsed();
    let from = 0;
    for (const { id, appends } of asked) {
      post({ say: 'appended', id, result: ok(JSON.stringify(places.slice(from, from + appends.length))) });
      from += appends.length;
    }
    if (began - writtenAt > silenceMs) flowsSince = began;
    writtenAt = performance.now();
    tookMs = writtenAt - began;
    return next;
  };

  const handle = (first: ToWorker): void => {
    let next: ToWorker | undefined = first;
    while (next) {
      if (next.ask === 'close') {
        closed = true;
        clearInterval(looking);
        const until = performance.now() + closingMs;
        while (writer.behind() > 0 && performance.now() < until) if (!catchUp(sliceMs)) break;
        close();
        port.close();
        return;
      }
      if (next.ask === 'erase') {
        const { id, erasure } = next;
        post({ say: 'answer', id, result: attempt(() => writer.erase(erasure)) });
      }
      if (next.ask === 'rebuild') {
        const last = attempt(() => writer.rebuild());
        if (last.ok) post({ say: 'rebuilding' });
        post({ say: 'answer', id: next.id, result: last });
      }
      next = (next.ask === 'append' ? writeBatch(next) : undefined) ?? waiting();
      if (writer.behind() > limit()) catchUp(Math.max(sliceMs, 2 * tookMs));
    }
    followSoon();
  };

  let wasMissing = false;
  const looking = setInterval(() => {
    const gone = missing();
    if (gone || wasMissing) post({ say: 'files', error: gone?.error ?? null });
    wasMissing = gone !== null;
  }, lookEveryMs);
  port.on('message', handle);
  followSoon();
  post({ say: 'ready' });
};

/** Takes the log for this console alone and writes it until told to close. `name`: whose chain it continues. */
export const runWriter = (port: Port, file: string, name: string): void => {
  const held = holdLog(file);
  if (!held.ok) return port.post({ say: 'refused', error: held.error });
  const { wasUsed, markUsed, release } = held.value;
  const refuse = (error: Extract<FromWorker, { say: 'refused' }>['error'], database?: LogDatabase): void => {
    database?.close();
    release();
    port.post({ say: 'refused', error });
  };
  const finished = attempt(() => finishReplacement(file));
  if (!finished.ok) return refuse(finished.error);
  const missing = missingLog(file, wasUsed);
  if (missing) return refuse(missing.error);
  const opened = openForWriting(file);
  if (!opened.ok) return refuse(opened.error);
  const database = opened.value;
  const writer = attempt(() => logWriter(database, name));
  if (!writer.ok) return refuse(writer.error, database);
  let marked = wasUsed;
  const mark = (): void => {
    if (!marked) marked = attempt(markUsed).ok;
  };
  if (writer.value.isUsed()) mark();
  return serve(port, writer.value, {
    missing: watchLogFiles(file),
    markUsed: mark,
    close: () => {
      database.close();
      release();
    },
  });
};
