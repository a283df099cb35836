import { expect, test } from 'vitest';
import { callbackDraft, maskFields } from '../../main/callbacks/verify-callback.ts';
import type { CallbackFields } from '../../shared/payments/evidence.ts';

/** The evidence that a callback becomes. */

const storedFields = (fields: CallbackFields): CallbackFields => {
  const { kind, body } = callbackDraft({
    profileId: 'shop',
    fields,
    form: 'urlencoded',
    via: 'receiver',
    verification: { verdict: 'verified', uppercasing: 'ascii', digest: 'md5' },
    arrivedAt: 0,
    agent: 'console',
  });
  if (kind !== 'callback.received') throw new Error(`It is ${kind}.`);
  return body.fields;
};

test('the tokens of a callback are stored as received', () => {
  const fields: CallbackFields = [
    ['order_number', 'A-1'],
    ['card_token', 'f'.repeat(64)],
    ['recurring_token', '7e1d6c1a-8a4f-4cf5-b0a5-2f2f8f1d3c5e'],
  ];
  expect(storedFields(fields)).toEqual(fields);
});

test('a parameter that the interface does not list is stored as received', () => {
  const fields: CallbackFields = [
    ['order_number', 'A-1'],
    ['connector_name', 'Bank of Nowhere'],
    ['Acquirer-Data[MID]', 'X 1'],
  ];
  expect(storedFields(fields)).toEqual(fields);
});

test('a security code is never stored, and a token within a parameter is not shown', () => {
  const custom = '{"shop":"A","card":{"recurring_token":"7e1d"},"tokens":["x"]}';
  const stored = storedFields([
    ['cvv', '123'],
    ['card_cvc', '4567'],
    ['csc', ''],
    ['custom_data', custom],
  ]);
  expect(stored.map(([, value]) => value)).toEqual(['***', '***', '', custom]);
  expect(maskFields(stored).at(-1)?.[1]).toBe('{"shop":"A","card":{"recurring_token":"•••"},"tokens":"•••"}');
});
