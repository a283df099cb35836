import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PaymentLog } from '../../../main/payment-log/payment-log.ts';
import { fingerprintOf } from '../../../shared/payment-reducer/fingerprint.ts';
import { draft, hour } from '../../../tools/evidence/evidence.ts';
import { filter, logFolder, type LogFolder } from '../../../tools/app-harness/running-payment-log.ts';
import { moved, raised } from '../../../tools/evidence/incomplete-payments.ts';

/** The verification covers what people did with payments to review. */

let folder: LogFolder;
let log: PaymentLog;
beforeEach(async () => {
  folder = logFolder();
  log = await folder.open();
  await log.append(['N-1', 'N-2', 'N-3'].flatMap(name => moved(raised, 'shop', name)));
  for (const row of (await log.list(filter({}), null, 10)).rows) {
    const frame = { profileId: 'shop', orderNumber: row.orderNumber };
    await log.append([
      row.orderNumber === 'N-1'
        ? draft(
            'review.resolved',
            hour,
            { reason: 'nothing-to-do', text: '', facts: fingerprintOf(row) },
            frame,
          )
        : draft('review.assigned', hour, { assignee: 'Ada' }, frame),
    ]);
  }
  expect((await log.verify()).problems).toEqual([]);
});
afterEach(() => folder.remove());

test.each([
  ['another person', "UPDATE review SET assignee = 'Eve' WHERE assignee = 'Ada'"],
  ['a review that is missing', 'DELETE FROM review WHERE resolved_at IS NOT NULL'],
  ['a payment that only counts as resolved', 'UPDATE facet SET resolved = 2 WHERE resolved = 0'],
])('the lists of the review are verified: %s', async (_what, change) => {
  await log.close();
  folder.tamper(change);
  log = await folder.open();
  expect((await log.verify()).problems.map(({ kind }) => kind)).toContain('projection');
});
