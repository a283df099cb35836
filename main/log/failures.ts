import type { DeskError, ErrorCode } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';

const sentences: Partial<Record<ErrorCode, [message: string, hint: string]>> = {
  'log.full': [
    'The disk is full: the payment log cannot be written.',
    'Free some space; nothing in the log was lost.',
  ],
  'log.read-only': [
    'The payment log cannot be written here: the file or its folder is read-only.',
    'Give this user the right to write to the folder, or choose another one.',
  ],
  'log.corrupt': [
    'The payment log cannot be read: the file is damaged or is no payment log.',
    'Restore the latest backup; the damaged file is left as it is.',
  ],
  'log.newer': [
    'The payment log was written by a newer version of Counterfoil.',
    'Install the newer version; this one will not touch the file.',
  ],
  'log.busy': [
    'Another Counterfoil on this PC has the payment log open.',
    'Use the window that is already open, or close it first.',
  ],
  'log.unavailable': [
    'The payment log is not available.',
    'Start Counterfoil again; what was acknowledged is on disk.',
  ],
};

/** A failure of the log, with its sentence. */
export const logFailure = (code: ErrorCode, cause?: string): { ok: false; error: DeskError } => {
  const [message, hint] = sentences[code] ?? ['The payment log failed.', 'Start Counterfoil again.'];
  return fail(code, message, { hint, ...(cause === undefined ? {} : { details: { cause } }) });
};

const codes: readonly [RegExp, ErrorCode][] = [
  [/^SQLITE_FULL/, 'log.full'],
  [/^(SQLITE_READONLY|SQLITE_PERM|SQLITE_AUTH|EACCES|EPERM|EROFS)/, 'log.read-only'],
  [/^SQLITE_CANTOPEN/, 'log.read-only'],
  [/^(SQLITE_CORRUPT|SQLITE_NOTADB|SQLITE_FORMAT)/, 'log.corrupt'],
  [/^(SQLITE_BUSY|SQLITE_LOCKED)/, 'log.busy'],
  [/^ENOSPC/, 'log.full'],
];

/** SQLite's and the file system's word for a failure, in the closed list's. */
export const toLogFailure = (thrown: unknown): { ok: false; error: DeskError } => {
  const cause = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  const found = codes.find(([pattern]) => pattern.test(cause));
  return logFailure(
    found?.[1] ?? 'log.unavailable',
    cause || (thrown instanceof Error ? thrown.message : ''),
  );
};

/** Does what may throw SQLite's errors, and turns them into the closed list's. */
export const attempt = <T>(work: () => T): Result<T> => {
  try {
    return ok(work());
  } catch (thrown) {
    return toLogFailure(thrown);
  }
};
