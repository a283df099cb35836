import type { DeskError, Result } from '../../../shared/errors.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';

export type OpenLog = (onTrouble: (error: DeskError | null) => void) => Promise<Result<PaymentLog>>;

/** The log as it stands, and the ways to close it, change its files, and open it again. */
export type LogKeeper = {
  current(): Result<PaymentLog>;
  /** What is wrong with it now: it did not open, or it failed in use and has not worked since. */
  trouble(): DeskError | null;
  /** Closes the log, does what can only be done to a closed one, and opens it again, whatever came of it. */
  whileClosed<T>(work: () => T | Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/**
 * Opens the log and keeps it. `listen` is told of every log that was opened and returns its own end.
 * `onTrouble` is told when what `trouble` answers has changed.
 */
export const keepLog = async (
  open: OpenLog,
  listen: (log: PaymentLog) => () => void,
  onTrouble: () => void,
): Promise<LogKeeper> => {
  let failing: DeskError | null = null;
  let opening = 0;
  /** What a log says of itself counts until it is closed: the last words of one do not speak of the next. */
  const openNext = (): Promise<Result<PaymentLog>> => {
    opening += 1;
    const mine = opening;
    return open(error => {
      if (mine === opening) heard(error);
    });
  };
  const heard = (error: DeskError | null): void => {
    if (failing?.code === error?.code) return;
    // That evidence can be written says nothing about pages that cannot be read.
    if (error === null && failing?.code === 'log.corrupt') return;
    failing = error;
    onTrouble();
  };
  let log = await openNext();
  let stop = log.ok ? listen(log.value) : () => undefined;
  let turn: Promise<unknown> = Promise.resolve();

  const close = async (): Promise<void> => {
    opening += 1;
    stop();
    if (log.ok) await log.value.close();
  };

  const around = async <T>(work: () => T | Promise<T>): Promise<T> => {
    await close();
    try {
      return await work();
    } finally {
      failing = null;
      log = await openNext();
      stop = log.ok ? listen(log.value) : () => undefined;
      onTrouble();
    }
  };

  return {
    current: () => log,
    trouble: () => (log.ok ? failing : log.error),
    whileClosed: work => {
      const next = turn.then(() => around(work));
      turn = next.catch(() => undefined);
      return next;
    },
    close: () => turn.then(close),
  };
};
