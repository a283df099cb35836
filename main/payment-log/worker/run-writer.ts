import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import { ok } from '../../../shared/result.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { lockLog, openForWriting, type LogDatabase } from '../store/database.ts';
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
const cooldownMs = 50;
/** How long a burst is, and the silence after which another may begin, milliseconds. */
const burstMs = 10_000;
const silenceMs = 1_000;
/** Milliseconds of projecting at the end; what is further behind waits for the next start. */
const closingMs = 1_500;

export type Port = { post: (message: FromWorker) => void; port: MessagePort };

/** Milliseconds between two looks at whether the log's file is still the one that is open. */
const fileCheckIntervalMs = 1_000;

type FileCheck = ReturnType<typeof watchLogFiles>;
type Append = Extract<ToWorker, { type: 'append' }>;

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
  let durationMs = 0;
  let burstStartedAt = 0;
  const limit = (): number => (writtenAt - burstStartedAt < burstMs ? maxBehindInBurst : maxBehind);
  /** Until when the list pauses while evidence flows. */
  let pausedUntil = 0;

  const waiting = (): ToWorker | undefined => {
    const received = receiveMessageOnPort(port);
    return received && (received.message as ToWorker);
  };

  /** Returns whether it could; a list that cannot be written now is tried again after the next evidence. */
  const catchUp = (maxMs: number): boolean => {
    const through = attempt(() => writer.catchUp({ maxMs }));
    if (through.ok) post({ type: 'projected', through: through.value });
    return through.ok;
  };
  const isBursting = (): boolean => performance.now() - writtenAt < idleMs;
  const scheduleFollow = (delayMs = 2): void => {
    if (scheduled || writer.behind() === 0) return;
    scheduled = true;
    if (isBursting() || delayMs > 2) setTimeout(follow, delayMs);
    else setImmediate(follow);
  };
  /** A slice of the list, unless evidence waits: what is written for callers comes first. */
  const follow = (): void => {
    scheduled = false;
    if (closed) return;
    const next = waiting();
    if (next) return handle(next);
    const startedAt = performance.now();
    if (isBursting() && startedAt < pausedUntil) return scheduleFollow();
    const before = writer.behind();
    const worked = catchUp(sliceMs);
    const now = performance.now();
    pausedUntil = now + (now - startedAt) * maxPause * Math.max(0, 1 - writer.behind() / limit());
    // Nothing moved: what is behind takes long to read and rests.
    if (worked) scheduleFollow(writer.behind() === before ? cooldownMs : 2);
  };

  /** Writes an append and those behind it, as far as one batch goes; returns what came next. */
  const writeBatch = (first: Append): ToWorker | undefined => {
    const asked: { id: number; appends: EventDraft[][] }[] = [];
    let drafts = 0;
    let chars = 0;
    let next: ToWorker | undefined = first;
    while (next?.type === 'append') {
      // Written by the main thread, from drafts it has checked.
      const appends = parseWellFormed(next.appends) as EventDraft[][];
      asked.push({ id: next.id, appends });
      for (const append of appends) drafts += append.length;
      chars += next.appends.length;
      next = drafts < maxBatchDrafts && chars < maxBatchChars ? waiting() : undefined;
    }
    const startedAt = performance.now();
    const results = writer.write(asked.flatMap(({ appends }) => appends));
    // What went into a file that is found under no name is not durable for anyone.
    const gone = missing();
    const places = gone ? results.map(() => gone) : results;
    if (!gone && places.some(({ ok: wasWritten }) => wasWritten)) markUsed();
    let from = 0;
    for (const { id, appends } of asked) {
      post({ type: 'appended', id, result: ok(JSON.stringify(places.slice(from, from + appends.length))) });
      from += appends.length;
    }
    if (startedAt - writtenAt > silenceMs) burstStartedAt = startedAt;
    writtenAt = performance.now();
    durationMs = writtenAt - startedAt;
    return next;
  };

  const handle = (first: ToWorker): void => {
    let next: ToWorker | undefined = first;
    while (next) {
      if (next.type === 'close') {
        closed = true;
        clearInterval(fileCheckTimer);
        const until = performance.now() + closingMs;
        while (writer.behind() > 0 && performance.now() < until) if (!catchUp(sliceMs)) break;
        close();
        port.close();
        return;
      }
      if (next.type === 'erase') {
        const { id, erasure } = next;
        post({ type: 'answer', id, result: attempt(() => writer.erase(erasure)) });
      }
      if (next.type === 'rebuild') {
        const last = attempt(() => writer.rebuild());
        if (last.ok) post({ type: 'rebuilding' });
        post({ type: 'answer', id: next.id, result: last });
      }
      next = (next.type === 'append' ? writeBatch(next) : undefined) ?? waiting();
      if (writer.behind() > limit()) catchUp(Math.max(sliceMs, 2 * durationMs));
    }
    scheduleFollow();
  };

  let wasMissing = false;
  const fileCheckTimer = setInterval(() => {
    const gone = missing();
    if (gone || wasMissing) post({ type: 'files', error: gone?.error ?? null });
    wasMissing = gone !== null;
  }, fileCheckIntervalMs);
  port.on('message', handle);
  scheduleFollow();
  post({ type: 'ready' });
};

/** Takes the log for this console alone and writes it until told to close. `name`: whose chain it continues. */
export const runWriter = (port: Port, file: string, name: string): void => {
  const held = lockLog(file);
  if (!held.ok) return port.post({ type: 'refused', error: held.error });
  const { wasUsed, markUsed, release } = held.value;
  const refuse = (error: Extract<FromWorker, { type: 'refused' }>['error'], database?: LogDatabase): void => {
    database?.close();
    release();
    port.post({ type: 'refused', error });
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
  let isMarked = wasUsed;
  const markAsUsed = (): void => {
    if (!isMarked) isMarked = attempt(markUsed).ok;
  };
  if (writer.value.isUsed()) markAsUsed();
  return serve(port, writer.value, {
    missing: watchLogFiles(file),
    markUsed: markAsUsed,
    close: () => {
      database.close();
      release();
    },
  });
};
