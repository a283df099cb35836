import { randomBytes, randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callbackDraft, storedBytes } from '../../main/callbacks/verify-callback.ts';
import { followJournal } from '../../main/payment-log/sqlite/list/follow-journal.ts';
import { listFileOf, openListFile } from '../../main/payment-log/sqlite/list/list-file.ts';
import { listTransactions } from '../../main/payment-log/sqlite/list/list-transactions.ts';
import { evidenceOf } from '../../main/payment-log/sqlite/list/merged-evidence.ts';
import { openForReading } from '../../main/payment-log/sqlite/store/database.ts';
import type { CallbackFields } from '../../shared/payments/evidence.ts';
import { writeClosedLog } from '../../tools/app-harness/closed-log.ts';
import { must } from '../../tools/postgres-harness/shared-log.ts';
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

test.each(Object.entries(kinds))('The counted bytes are those on disk: %s', async (_, make) => {
  const file = join(newFolder('bytes'), 'payments.db');
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
  await writeClosedLog(file, drafts);
  const journal = must(openForReading(file));
  const list = must(openListFile(listFileOf(file), journal, { logId: null, now: Date.now(), maxAwayMs: 0 }));
  const transactions = listTransactions(list, evidenceOf(journal, list, 'yesterday'));
  const follower = followJournal(list, journal, transactions);
  while (follower.step(1_000).isLeft);
  expect(list.prepare('SELECT count(*) FROM listed').pluck().get()).toBe(count);
  list.close();
  journal.close();
  const ratio = (statSync(file).size + statSync(listFileOf(file)).size) / counted;
  expect(ratio).toBeGreaterThan(0.5);
  expect(ratio).toBeLessThan(1.75);
});
