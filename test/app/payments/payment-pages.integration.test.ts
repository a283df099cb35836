import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPaymentLog } from '../../../main/payment-log/list/open-payment-log.ts';
import type { PaymentDetail } from '../../../shared/contract/contract.ts';
import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { accepted, callback, requested } from '../../../tools/evidence/evidence.ts';
import { startTestApp } from '../../../tools/app-harness/running-app.ts';

test('an order with 600 unverified callbacks is returned in pages, each limited in events and length', async () => {
  const folder = newFolder('pages');
  const log = await openPaymentLog({ file: join(folder, 'payments.db'), writer: 'yesterday' });
  if (!log.ok) throw new Error(log.error.code);
  await log.value.append([requested(0), accepted(1)]);
  const drafts = Array.from({ length: 600 }, (_, at) =>
    callback(
      1_000 + at,
      'sale',
      'fail',
      { reason: `no ${at}` },
      { verdict: 'no-hash', uppercasing: null, digest: 'md5' },
    ),
  );
  expect((await log.value.append(drafts)).ok).toBe(true);
  await log.value.close();
  const app = await startTestApp(folder);
  try {
    const seen = new Set<string>();
    for (let before: string | null = null, pages = 1; ; pages += 1) {
      const page: PaymentDetail = await app.value('payments.read', {
        profileId: 'sandbox',
        orderNumber: 'CF-1001',
        before,
      });
      expect(page.events.length).toBeLessThanOrEqual(250);
      expect(JSON.stringify(page).length).toBeLessThan(1024 * 1024);
      for (const { id } of page.events) seen.add(id);
      before = page.earlier;
      if (before === null) break;
      expect(pages).toBeLessThan(100);
    }
    expect(seen.size).toBe(602);
  } finally {
    await app.remove();
  }
});
