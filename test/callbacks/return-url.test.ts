import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { inspect } from '../../main/callbacks/inspect.ts';

/** A pasted return URL is read and verified by its formula (an assumption), and never counts as a success. */

const password = 's3cr3t';
const paymentId = 'db5b5fab-8f4d-4e27-9da1-494c73cf256d';
const record = {
  amount: '10.00',
  currency: 'EUR',
  description: 'Lamp',
  customer: null,
  paymentIds: [paymentId],
};
const hash = createHash('sha1')
  .update(createHash('md5').update(`${paymentId}A-110.00EURLamp${password}`.toUpperCase()).digest('hex'))
  .digest('hex');
const candidates = [{ profileId: 'live', password, digest: 'md5' }] as const;
const pasted = (given: string): string =>
  `https://shop.example/thank-you?payment_id=${paymentId}&trans_id=${paymentId}&order_id=A-1&hash=${given}`;
const inspected = async (given: string) =>
  (await inspect(pasted(given), { candidates, orderRecordOf: () => Promise.resolve(record) })).callbacks[0];

test('a pasted return URL verifies against the payment log, and still is no success', async () => {
  const found = await inspected(hash);
  expect(found?.verification.verdict).toBe('verified');
  expect(found?.meaning.effect).not.toBe('paid');
});

test('a pasted return URL with another hash is invalid', async () => {
  expect((await inspected('0'.repeat(40)))?.verification.verdict).toBe('invalid');
});
