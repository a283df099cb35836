import { codeOf, fail, ok, type AppError, type ErrorCode, type Result } from '../../shared/errors.ts';
import { msg, type Message } from '../../shared/messages/message.ts';
import { reportFailure } from '../app-log/failure-report.ts';

/** The codes of a payment log's own failures. */
type LogErrorCode = Extract<ErrorCode, `log.${string}`>;

const texts: Readonly<Record<LogErrorCode, readonly [message: Message, hint: Message]>> = {
  'log.full': [msg('payment-log.full'), msg('payment-log.full.hint')],
  'log.read-only': [msg('payment-log.read-only'), msg('payment-log.read-only.hint')],
  'log.corrupt': [msg('payment-log.corrupt'), msg('payment-log.corrupt.hint')],
  'log.altered': [msg('payment-log.altered'), msg('payment-log.altered.hint')],
  'log.newer': [msg('error.log.newer'), msg('hint.log.newer')],
  'log.busy': [msg('payment-log.busy'), msg('payment-log.busy.hint')],
  'log.missing': [msg('payment-log.missing'), msg('payment-log.missing.hint')],
  'log.unreachable': [msg('error.log.unreachable'), msg('hint.log.unreachable')],
  'log.denied': [msg('error.log.denied'), msg('hint.log.denied')],
  'log.fork': [msg('error.log.fork'), msg('hint.log.fork')],
  'log.older': [msg('error.log.older'), msg('hint.log.older')],
  'log.other': [msg('error.log.other'), msg('hint.log.other')],
  'log.incomplete': [msg('error.log.incomplete', { done: 0, total: 0 }), msg('hint.log.incomplete')],
  'log.unavailable': [msg('payment-log.unavailable'), msg('payment-log.unavailable.hint')],
};

/** A failure of the log with its message. `cause`: a code or a few English words, for IT. */
export const logFailure = (
  code: LogErrorCode,
  cause?: string,
  reference?: string,
): { ok: false; error: AppError } => {
  const [message, hint] = texts[code];
  const details = {
    ...(cause === undefined ? {} : { cause }),
    ...(reference === undefined ? {} : { reference }),
  };
  return fail(code, message, { hint, ...(Object.keys(details).length === 0 ? {} : { details }) });
};

const codes: readonly [RegExp, LogErrorCode][] = [
  // The memory map of the write-ahead log cannot grow on a full disk.
  [/^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE)/, 'log.full'],
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
  const cause = codeOf(thrown) || undefined;
  const found = codes.find(([pattern]) => pattern.test(cause ?? ''));
  return logFailure(
    found?.[1] ?? 'log.unavailable',
    cause,
    reportFailure('payment-log', 'The payment log failed.', thrown),
  );
};

/** A request that the log could not answer, for callers whose return type is not a Result. */
export class LogFailure extends Error {
  override readonly name = 'LogFailure';
  readonly error: AppError;
  constructor(error: AppError) {
    // The code alone: the texts are large, and every worker thread would load them.
    super(error.code);
    this.error = error;
  }
}

/** Runs `work` and turns SQLite errors into results with a code of the closed list. */
export const attempt = <T>(work: () => T): Result<T> => {
  try {
    return ok(work());
  } catch (thrown) {
    return thrown instanceof LogFailure ? { ok: false, error: thrown.error } : toLogFailure(thrown);
  }
};
