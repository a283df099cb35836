import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Appended, PaymentLog } from '../../main/payment-log/payment-log.ts';
import type { EventDraft } from '../../shared/payments/evidence.ts';
import { logFolder, type LogFolder } from './running-payment-log.ts';

/** The folder and the payment log of the present test. */
export type UsedLog = {
  readonly folder: LogFolder;
  readonly log: PaymentLog;
  /** Appends evidence; throws if it is refused. */
  append(...drafts: EventDraft[]): Promise<Appended>;
  /** Opens the log again, after it was closed. */
  reopen(writer?: string): Promise<PaymentLog>;
};

/** A new payment log for each test, or one for all tests of a file or group; `isClosed`: it is not opened. */
export const useLog = (
  each: 'test' | 'file' = 'test',
  { isClosed = false }: { isClosed?: boolean } = {},
): UsedLog => {
  let folder: LogFolder | undefined;
  let log: PaymentLog | undefined;
  const running = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('There is no payment log outside a test.');
    return part;
  };
  const [before, after] = each === 'test' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    folder = logFolder();
    if (!isClosed) log = await folder.open();
  });
  after(() => folder?.remove());
  return {
    get folder() {
      return running(folder);
    },
    get log() {
      return running(log);
    },
    append: async (...drafts) => {
      const written = await running(log).append(drafts);
      if (!written.ok) throw new Error(written.error.code);
      return written.value;
    },
    reopen: async writer => (log = await running(folder).open(writer)),
  };
};
