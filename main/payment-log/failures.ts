import { fail, ok, type AppError, type ErrorCode, type Result } from '../../shared/errors.ts';
import { reportFailure } from '../app-log/failure-report.ts';

const sentences: Partial<Record<ErrorCode, [message: string, hint: string]>> = {
  'log.full': ['The disk is full. The payment log cannot be saved.', 'Free some space. No data is lost.'],
  'log.read-only': [
    'The payment log cannot be saved: the file or its folder is read-only.',
    'Allow this user to write to the folder, or choose another folder.',
  ],
  'log.corrupt': [
    'The payment log cannot be read: the file is damaged or is not a payment log.',
    'Restore the latest backup. The damaged file is kept.',
  ],
  'log.altered': [
    'Another program changed the structure of the payment log.',
    'Restore a backup from before the change. The changed file is kept.',
  ],
  'log.newer': [
    'The payment log was created by a newer version of Counterfoil.',
    'Install the newer version. This version does not change the payment log.',
  ],
  'log.busy': [
    'The payment log is open in another Counterfoil window.',
    'Use that window, or close it first.',
  ],
  'log.missing': [
    'The payment log file is missing or was replaced by another file.',
    'Put the file back and search again, or restore a backup. Only start with an empty payment log if there is no other way.',
  ],
  'log.unavailable': [
    'The payment log is not available.',
    'Restart Counterfoil. All confirmed data is saved.',
  ],
};

/** A failure of the log with its message. */
export const logFailure = (
  code: ErrorCode,
  cause?: string,
  reference?: string,
): { ok: false; error: AppError } => {
  const [message, hint] = sentences[code] ?? ['The payment log failed.', 'Restart Counterfoil.'];
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
 * Maps an SQLite or file system error to a code of the closed list. `details` holds the original error code, if any,
 * and the reference of the record in the application log. The original message may contain file names, so it is only
 * in the application log.
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

/** Runs `work` and turns SQLite errors into results with a code of the closed list. */
export const attempt = <T>(work: () => T): Result<T> => {
  try {
    return ok(work());
  } catch (thrown) {
    return toLogFailure(thrown);
  }
};
