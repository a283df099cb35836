import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { AppError } from '../../../../shared/errors.ts';
import { logFailure } from '../../log-failures.ts';
import { headFolder } from '../../heads/head-files.ts';
import { fileIdentity } from './chain-end.ts';
import { listCopies } from './log-files.ts';

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
