import { openPaymentLog } from '../../../main/payment-log/sqlite/open-payment-log.ts';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import { paymentEvents } from '../payments.ts';

/** Payments in one append. */
const batch = 2_000;

/** Creates a log of `count` payments from payments.ts; `lastAt`: milliseconds at which the last of them was created. */
export const fillLog = async (file: string, count: number, lastAt: number): Promise<void> => {
  const log = await openPaymentLog({ file, writer: 'bench' });
  if (!log.ok) throw new Error(inEnglish(log.error.message));
  let writing = Promise.resolve();
  for (let first = 0; first < count; first += batch) {
    const size = Math.min(batch, count - first);
    const drafts = Array.from({ length: size }, (_, at) => paymentEvents(first + at, count, lastAt)).flat();
    await writing;
    // While a batch is written, the next one is made.
    writing = log.value.append(drafts).then(written => {
      if (!written.ok) throw new Error(inEnglish(written.error.message));
    });
    writing.catch(() => undefined);
  }
  await writing;
  // Checkpoints the write-ahead log.
  await log.value.close();
};
