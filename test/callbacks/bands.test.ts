import { expect, test } from 'vitest';
import { inspectFound } from '../../main/callbacks/inspect.ts';
import type { CallbackFields } from '../../shared/payments/evidence.ts';
import { hashed, signedOrder, signedText } from '../../tools/evidence/sign-callback.ts';

/** Which fields of a callback the signature covers (§5.3). */

const password = 'secret';
const unsigned: CallbackFields = [
  ['id', '6f1d2c3b-0000-4000-8000-000000000001'],
  ['order_number', 'A-1'],
  ['order_amount', '10.00'],
  ['order_currency', 'EUR'],
  ['order_description', 'Blue chair'],
  ['type', 'sale'],
  ['status', 'success'],
  ['customer_ip', '192.0.2.7'],
];

const signedFields = async (hash: string): Promise<string[]> => {
  const fields: CallbackFields = [...unsigned, ['hash', hash]];
  const candidates = [{ profileId: 'shop', password, digest: 'md5' as const }];
  const { callbacks } = await inspectFound([{ fields, form: 'urlencoded' }], { candidates });
  return (callbacks[0]?.fields ?? []).filter(({ band }) => band.startsWith('signed')).map(({ name }) => name);
};

test('a signature that verifies covers five fields, and not type or status', async () => {
  expect(await signedFields(hashed(signedText(unsigned) + password))).toEqual([...signedOrder]);
});

test('a signature that does not verify covers no field', async () => {
  expect(await signedFields('0'.repeat(40))).toEqual([]);
});
