import type { AppError, ErrorCode, Result } from '../../../shared/errors.ts';
import { logFailure } from '../../payment-log/log-failures.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { createLimiter } from '../../pacing/limiter.ts';

/** Interval of attempts to open a log again. */
const retryMs = 10_000;
/** Reasons that pass without a person: the receiver of an unattended PC must come back. */
const passing: readonly ErrorCode[] = ['log.full', 'log.read-only', 'log.busy', 'log.unavailable'];

/** The current log, and ways to close it, change its files, and reopen it. */
export type PaymentLogManager = {
  current(): Result<PaymentLog>;
  /** Its current problem: it did not open, or it failed in use and has not recovered. */
  currentError(): AppError | null;
  /** Closes the log, runs the work on the closed log, and reopens it after any result. */
  whileClosed<T>(work: () => T | Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/**
 * Opens and holds the log. `subscribe` is called with every opened log and returns its cleanup, which runs before the
 * log is closed. A log that could not be opened for a reason that may pass is opened again every ten seconds.
 * `onStateError` is called when the result of `currentError` has changed.
 */
export const createPaymentLogManager = async (
  open: (onStateError: (error: AppError | null) => void) => Promise<Result<PaymentLog>>,
  subscribe: (log: PaymentLog) => () => void | Promise<void>,
  onStateError: () => void,
): Promise<PaymentLogManager> => {
  let failing: AppError | null = null;
  let opening = 0;
  let opened: Result<PaymentLog> = logFailure('log.unavailable');
  /** A log's state reports count until it is closed: late ones do not apply to the next log. */
  const reopen = async (): Promise<Result<PaymentLog>> => {
    opening += 1;
    const openedAs = opening;
    opened = await open(error => {
      if (openedAs === opening) reportError(error);
    });
    return opened;
  };
  const reportError = (error: AppError | null): void => {
    if (failing?.code === error?.code) return;
    // Successful writes prove nothing about unreadable pages.
    if (error === null && failing?.code === 'log.corrupt') return;
    failing = error;
    onStateError();
  };
  let log = await reopen();
  let stop = log.ok ? subscribe(log.value) : () => undefined;
  const mutex = createLimiter(1);

  let retry: NodeJS.Timeout | undefined;
  const scheduleRetry = (): void => {
    clearTimeout(retry);
    if (log.ok || !passing.includes(log.error.code)) return;
    retry = setTimeout(() => {
      if (!log.ok) void mutex.run(() => withClosedLog(() => undefined));
    }, retryMs).unref();
  };

  const close = async (): Promise<void> => {
    clearTimeout(retry);
    opening += 1;
    await stop();
    if (log.ok) await log.value.close();
  };

  const withClosedLog = async <T>(work: () => T | Promise<T>): Promise<T> => {
    await close();
    try {
      return await work();
    } finally {
      failing = null;
      log = await reopen();
      stop = log.ok ? subscribe(log.value) : () => undefined;
      scheduleRetry();
      onStateError();
    }
  };

  scheduleRetry();
  return {
    current: () => log,
    currentError: () => (log.ok ? failing : log.error),
    whileClosed: work => mutex.run(() => withClosedLog(work)),
    close: () => mutex.run(close),
  };
};
