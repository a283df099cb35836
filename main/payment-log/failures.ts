import type { AppError, ErrorCode } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { reportFailure } from '../app-log/failure-report.ts';

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
  'log.altered': [
    'The payment log holds tables, triggers or views that Counterfoil did not make, or lacks some that it made.',
    'Restore a copy from before it was altered; the altered file is left as it is.',
  ],
  'log.newer': [
    'The payment log was written by a newer version of Counterfoil.',
    'Install the newer version; this one will not touch the file.',
  ],
  'log.busy': [
    'Another Counterfoil on this PC has the payment log open.',
    'Use the window that is already open, or close it first.',
  ],
  'log.missing': [
    'The file of the payment log is missing, or another file has taken its place.',
    'Put it back where it was and look again, or restore a copy. Begin a new log only if there is no other way.',
  ],
  'log.unavailable': [
    'The payment log is not available.',
    'Start Counterfoil again; what was acknowledged is on disk.',
  ],
};

/** A failure of the log, with its sentence. */
export const logFailure = (
  code: ErrorCode,
  cause?: string,
  reference?: string,
): { ok: false; error: AppError } => {
  const [message, hint] = sentences[code] ?? ['The payment log failed.', 'Start Counterfoil again.'];
  const details = {
    ...(cause === undefined ? {} : { cause }),
    ...(reference === undefined ? {} : { reference }),
  };
  return fail(code, message, { hint, ...(Object.keys(details).length === 0 ? {} : { details }) });
};

const codes: readonly [RegExp, ErrorCode][] = [
  [/^SQLITE_FULL/, 'log.full'],
  [/^(SQLITE_READONLY|SQLITE_PERM|SQLITE_AUTH|EACCES|EPERM|EROFS)/, 'log.read-only'],
  [/^SQLITE_CANTOPEN/, 'log.read-only'],
  [/^(SQLITE_CORRUPT|SQLITE_NOTADB|SQLITE_FORMAT)/, 'log.corrupt'],
  [/^(SQLITE_BUSY|SQLITE_LOCKED)/, 'log.busy'],
  [/^ENOSPC/, 'log.full'],
];

/**
 * The code of the closed list for a failure of SQLite or of the file system. `details` bears their own code, if there
 * is one, and the reference of the record in the application log; the message, which may name files, is there alone.
 */
export const toLogFailure = (thrown: unknown): { ok: false; error: AppError } => {
  const cause = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : undefined;
  const found = codes.find(([pattern]) => pattern.test(cause ?? ''));
  return logFailure(
    found?.[1] ?? 'log.unavailable',
    cause,
    reportFailure('payment-log', 'The payment log failed.', thrown),
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
