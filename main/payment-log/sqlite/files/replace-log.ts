import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  flushFolderSync,
  renameWithRetrySync,
  replaceFileSync,
  writeFileAtomicSync,
} from '../../../files/replace-file.ts';
import { fail, ok, type AppError, type Result } from '../../../../shared/errors.ts';
import { msg } from '../../../../shared/messages/message.ts';
import { lockLog } from '../store/database.ts';
import { logFailure, toLogFailure } from '../../log-failures.ts';
import { headFolder } from '../../heads/head-files.ts';
import { fileIdentity, forgetChainEnd } from './chain-end.ts';
import { listCopies } from './log-files.ts';

/**
 * Replaces the log with a copy or with a new, empty log. The replacement is complete and flushed before the log is
 * touched. A plan of the renames is on disk during the renames. If the process ends in between, the next start
 * completes the plan. There is always either the old log or the new one.
 */

/** Detects that the log file is missing, or is not the file that is open. */

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** The file next to a missing log that shows that a log existed; null if there is none. */
const leftoversOf = (file: string): string | null => {
  if (sizeOf(`${file}-wal`) > 0) return 'a write-ahead log';
  const name = basename(file);
  const folder = dirname(file);
  const siblingFiles = existsSync(folder) ? readdirSync(folder) : [];
  if (siblingFiles.some(one => one.startsWith(`${name}.set-aside-`))) return 'a log that was set aside';
  if (siblingFiles.includes(`${name}.restoring`)) return 'a copy that was being restored';
  const heads = headFolder(file);
  if (existsSync(heads) && readdirSync(heads).some(one => one.endsWith('.json'))) return 'signed heads';
  if (listCopies(file).length > 0) return 'daily copies';
  return null;
};

/**
 * Whether a log that existed is missing: its file is gone or empty, while a neighbouring file or the mark in its lock
 * (`wasUsed`) shows that it held evidence. Returns the failure to report, otherwise null.
 */
export const missingLog = (file: string, wasUsed: boolean): { ok: false; error: AppError } | null => {
  if (sizeOf(file) > 0) return null;
  const evidenceOfUse = wasUsed ? 'the mark of an earlier log' : leftoversOf(file);
  return evidenceOfUse === null ? null : logFailure('log.missing', evidenceOfUse);
};

/** `written`: to be called after each own write, which may reset the write-ahead log, and after nothing else. */
export type FileCheck = (() => { ok: false; error: AppError } | null) & { written: () => void };

/**
 * Checks that the paths of an open log and of its write-ahead log still refer to the open files, and that no other program
 * shortened one of them: the log itself only grows. Call it once the log is open. The returned check returns the failure
 * to report, or null.
 */
export const watchLogFiles = (file: string): FileCheck => {
  const wal = `${file}-wal`;
  const watched = [file, wal].map(path => ({ path, opened: fileIdentity(path), size: sizeOf(path) }));
  const check = (): { ok: false; error: AppError } | null => {
    for (const { path, opened, size } of watched) {
      let now: string | null = null;
      try {
        now = fileIdentity(path);
      } catch {
        // A folder that cannot be read hides the file as well.
      }
      const change =
        opened !== null && now !== opened
          ? now === null
            ? 'gone'
            : 'replaced'
          : sizeOf(path) < size
            ? 'cut'
            : null;
      if (change !== null)
        return logFailure('log.missing', `${basename(path)} is ${change} while it is open`);
    }
    return null;
  };
  return Object.assign(check, {
    written: () => {
      for (const one of watched)
        one.size = one.path === wal ? sizeOf(wal) : Math.max(one.size, sizeOf(one.path));
    },
  });
};

/** One rename of a plan; names relative to the log's folder. */
type FileMove = { from: string; to: string };

/** Why a log is replaced, as the activity list names it. */
const purposes = ['restored', 'log-created'] as const;
export type ReplacementPurpose = (typeof purposes)[number];

type Plan = { moves: readonly FileMove[]; purpose: ReplacementPurpose };

/** The path of the prepared replacement of a log. */
export const replacementOf = (logFile: string): string => `${logFile}.restoring`;
const planOf = (logFile: string): string => `${logFile}.replacing`;
/** The prepared replacement with its companions and the unfinished copies that it was to become. */
export const replacementFiles = (logFile: string): string[] => {
  const folder = dirname(logFile);
  const name = basename(replacementOf(logFile));
  return existsSync(folder)
    ? readdirSync(folder)
        .filter(one => one === name || one.startsWith(`${name}-`) || one.startsWith(`${name}.`))
        .map(one => join(folder, one))
    : [];
};
/** Suffixes of the companion files of a database. */
export const sidecarSuffixes = ['-wal', '-shm', '-journal'];

const timestampOf = (now: number): string => new Date(now).toISOString().replaceAll(':', '-').slice(0, 19);

/** An unused name for the archived log. */
const archivedName = (logFile: string, now: number): string => {
  const name = `${logFile}.set-aside-${timestampOf(now)}`;
  let free = name;
  for (let number = 2; existsSync(free) || existsSync(`${free}.heads`); number += 1)
    free = `${name}-${number}`;
  return free;
};

const plannedMoves = (logFile: string, heads: readonly string[], archivedFile: string): FileMove[] => {
  const moves = ['', ...sidecarSuffixes]
    .filter(end => existsSync(logFile + end))
    .map(end => ({ from: basename(logFile) + end, to: basename(archivedFile) + end }));
  const folder = basename(headFolder(logFile));
  for (const name of heads)
    moves.push({ from: join(folder, name), to: join(`${basename(archivedFile)}.heads`, name) });
  return moves;
};

/**
 * The replacement that was interrupted and that the next start completes, with the name of the archived log; null if
 * there is none.
 */
export const interruptedReplacement = (
  logFile: string,
): { archivedAs: string; purpose: ReplacementPurpose } | null => {
  const plan = readPlan(logFile);
  if (!plan || (!existsSync(replacementOf(logFile)) && !existsSync(logFile))) return null;
  return { archivedAs: plan.moves[0]?.to ?? '', purpose: plan.purpose };
};

/** Renames unless it was done before. */
const move = (folder: string, from: string, to: string): void => {
  const target = join(folder, to);
  if (!existsSync(join(folder, from)) || existsSync(target)) return;
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  renameWithRetrySync(join(folder, from), target);
};

/**
 * Archives the closed log with its companions and heads, and moves the prepared replacement into its place. Nothing
 * is deleted; a failure half-way is undone. `heads`: names of head files. `onStep`: called before each change, for
 * tests. `purpose`: what a start that completes the exchange records. Returns the name of the archived log. Errors:
 * `log.busy` if another console opened it meanwhile, and file system errors.
 */
export const replaceLog = (
  logFile: string,
  heads: readonly string[],
  now: number,
  onStep: (step: string) => void = () => undefined,
  purpose: ReplacementPurpose = 'restored',
): Result<{ archivedAs: string }> => {
  const held = lockLog(logFile);
  if (!held.ok) return held;
  const folder = dirname(logFile);
  const archivedFile = archivedName(logFile, now);
  const moves = plannedMoves(logFile, heads, archivedFile);
  try {
    if (!existsSync(replacementOf(logFile))) return fail('input.invalid', msg('backup.none-checked'));
    try {
      onStep('plan');
      writeFileAtomicSync(planOf(logFile), JSON.stringify({ moves, purpose } satisfies Plan));
      for (const { from, to } of moves) {
        onStep(`move ${from}`);
        move(folder, from, to);
      }
      onStep('place');
      forgetChainEnd(logFile);
      replaceFileSync(replacementOf(logFile), logFile);
    } catch (thrown) {
      for (const { from, to } of moves.toReversed()) {
        onStep(`move ${from} back`);
        move(folder, to, from);
      }
      onStep('drop the plan');
      rmSync(planOf(logFile), { force: true });
      flushFolderSync(folder);
      throw thrown;
    }
    onStep('drop the plan');
    rmSync(planOf(logFile), { force: true });
    flushFolderSync(folder);
    return ok({ archivedAs: basename(archivedFile) });
  } catch (thrown) {
    return toLogFailure(thrown);
  } finally {
    held.value.release();
  }
};

const isMove = (value: unknown): value is FileMove =>
  typeof value === 'object' &&
  value !== null &&
  'from' in value &&
  typeof value.from === 'string' &&
  'to' in value &&
  typeof value.to === 'string';

/** The plan on disk, its renames in order: the log first; null if there is no complete plan. */
const readPlan = (logFile: string): Plan | null => {
  try {
    const { moves, purpose } = JSON.parse(readFileSync(planOf(logFile), 'utf8')) as Record<string, unknown>;
    if (!Array.isArray(moves) || !moves.every(isMove)) return null;
    const known = purposes.find(one => one === purpose);
    return known === undefined ? null : { moves, purpose: known };
  } catch {
    return null;
  }
};

/**
 * Completes a replacement that the end of the process interrupted, or undoes it if the replacement file is gone. Call
 * it while the lock is held and before the log is opened. Throws file system errors.
 */
export const finishReplacement = (logFile: string): void => {
  const folder = dirname(logFile);
  const replacement = replacementOf(logFile);
  const plan = readPlan(logFile);
  if (plan) {
    const { moves } = plan;
    if (existsSync(replacement)) {
      for (const { from, to } of moves) move(folder, from, to);
      forgetChainEnd(logFile);
      replaceFileSync(replacement, logFile);
    } else if (!existsSync(logFile)) for (const { from, to } of moves.toReversed()) move(folder, to, from);
    rmSync(planOf(logFile), { force: true });
    flushFolderSync(folder);
  } else if (existsSync(logFile)) rmSync(planOf(logFile), { force: true });
  // Without a log they are all that is left.
  if (existsSync(logFile)) for (const file of replacementFiles(logFile)) rmSync(file, { force: true });
};
