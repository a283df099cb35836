import { expect, test } from 'vitest';
import { readOrderForm } from '../../../main/app/payments/order-form.ts';
import { newPaymentSchema, type NewPayment } from '../../../shared/contract/payments/payment-requests.ts';
import { profileDefaults, type Profile } from '../../../shared/settings/profile.ts';
import { secureProfile } from '../../gateway/gateway-server.ts';

/** What the form of a new payment refuses (§2.2). */

const form = {
  profileId: 'test',
  idempotencyKey: crypto.randomUUID(),
  amount: '123.40',
  currency: 'EUR',
  orderNumber: 'T-1',
  description: 'Two nights, room 12',
  locale: 'en-GB',
};
const refusedFields = (changes: Partial<NewPayment>, profile: Partial<Profile> = {}): string[] => {
  const read = readOrderForm(newPaymentSchema.parse({ ...form, ...changes }), secureProfile(443, profile));
  return read.ok ? [] : (read.error.fields ?? []).map(({ path }) => path);
};

test('a complete order is accepted', () => {
  expect(refusedFields({})).toEqual([]);
});

test.each<[keyof NewPayment, string]>([
  ['orderNumber', ''],
  ['orderNumber', ' T-1'],
  ['amount', ''],
  ['amount', '12,5,7'],
  ['amount', '-5'],
  ['currency', ''],
  ['currency', 'ABC'],
  ['description', ''],
])('a missing or wrong %s is refused and named: %j', (field, text) => {
  expect(refusedFields({ [field]: text })).toEqual([field]);
});

test('a card may be charged again later only if the profile sends charges or always starts a series', () => {
  const options = { recurring: true };
  const { operations, extras } = profileDefaults;
  expect(refusedFields({ options })).toEqual(['options.recurring']);
  expect(refusedFields({ options }, { operations: { ...operations, recurring: true } })).toEqual([]);
  expect(refusedFields({ options }, { extras: { ...extras, recurringInit: true } })).toEqual([]);
  expect(refusedFields({ options: { recurring: false } })).toEqual([]);
});
