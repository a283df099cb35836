import { basename } from 'node:path';
import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import { ok, type Result } from '../../../../shared/errors.ts';
import type { EventDraft } from '../../../../shared/payments/evidence.ts';
import { lockLog, openForWriting, type LogDatabase } from '../store/database.ts';
import { reportFailure } from '../../../app-log/failure-report.ts';
import { attempt } from '../../log-failures.ts';
import type { ChainEnd } from '../../answers.ts';
import type { FromWorker, ToWorker, WorkerSetup } from './messages.ts';
import {
  fileIdentity,
  findCut,
  isEndMissing,
  openChainEnd,
  readChainEnd,
  stillMissing,
} from '../files/chain-end.ts';
import { finishReplacement, missingLog, watchLogFiles, type FileCheck } from '../files/replace-log.ts';
import { parseWellFormed } from '../../evidence/well-formed.ts';
import { logWriter, type LogWriter } from '../store/writer.ts';
import { systemClock } from '../../../clock.ts';

/** Batch limit of one transaction, drafts: enough to share a flush, few enough that the first does not wait long. */
const maxBatchDrafts = 512;
/** Batch limit of one transaction, characters of JSON: bounds its memory. */
const maxBatchChars = 8 * 1024 * 1024;
/** Idle time: without evidence for this long there is no load. */
const idleMs = 10;
/** Delay before the first removal of erased words: the first screens do not wait for it. */
const firstRemovalMs = 5_000;
/** Pause after each step of the removal, as a multiple of the step's duration. */
const removalPause = 4;
/** Delay of the removal under load or while a reader needs the old pages, and after a failure. */
const laterMs = 1_000;
const failedMs = 60_000;

export type Port = { post: (message: FromWorker) => void; port: MessagePort };

/** Interval between checks that the log's file is still the open one. */
const fileCheckIntervalMs = 1_000;

type Append = Extract<ToWorker, { type: 'append' }>;

/** Writes evidence, batched to share a flush. */
const handleMessages = (
  { port, post }: Port,
  writer: LogWriter,
  {
    missing,
    recordEnd,
    setClean,
    setCuts,
    markUsed,
    close,
  }: {
    missing: FileCheck;
    recordEnd: (end: ChainEnd) => void;
    /** Records whether the write-ahead log holds no erased words. Throws file system errors. */
    setClean: (isClean: boolean) => void;
    /** Reports no missing ends from now on, or only those that are missing still. Throws SQLite and file system errors. */
    setCuts: (reported: 'none' | 'missing') => void;
    markUsed: () => void;
    close: () => void;
  },
): void => {
  let closed = false;
  /** When evidence was last written. */
  let writtenAt = 0;

  const receiveNext = (): ToWorker | undefined => {
    const received = receiveMessageOnPort(port);
    return received && (received.message as ToWorker);
  };

  /** Nothing is written into a file that is no longer the log, and no write hides that it was cut. */
  const whilePresent = <T>(work: () => Result<T>): Result<T> => {
    const filesFailure = missing();
    if (filesFailure) return filesFailure;
    const result = work();
    missing.written();
    return result;
  };

  const isUnderLoad = (): boolean => performance.now() - writtenAt < idleMs;
  const recordClean = (): void => {
    if (!writer.hasErasedWords()) attempt(() => setClean(true));
  };
  /** Work that may erase: the next start removes erased words if this one ends before it has. */
  const erasing = <T>(work: () => T): Result<T> => {
    const result = whilePresent(() =>
      attempt(() => {
        setClean(false);
        return work();
      }),
    );
    recordClean();
    return result;
  };
  let isRemovalScheduled = false;
  /** Schedules a step that removes erased words, which an interrupted erasure left. */
  const scheduleRemoval = (delayMs: number): void => {
    if (isRemovalScheduled || !writer.hasErasedWords()) return;
    isRemovalScheduled = true;
    setTimeout(removeErasedWords, delayMs).unref();
  };
  const removeErasedWords = (): void => {
    isRemovalScheduled = false;
    if (closed) return;
    if (isUnderLoad()) return scheduleRemoval(laterMs);
    const startedAt = performance.now();
    const step = whilePresent(() => attempt(() => writer.removeErasedWords()));
    recordClean();
    if (!step.ok) scheduleRemoval(failedMs);
    else scheduleRemoval(step.value === 'later' ? laterMs : removalPause * (performance.now() - startedAt));
  };
  /** Writes an append and the ones queued behind it, up to one batch; returns the next other message. */
  const writeBatch = (first: Append): ToWorker | undefined => {
    const requests: { id: number; appends: EventDraft[][] }[] = [];
    let drafts = 0;
    let chars = 0;
    let next: ToWorker | undefined = first;
    while (next?.type === 'append') {
      // Serialized by the main thread from validated drafts.
      const appends = parseWellFormed(next.appends) as EventDraft[][];
      requests.push({ id: next.id, appends });
      for (const append of appends) drafts += append.length;
      chars += next.appends.length;
      next = drafts < maxBatchDrafts && chars < maxBatchChars ? receiveNext() : undefined;
    }
    const all = requests.flatMap(({ appends }) => appends);
    const written = whilePresent(() => ok(writer.write(all)));
    // Data written to an unlinked file is not durable.
    const filesFailure = written.ok ? missing() : written;
    const answers = written.ok && !filesFailure ? written.value : all.map(() => filesFailure ?? written);
    if (!filesFailure && answers.some(({ ok: wasWritten }) => wasWritten)) {
      markUsed();
      recordEnd(writer.end());
    }
    let from = 0;
    for (const { id, appends } of requests) {
      post({ type: 'appended', id, result: ok(JSON.stringify(answers.slice(from, from + appends.length))) });
      from += appends.length;
    }
    writtenAt = performance.now();
    return next;
  };

  const handle = (first: ToWorker): void => {
    let next: ToWorker | undefined = first;
    while (next) {
      if (next.type === 'close') {
        closed = true;
        clearInterval(fileCheckTimer);
        close();
        port.close();
        return;
      }
      if (next.type === 'erase') {
        const { id, erasure } = next;
        const erased = erasing(() => writer.erase(erasure));
        if (erased.ok) recordEnd(writer.end());
        post({ type: 'answer', id, result: erased });
      }
      if (next.type === 'correct-clock') {
        writer.correctClock(next.milliseconds);
        post({ type: 'answer', id: next.id, result: ok(null) });
      }
      if (next.type === 'restore') {
        const { id, events } = next;
        const restored = erasing(() => writer.restore(events));
        if (restored.ok) {
          recordEnd(writer.end());
          attempt(() => setCuts('missing'));
        }
        post({ type: 'answer', id, result: restored });
      }
      if (next.type === 'settle-loss')
        post({ type: 'answer', id: next.id, result: attempt(() => setCuts('none')) });
      next = (next.type === 'append' ? writeBatch(next) : undefined) ?? receiveNext();
    }
    scheduleRemoval(laterMs);
  };

  let wasMissing = false;
  const fileCheckTimer = setInterval(() => {
    const filesFailure = missing();
    if (filesFailure || wasMissing) post({ type: 'files', error: filesFailure?.error ?? null });
    wasMissing = filesFailure !== null;
  }, fileCheckIntervalMs);
  port.on('message', handle);
  scheduleRemoval(firstRemovalMs);
  post({ type: 'ready' });
};

/** Locks the log for this console and writes it until the close message. `name`: the writer whose chain it continues. */
export const runWriter = (
  port: Port,
  { file, writer: name }: Extract<WorkerSetup, { role: 'writer' }>,
): void => {
  const lock = lockLog(file);
  if (!lock.ok) return port.post({ type: 'refused', error: lock.error });
  const { wasUsed, markUsed, release } = lock.value;
  const refuse = (error: Extract<FromWorker, { type: 'refused' }>['error'], database?: LogDatabase): void => {
    database?.close();
    release();
    port.post({ type: 'refused', error });
  };
  const finished = attempt(() => finishReplacement(file));
  if (!finished.ok) return refuse(finished.error);
  const missing = missingLog(file, wasUsed);
  if (missing) return refuse(missing.error);
  const recorded = readChainEnd(file);
  const madeAt = wasUsed && isEndMissing(file) ? systemClock() : null;
  const cut = attempt(() => findCut(file, name, systemClock()));
  // SQLite would overwrite the damaged write-ahead log, which could not be kept.
  if (!cut.ok) return refuse(cut.error);
  const opened = openForWriting(file);
  if (!opened.ok) return refuse(opened.error);
  const database = opened.value;
  const isClean = recorded !== null && recorded.clean === fileIdentity(file);
  const writer = attempt(() => logWriter(database, name, systemClock, !isClean));
  if (!writer.ok) return refuse(writer.error, database);
  // A person who continues as a new installation has seen that the former chain differs.
  const before = (recorded?.cuts ?? []).filter(({ writer: of }) => of === name);
  const found = attempt(() => stillMissing(database, [...before, ...(cut.value ? [cut.value.cut] : [])]));
  if (!found.ok) return refuse(found.error, database);
  let cuts = found.value;
  const recorder = attempt(() =>
    openChainEnd(file, {
      end: writer.value.end(),
      cuts,
      clean: writer.value.hasErasedWords() ? null : fileIdentity(file),
      madeAt,
    }),
  );
  // An older end raises no alarm, but what was just found must not be forgotten.
  if (!recorder.ok && cut.value) return refuse(recorder.error, database);
  if (cut.value) {
    const {
      cut: { missing: count },
      keptAs,
    } = cut.value;
    reportFailure(
      'payment-log',
      `The last ${String(count)} confirmed events are missing: the write-ahead log is damaged. It was kept as ${basename(keptAs ?? 'nothing')}.`,
      null,
    );
  }
  let isMarked = wasUsed;
  const markAsUsed = (): void => {
    if (!isMarked) isMarked = attempt(markUsed).ok;
  };
  if (writer.value.isUsed()) markAsUsed();
  return handleMessages(port, writer.value, {
    missing: watchLogFiles(file),
    recordEnd: end => {
      // The evidence is safe without it.
      if (recorder.ok) attempt(() => recorder.value.record(end));
    },
    setClean: nowClean => {
      if (recorder.ok) recorder.value.setClean(nowClean);
    },
    setCuts: reported => {
      cuts = reported === 'none' ? [] : stillMissing(database, cuts);
      if (recorder.ok) recorder.value.setCuts(cuts);
    },
    markUsed: markAsUsed,
    close: () => {
      if (recorder.ok) recorder.value.close();
      database.close();
      release();
    },
  });
};
