import { open, readFile, rm, type FileHandle } from 'node:fs/promises';
import type { DeskError } from '../../shared/errors.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { EventDraft } from '../../shared/evidence.ts';
import { toLogFailure } from './failures.ts';
import { following } from './following.ts';
import { headOf, makeFile, nameOf, numbersOf, readSpool, writeWhole } from './spool-files.ts';

/** Drafts that go into the log at once: some ten milliseconds of its writer's time. */
const bite = 256;
/** Milliseconds without a newcomer after which drafts go into the log, and how long one waits for that at most. */
const calm = 4;
const longest = 500;
/** Drafts that are not yet in the log; beyond so many, newcomers wait until there is room. */
const mostKept = 20_000;
const usualBytes = 16 * 1024 * 1024;
/** Milliseconds until the log is tried again after it could not be written, and until a file without use is emptied. */
const retry = 1_000;
const stillness = 1_000;

/**
 * What was received and is not yet in the log: a file to which drafts are appended and flushed, once for all that
 * wait. It makes an acknowledgement durable in a fraction of the time that the log's tables, indexes and chain take;
 * those follow as soon as there is a moment, and after a crash at the next start.
 */
export type Spool = {
  /** Resolves when the draft is on disk. Errors: `log.full`, `log.read-only`, `log.unavailable`, and while the log cannot be written, its own. */
  add(draft: EventDraft): Promise<Result<undefined>>;
  /** Resolves when all that was added before is in the log, but never keeps anyone waiting for long. */
  caughtUp(): Promise<void>;
  /** Puts all that was added before into the log now; resolves then, or when the log could not be written. */
  settled(): Promise<void>;
  /** Settles, empties the file if it may, and lets go of it. */
  close(): Promise<void>;
};

export type SpoolOptions = {
  file: string;
  /** Writes drafts into the log; resolves when they are durable there. `json`: the same drafts, as an array. */
  write: (drafts: readonly EventDraft[], json: string) => Promise<Result<unknown>>;
  /** The number of the log's last event, or of one before it. */
  logEnd: () => number;
  /** The ids of all events of the log after that number. */
  idsAfter: (seq: number) => Promise<readonly string[]>;
  /** Told when the file cannot be written, and with null when it can again. */
  onTrouble: (error: DeskError | null) => void;
  /** Milliseconds that a question waits for what was just received. */
  patience: number;
  /** Bytes after which another file is begun; one whose drafts are all in the log is deleted. */
  fileBytes?: number;
};

/**
 * Opens the spool (made when missing) and puts what a crash left in it into the log. The caller holds the log, so
 * nobody else writes the file. Errors: every `log.*` code of opening a file.
 */
export const openSpool = async ({
  file,
  write,
  logEnd,
  idsAfter,
  onTrouble,
  patience,
  fileBytes = usualBytes,
}: SpoolOptions): Promise<Result<Spool>> => {
  let handle: FileHandle;
  /** Drafts that are on disk and not yet in the log, as their lines: objects would live long enough to cost pauses. */
  let kept: string[];
  let size: number;
  let number: number;
  /** None of `kept` stands in the log before this event. */
  let after: number;
  /** Files that are full, and how many drafts must be in the log before one may go. */
  let full: { file: string; last: number }[];
  try {
    const numbers = await numbersOf(file);
    const files = await Promise.all(numbers.map(one => readFile(nameOf(file, one))));
    const read = files.map(readSpool);
    kept = read.flatMap(({ lines }) => lines);
    after = Math.min(...read.map(one => one.after), logEnd());
    number = numbers.at(-1) ?? 0;
    full = numbers.slice(0, -1).map(one => ({ file: nameOf(file, one), last: kept.length }));
    handle = numbers.length > 0 ? await open(nameOf(file, number), 'r+') : await makeFile(file);
    size = read.at(-1)?.bytes ?? 0;
  } catch (thrown) {
    return toLogFailure(thrown);
  }
  /** Drafts that ever came into `kept`, and that left it for the log. */
  let added = kept.length;
  let moved = 0;
  const progress = following(patience);
  /** The first so many of `kept` may be in the log already. */
  let doubtful = kept.length;
  let inLog: ReadonlySet<string> | null = null;
  let failed: { ok: false; error: DeskError } | null = null;
  /** When the latest came, and when the log was last not behind. */
  let lastAt = 0;
  let behindSince = 0;
  let closed = false;
  let troubled = false;

  const dropFull = async (): Promise<void> => {
    const done = full.filter(({ last }) => last <= moved);
    full = full.filter(one => !done.includes(one));
    // One that stays is read again at the next start, and its drafts found in the log.
    for (const one of done) await rm(one.file, { force: true }).catch(() => undefined);
  };

  /** The next drafts into the log, less those that are in it. */
  const moveBite = async (): Promise<Result<unknown>> => {
    const lines = kept.slice(0, bite);
    // Lines of this file are what JSON.stringify made of drafts, here or before the crash.
    const drafts = lines.map(line => JSON.parse(line) as EventDraft);
    if (doubtful > 0) inLog ??= new Set(await idsAfter(after));
    const isMissing = (_: unknown, index: number): boolean =>
      index >= doubtful || inLog?.has(drafts[index]?.id ?? '') !== true;
    const missing = drafts.filter(isMissing);
    const written =
      missing.length === 0 ? ok(undefined) : await write(missing, `[${lines.filter(isMissing).join(',')}]`);
    if (!written.ok) return written;
    kept.splice(0, lines.length);
    doubtful = Math.max(0, doubtful - lines.length);
    if (doubtful === 0) inLog = null;
    moved += lines.length;
    progress.showed(moved);
    await dropFull();
    return written;
  };
  let moving: Promise<void> | null = null;
  const move = (): Promise<void> =>
    (moving ??= moveBite()
      .catch(toLogFailure)
      .then(written => {
        moving = null;
        failed = written.ok ? null : written;
        if (!failed) return;
        doubtful = kept.length;
        inLog = null;
      }));
  const moveThrough = async (last: number): Promise<void> => {
    for (let left = last - moved; left > 0; left = last - moved) {
      await move();
      if (failed) return;
    }
  };

  let moveTimer: NodeJS.Timeout | null = null;
  /** Those who come are answered first: the log follows when nobody has come for a moment, or has waited too long. */
  const moveSoon = (): void => {
    if (moveTimer !== null || closed) return;
    if (kept.length === 0) return emptySoon();
    const mayMove = (): boolean => {
      const now = performance.now();
      const isCalm = unanswered === 0 && now - lastAt >= calm;
      return isCalm || now - behindSince >= longest || kept.length >= mostKept / 2;
    };
    const next = async (): Promise<void> => {
      if (mayMove()) await move();
      moveTimer = null;
      moveSoon();
    };
    moveTimer = setTimeout(() => void next(), failed ? retry : mayMove() ? 0 : calm);
  };

  let turn = Promise.resolve();
  /** What is done to the file is done one after the other. */
  const alone = (work: () => Promise<void>): Promise<void> => (turn = turn.then(work));

  /** What is in the log does not stay here: it holds customers' details. */
  const emptyFile = async (): Promise<void> => {
    await moveThrough(added);
    if (kept.length > 0) return;
    try {
      await handle.truncate(0);
      size = 0;
    } catch {
      // What stays is found in the log when the file is read again.
    }
  };
  let emptyTimer: NodeJS.Timeout | null = null;
  const emptySoon = (): void => {
    if (emptyTimer !== null || size === 0) return;
    emptyTimer = setTimeout(() => {
      emptyTimer = null;
      if (kept.length === 0) void alone(emptyFile);
    }, stillness).unref();
  };

  let unanswered = 0;
  let arriving: { line: string; answer: (result: Result<undefined>) => void }[] = [];
  let scheduled = false;
  const flush = async (): Promise<void> => {
    if (kept.length >= mostKept) await moveThrough(moved + bite);
    scheduled = false;
    const now = arriving;
    arriving = [];
    const written = failed ?? (await append(now));
    for (const { answer } of now) answer(written);
    unanswered -= now.length;
    moveSoon();
  };
  const beginNext = async (): Promise<void> => {
    const next = await makeFile(nameOf(file, number + 1));
    full.push({ file: nameOf(file, number), last: added });
    await handle.close();
    handle = next;
    number += 1;
    size = 0;
  };
  const append = async (now: typeof arriving): Promise<Result<undefined>> => {
    try {
      if (size >= fileBytes) await beginNext();
      if (kept.length === 0) after = logEnd();
      const head = size === 0 ? headOf(after) : '';
      const bytes = Buffer.from(head + now.map(({ line }) => `${line}\n`).join(''));
      await writeWhole(handle, bytes, size);
      size += bytes.length;
    } catch (thrown) {
      // Nothing of what is refused stays behind, to be taken for received.
      await handle.truncate(size).catch(() => undefined);
      const failure = toLogFailure(thrown);
      troubled = true;
      onTrouble(failure.error);
      return failure;
    }
    lastAt = performance.now();
    if (kept.length === 0) behindSince = lastAt;
    for (const { line } of now) kept.push(line);
    added += now.length;
    progress.wrote(added);
    if (troubled) onTrouble(null);
    troubled = false;
    return ok(undefined);
  };

  progress.wrote(added);
  await moveThrough(added);
  await dropFull();
  moveSoon();
  return ok({
    add: draft =>
      new Promise(answer => {
        unanswered += 1;
        arriving.push({ line: JSON.stringify(draft), answer });
        if (scheduled) return;
        scheduled = true;
        setImmediate(() => void alone(flush));
      }),
    caughtUp: () => progress.caughtUp(),
    settled: () => moveThrough(added),
    close: () =>
      alone(async () => {
        await emptyFile();
        closed = true;
        if (moveTimer) clearTimeout(moveTimer);
        if (emptyTimer) clearTimeout(emptyTimer);
        await handle.close();
      }),
  });
};
