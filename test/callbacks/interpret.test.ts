import { expect, test } from 'vitest';
import { inspect, inspectFound, problemsOf } from '../../main/callbacks/inspect.ts';
import { maskFields } from '../../main/callbacks/verify-callback.ts';
import { parameterOf, parameters } from '../../main/callbacks/parameter-spec.ts';
import { interpretCallback } from '../../main/callbacks/interpret.ts';
import { currencyCodes } from '../../shared/money/currencies.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import type { OrderRecord } from '../../shared/payments/payment.ts';
import type { CallbackFields } from '../../shared/payments/evidence.ts';
import { inWords } from '../../tools/app-harness/in-words.ts';
import { signed, signedOrder } from '../../tools/evidence/sign-callback.ts';

/** The meaning of a callback, and where it contradicts the interface (§2.6, §3.2, §7). */

const usual: Record<string, string> = {
  id: 'db5b5fab-8f4d-4e27-9da1-494c73cf256d',
  order_number: 'order-61033',
  order_amount: '4738.80',
  order_currency: 'PLN',
  order_description: 'Two nights, room 12',
  type: 'sale',
  status: 'success',
  customer_ip: '203.0.113.219',
  hash: 'f9a82835b8ad8ed87a98abb62177599f2b7412d8',
};
const callback = (changes: Record<string, string | null> = {}): CallbackFields =>
  Object.entries({ ...usual, ...changes }).flatMap(([name, value]): CallbackFields =>
    value === null ? [] : [[name, value]],
  );

/** The table of §3.2, repeated here on purpose. */
const table: Record<string, readonly string[]> = {
  success: ['sale', '3ds', 'redirect', 'refund', 'void', 'recurring', 'chargeback'],
  fail: ['sale', 'refund', 'void', 'recurring'],
  waiting: ['sale', 'refund', 'void', 'recurring'],
};
const types = ['sale', '3ds', 'redirect', 'refund', 'void', 'recurring', 'chargeback'];
const pairs = Object.keys(table).flatMap(status => types.map(type => [type, status] as const));

test.each(pairs)('%s with %s is allowed or reported as contradicting the interface', (type, status) => {
  const meaning = interpretCallback(callback({ type, status }));
  expect(meaning.allowed).toBe(table[status]?.includes(type));
  if (!meaning.allowed) {
    expect(inWords(meaning)).toMatchObject({
      title: 'Unexpected combination of type and status',
      effect: 'unknown',
    });
    expect(problemsOf(callback({ type, status })).map(({ field }) => field)).toContain('status');
  }
});

test('only sale with success is a payment', () => {
  const paid = pairs.filter(
    ([type, status]) => interpretCallback(callback({ type, status })).effect === 'paid',
  );
  expect(paid).toEqual([['sale', 'success']]);
  expect(interpretCallback(callback({ type: 'redirect' })).effect).toBe('in-progress');
});

test.each(['capture', 'debit', 'transfer', 'reversal', 'init', 'nonsense', ''])(
  'the type "%s" is outside the interface and never a payment',
  type => {
    expect(interpretCallback(callback({ type }))).toMatchObject({ allowed: false });
    expect(interpretCallback(callback({ type })).effect).not.toBe('paid');
  },
);

test('a status outside the interface is never a payment', () => {
  for (const status of ['undefined', 'SUCCESS', 'ok', ''])
    expect(interpretCallback(callback({ status })).effect).not.toBe('paid');
});

test('sale + success decides about a payment, and a contradicting order_status is shown beside it', () => {
  for (const order_status of ['pending', 'decline']) {
    const meaning = inWords(interpretCallback(callback({ order_status })));
    expect(meaning).toMatchObject({ effect: 'paid', title: 'Callback: paid' });
    expect(meaning.text).toContain(`order_status is`);
    expect(problemsOf(callback({ order_status })).map(({ field }) => field)).toContain('order_status');
  }
});

const problemWith = (changes: Record<string, string | null>): (string | null)[] =>
  problemsOf(callback(changes)).map(({ field }) => field);

test('the parameters in the table of the interface are all known, each with a description', () => {
  const named = [
    'id order_number order_amount order_currency order_description type status reason rrn approval_code card',
    'card_expiration_date card_token customer_name customer_email customer_country customer_state customer_city',
    'customer_address customer_ip date recurring_inti_trans_id recurring_init_trans_id recurring_token schedule_id hash',
  ].flatMap(line => line.split(' '));
  const documented = parameters.filter(parameter => parameter.documented);
  expect(documented.map(({ name }) => name).sort()).toEqual(named.sort());
  const descriptions = documented.map(({ description }) => inEnglish(description));
  // Only the two spellings of the recurring reference share one.
  expect(new Set(descriptions).size).toBe(named.length - 1);
});

test('the parameters of a callback that follows the interface cause no problem', () => {
  expect(problemsOf(callback())).toEqual([]);
});

test.each([
  ['id', 'not-a-uuid'],
  ['id', '50a1361a'],
  ['id', '50a1361a-7c2e-11f1-b8d4-0242ac12000g'],
  ['order_amount', 'ten'],
  ['order_currency', 'PLNX'],
  ['customer_ip', '999.1.1.1'],
  ['card_expiration_date', '13/2027'],
  ['customer_country', 'XYZ'],
  ['recurring_init_trans_id', 'x'],
  ['recurring_inti_trans_id', 'x'],
  ['card', '4111111111111111'],
  ['date', '20.11.2026'],
  ['hash', 'no hash'],
])('%s in a wrong format is reported, and the callback is read anyway', (name, value) => {
  expect(problemWith({ [name]: value })).toContain(name);
  expect(interpretCallback(callback({ [name]: value })).effect).toBe('paid');
});

test.each([...signedOrder, 'type', 'status', 'hash'])('a callback without %s is reported', name => {
  expect(problemWith({ [name]: null })).toContain(name);
});

test('a missing IP address of the customer is not shown to users as a problem', () => {
  expect(problemWith({ customer_ip: null })).toEqual([]);
});

test('a reason may occur only with fail, for sale and refund', () => {
  expect(problemWith({ status: 'fail', reason: 'Declined' })).not.toContain('reason');
  for (const status of ['success', 'waiting'])
    expect(problemWith({ status, reason: 'Declined' })).toContain('reason');
  expect(problemWith({ type: 'void', status: 'fail', reason: 'Declined' })).toContain('reason');
});

test('both spellings of the recurring reference are accepted, and a contradiction between them is reported', () => {
  const id = 'db5b5fab-8f4d-4e27-9da1-494c73cf256d';
  expect(problemWith({ recurring_inti_trans_id: id })).toEqual([]);
  expect(problemWith({ recurring_init_trans_id: id })).toEqual([]);
  expect(
    problemWith({
      recurring_inti_trans_id: id,
      recurring_init_trans_id: '50a1361a-7c2e-11f1-b8d4-0242ac120002',
    }),
  ).toContain('recurring_inti_trans_id');
});

test('parameters that the interface does not list are stored and listed', () => {
  expect(inWords(problemsOf(callback({ connector_name: 'x' }))).at(-1)?.message).toContain('connector_name');
});

const remarksOn = (changes: Record<string, string>): string[] =>
  problemsOf(callback(changes))
    .filter(({ field }) => field !== null && field in changes)
    .map(({ message }) => inEnglish(message));

test.each([
  [{ order_amount: '10.123', order_currency: 'EUR' }, 'more decimal places than EUR'],
  [{ order_amount: '100.50', order_currency: 'JPY' }, 'more decimal places than JPY'],
  [{ order_amount: '1.2345', order_currency: 'KWD' }, 'more decimal places than KWD'],
  [{ order_amount: '00010.00' }, 'leading zero'],
  [{ order_amount: '0.00' }, 'zero'],
  [{ type: 'SALE' }, '“sale” only in upper and lower case'],
  [{ status: 'Success' }, '“success” only in upper and lower case'],
  [{ order_currency: 'USDT' }, 'crypto'],
])('a callback with %j gets a remark about its amount, currency or word', (changes, words) => {
  expect(remarksOn(changes as Record<string, string>).join(' ')).toContain(words);
});
test.each([
  { order_amount: '100.00', order_currency: 'JPY' },
  { order_amount: '1.234', order_currency: 'KWD' },
  { order_amount: '10', order_currency: 'EUR' },
  { order_amount: '0.10', order_currency: 'EUR' },
])('the amount %j of a callback gets no remark', changes => {
  expect(remarksOn(changes)).toEqual([]);
});
test('parameters of the family outside the interface are known by name', () => {
  for (const name of ['payee_name', 'crypto_network', 'consent_state', 'consent_id'])
    expect(parameterOf(name)).toMatchObject({ documented: false });
});

test.each(['EUR', 'VED', 'XCG', 'ZWG', 'JPY'])('the currency %s is valid', order_currency => {
  expect(remarksOn({ order_currency })).toEqual([]);
});
test.each(['HRK', 'SLL', 'ZWL', 'BGN', 'ANG'])('the currency %s is withdrawn', order_currency => {
  expect(remarksOn({ order_currency })[0]).toContain('withdrawn');
  expect(currencyCodes).not.toContain(order_currency);
});
test.each(['XXX', 'XTS', 'XAU', 'ABC'])('%s is no currency', order_currency => {
  expect(remarksOn({ order_currency })[0]).toContain('is not an ISO 4217 currency');
  expect(currencyCodes).not.toContain(order_currency);
});
test.each(['DE', 'GB', 'AX', 'TW', 'SS'])('the country %s is valid', customer_country => {
  expect(remarksOn({ customer_country })).toEqual([]);
});
test.each(['ZZ', 'EU', 'UN', 'UK', 'SU', 'YU', 'DD', 'XA', 'QO', 'FX', 'XK', 'de'])(
  '%s is no country',
  customer_country => {
    expect(remarksOn({ customer_country })[0]).toContain('ISO 3166-1');
  },
);

const password = 'correct horse';
const candidates = [{ profileId: 'shop', password, digest: 'md5' as const }];
const signedFields = (changes: Record<string, string> = {}): CallbackFields =>
  signed(callback(changes), password);
const inspectOne = async (fields: CallbackFields, record: OrderRecord | null = null) => {
  const { callbacks } = await inspectFound([{ fields, form: 'urlencoded' }], {
    candidates,
    orderRecordOf: () => Promise.resolve(record),
  });
  const [first] = callbacks;
  if (!first) throw new Error('Nothing was inspected.');
  return inWords(first);
};

test('a callback that is not proven has no effect and no headline of a payment, and no field counts as signed', async () => {
  const genuine = await inspectOne(signedFields());
  expect(genuine.meaning).toMatchObject({ effect: 'paid' });
  const wrong = await inspectOne(
    signedFields().map(([name, value]) => [name, name === 'order_amount' ? '9999.00' : value]),
  );
  const unsigned = await inspectOne(signedFields().filter(([name]) => name !== 'hash'));
  for (const one of [wrong, unsigned]) {
    expect(one.meaning.effect).toBe('none');
    expect(one.meaning.title).not.toMatch(/paid/i);
    expect(new Set(one.fields.map(({ band }) => band))).toEqual(new Set(['not-proven']));
    expect(JSON.stringify(one.fields)).not.toContain('Signed.');
  }
  expect(wrong.explanation).toContain('No known cause');
});

const recorded = (state: OrderRecord['state']): OrderRecord => ({
  amount: usual['order_amount'] ?? null,
  currency: usual['order_currency'] ?? null,
  description: usual['order_description'] ?? null,
  customer: null,
  paymentIds: [],
  state,
});

test('a callback that denies a paid payment says that the status is not signed, and not to ask for the money again', async () => {
  for (const state of ['paid-unconfirmed', 'paid-confirmed', 'refunded'] as const) {
    const { meaning } = await inspectOne(signedFields({ status: 'fail' }), recorded(state));
    expect(meaning).toMatchObject({ effect: 'against-record', title: 'Your record says paid' });
    expect(meaning.text).toContain('Do not ask for the money again');
    expect(meaning.text).not.toContain('try again');
  }
  const declined = await inspectOne(signedFields({ status: 'fail' }), recorded('waiting'));
  expect(declined.meaning.effect).toBe('not-paid');
});

test('a copy whose hash is masked is recognised, and nothing about it is called invalid', async () => {
  const text = maskFields(signedFields())
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
  const one = inWords((await inspect(text, { candidates })).callbacks[0]);
  expect(one).toMatchObject({ doubt: 'hash-hidden', meaning: { effect: 'none' } });
  expect(one?.explanation).toContain('hash hidden');
  expect(one?.problems).toEqual([]);
  expect(one?.fields.find(({ name }) => name === 'hash')?.problem).toBeNull();
});

test('a callback whose signature verifies, but with one parameter twice and with different values, is not proven', async () => {
  for (const [name, value] of [
    ['status', 'fail'],
    ['order_amount', '1.00'],
  ] as const) {
    const doubled = await inspectOne([...signedFields(), [name, value]]);
    expect(doubled.verification.verdict).toBe('verified');
    expect(doubled.meaning).toMatchObject({ effect: 'none' });
    expect(doubled.meaning.title).toContain(name);
  }
  const [first] = signedFields();
  if (!first) throw new Error('There is a first field.');
  expect((await inspectOne([...signedFields(), first])).meaning.effect).toBe('paid');
});

test('a verified callback with a value in a wrong format is reported, and has its effect', async () => {
  const one = await inspectOne(signedFields({ customer_country: 'XYZ' }));
  expect(one.problems.map(({ field }) => field)).toContain('customer_country');
  expect(one.verification.verdict).toBe('verified');
  expect(one.meaning.effect).toBe('paid');
});

test('a callback whose hash has spaces around it is proven: they are removed before every comparison', async () => {
  const padded = signedFields().map(([name, value]): [string, string] => [
    name,
    name === 'hash' ? ` ${value}\n` : value,
  ]);
  const one = await inspectOne(padded);
  expect(one.verification.verdict).toBe('verified');
  expect(one.problems.filter(({ field }) => field === 'hash')).toEqual([]);
});
