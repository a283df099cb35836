import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PaymentLog } from '../../../main/payment-log/payment-log.ts';
import { listSource } from '../../../main/payment-log/sqlite/query/list-reader.ts';
import { totalPayments } from '../../../main/payment-log/sqlite/query/totals.ts';
import { listFileOf, openListForReading } from '../../../main/payment-log/sqlite/list/list-file.ts';
import type { PaymentFilter, PaymentTotals } from '../../../shared/contract/contract.ts';
import { filter, logFolder, type LogFolder } from '../../../tools/app-harness/running-payment-log.ts';
import { hour, start } from '../../../tools/evidence/evidence.ts';
import { draftsToSum } from '../port/totals.ts';

/** The foot of the list: the sums of everything that a filter finds. */

let folder: LogFolder;
let log: PaymentLog;
beforeAll(async () => {
  folder = logFolder();
  log = await folder.open();
  const written = await log.append(draftsToSum());
  if (!written.ok) throw new Error(written.error.code);
  // Waits until the list contains all of it.
  await log.count(filter({}));
});
afterAll(() => folder.remove());

test('beyond a limit of payments there are no sums of a part, and the count says that there are more', () => {
  const opened = openListForReading(listFileOf(folder.file));
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
