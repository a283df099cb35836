import { randomBytes, randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callbackDraft, storedBytes } from '../../main/callbacks/verify-callback.ts';
import { openPaymentLog } from '../../main/payment-log/list/open-payment-log.ts';
import { listFileOf } from '../../main/payment-log/sqlite/list/list-file.ts';
import type { CallbackFields } from '../../shared/payments/evidence.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';

/** The quarantine counts the bytes that the payment log uses on disk. */

const words = (count: number): string =>
  Array.from({ length: count }, () => randomBytes(6).toString('base64url')).join(' ');
const ideographs = (count: number): string =>
  Array.from(randomBytes(2 * count), byte => String.fromCharCode(0x4e00 + byte * 60))
    .join('')
    .slice(0, count);

const kinds: Readonly<Record<string, () => Record<string, string>>> = {
  'short fields': () => ({ order_description: 'Two nights', customer_name: 'Jane Doe' }),
  'control characters': () => ({ order_description: '\u0001'.repeat(4_000) }),
  ideographs: () => ({ order_description: ideographs(3_000) }),
  words: () => ({ order_description: words(300) }),
  'a long parameter that is not searched': () => ({ extended_data: randomBytes(5_000).toString('hex') }),
  'a long order number': () => ({ order_number: randomBytes(100).toString('hex') }),
};

test.each(Object.entries(kinds))(
  'The counted bytes are those on disk: %s',
  { timeout: 30_000 },
  async (_, make) => {
    const folder = newFolder('bytes');
    const file = join(folder, 'payments.db');
    const opened = await openPaymentLog({ file, writer: 'bytes' });
    if (!opened.ok) throw new Error(opened.error.code);
    let counted = 0;
    const count = 400;
    const drafts = Array.from({ length: count }, (__, at) => {
      const fields: CallbackFields = Object.entries({
        id: randomUUID(),
        order_number: `A-${at}`,
        order_amount: '10.00',
        order_currency: 'EUR',
        type: 'sale',
        status: 'success',
        hash: randomBytes(20).toString('hex'),
        ...make(),
      });
      counted += storedBytes(fields);
      return callbackDraft({
        profileId: 'shop',
        fields,
        form: 'urlencoded',
        via: 'receiver',
        verification: { verdict: 'invalid', uppercasing: null, digest: 'md5' },
        arrivedAt: 1_760_000_000_000 + at,
        agent: 'console',
      });
    });
    expect((await opened.value.append(drafts)).ok).toBe(true);
    // The list is complete before the file is measured.
    const log = opened.value;
    const listed = async (): Promise<number> =>
      Object.values((await log.counts(null)).states).reduce((sum, one) => sum + one, 0);
    await expect.poll(listed).toBe(count);
    await log.close();
    const ratio = (statSync(file).size + statSync(listFileOf(file)).size) / counted;
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(1.75);
  },
);
