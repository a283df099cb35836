import type { AppError, Result } from '../../../shared/errors.ts';
import type { OpenLog, PaymentLog } from '../../payment-log/payment-log.ts';
import { createLimiter } from '../limiter.ts';

/** The log as it stands, and the ways to close it, change its files, and open it again. */
export type PaymentLogManager = {
  current(): Result<PaymentLog>;
  /** What is wrong with it now: it did not open, or it failed in use and has not worked since. */
  currentError(): AppError | null;
  /** Closes the log, does what can only be done to a closed one, and opens it again, whatever came of it. */
  whileClosed<T>(work: () => T | Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/**
 * Opens the log and keeps it. `listen` is told of every log that was opened and returns its own end.
 * `onStateError` is told when what `trouble` answers has changed.
 */
export const createPaymentLogManager = async (
  open: OpenLog,
  subscribe: (log: PaymentLog) => () => void,
  onStateError: () => void,
): Promise<PaymentLogManager> => {
  let failing: AppError | null = null;
  let opening = 0;
  /** What a log says of itself counts until it is closed: the last words of one do not speak of the next. */
  const reopen = (): Promise<Result<PaymentLog>> => {
    opening += 1;
    const openedAs = opening;
    return open(error => {
      if (openedAs === opening) reportError(error);
    });
  };
  const reportError = (error: AppError | null): void => {
    if (failing?.code === error?.code) return;
    // That evidence can be written says nothing about pages that cannot be read.
    if (error === null && failing?.code === 'log.corrupt') return;
    failing = error;
    onStateError();
  };
  let log = await reopen();
  let stop = log.ok ? subscribe(log.value) : () => undefined;
  const mutex = createLimiter(1);

  const close = async (): Promise<void> => {
    opening += 1;
    stop();
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
      onStateError();
    }
  };

  return {
    current: () => log,
    currentError: () => (log.ok ? failing : log.error),
    whileClosed: work => mutex.run(() => withClosedLog(work)),
    close: () => mutex.run(close),
  };
};
