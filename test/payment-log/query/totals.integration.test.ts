import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PaymentLog } from '../../../main/payment-log/payment-log.ts';
import { listSource } from '../../../main/payment-log/sqlite/query/list-reader.ts';
import { totalPayments } from '../../../main/payment-log/query/totals.ts';
import { openForReading } from '../../../main/payment-log/sqlite/store/database.ts';
import type { PaymentFilter, PaymentTotals } from '../../../shared/contract/index.ts';
import { wireOf } from '../../../shared/money/wire-amount.ts';
import { filter, logFolder, type LogFolder } from '../../../tools/app-harness/running-payment-log.ts';
import { accepted, callback, hour, requested, start } from '../../../tools/evidence/evidence.ts';

/** The foot of the list: the sums of everything that a filter finds. */

let folder: LogFolder;
let log: PaymentLog;
beforeAll(async () => {
  folder = logFolder();
  log = await folder.open();
  const drafts = Array.from({ length: 50 }, (_, index) => {
    const currency = ['EUR', 'JPY', 'KWD'][index % 3] ?? 'EUR';
    const amount = wireOf(BigInt(1_000 + index), currency);
    const frame = {
      orderNumber: `CF-${index}`,
      profileId: index % 4 === 0 ? 'shop' : 'sandbox',
      agent: index % 2 === 0 ? 'Ada' : 'Ben',
    };
    const at = index * 3 * hour;
    const raised = requested(at, { currency, amount }, frame);
    const linked = { ...accepted(at + 1), ...frame };
    const expiresAt = index % 2 === 0 ? start + at + hour : Date.now() + 1000 * hour;
    const link = { ...linked, body: { ...linked.body, expiresAt } } as typeof linked;
    if (index % 5 !== 0) return [raised, link];
    const paid = { order_amount: amount, order_currency: currency };
    return [raised, link, { ...callback(at + 2, 'sale', 'success', paid), ...frame }];
  }).flat();
  const written = await log.append(drafts);
  if (!written.ok) throw new Error(written.error.code);
  // Waits until the list contains all of it.
  await log.count(filter({}));
});
afterAll(() => folder.remove());

test('beyond a limit there are no sums of a part, and the count says that there are more', () => {
  const opened = openForReading(folder.file);
  if (!opened.ok) throw new Error(opened.error.code);
  const source = listSource(opened.value);
  const totals = (wanted: PaymentFilter, now: number): PaymentTotals =>
    totalPayments(source, wanted, now, { maxScanned: 10, maxFound: 10 });
  expect(totals(filter({}), 0)).toEqual({
    count: 50,
    more: false,
    sums: null,
    notIn: { amount: 0, paid: 0 },
  });
  expect(totals(filter({ words: 'chair' }), 0)).toEqual({
    count: 10,
    more: true,
    sums: null,
    notIn: { amount: 0, paid: 0 },
  });
  expect(totals(filter({ until: start + 10 * hour }), 0).sums).toHaveLength(3);
  opened.value.close();
});
