import { writeSync } from 'node:fs';
import { openPaymentLog } from '../../../main/payment-log/list/open-payment-log.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { accepted, callback, lookUp, note, requested } from '../../../tools/evidence/evidence.ts';

/** Writes evidence without end and prints each event's id once it is acknowledged; the test kills it. */

const [file = '', round = '0'] = process.argv.slice(2);
const opened = await openPaymentLog({ file, writer: 'child' });
if (!opened.ok) {
  writeSync(2, `${opened.error.code}\n`);
  process.exit(3);
}
const log = opened.value;

const write = async (...drafts: EventDraft[]): Promise<void> => {
  const written = await log.append(drafts);
  if (!written.ok) throw new Error(written.error.code);
  for (const { id, orderNumber } of written.value.events) writeSync(1, `${id} ${orderNumber}\n`);
};

/** Orders in sequence, like a busy console; several such sequences run at once. */
const append = async (name: string): Promise<void> => {
  for (let turn = 0; ; turn += 1) {
    const orderNumber = `K-${round}-${name}-${turn}`;
    const frame = { orderNumber };
    const terms = { order_number: orderNumber };
    await write(requested(0, {}, frame), accepted(500, {}, frame));
    await write(callback(1_000, 'sale', 'success', terms, undefined, frame));
    await write(lookUp(2_000, 'settled', {}, frame), note(3_000, 'x'.repeat(turn % 3_000), frame));
  }
};

writeSync(1, 'writing\n');
await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(append));
