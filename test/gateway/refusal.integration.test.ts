import { expect, it } from 'vitest';
import { readRefusal, refusalError } from '../../main/gateway/refusal.ts';
import { inWords } from '../../tools/app-harness/in-words.ts';
import { json, type Answer } from '../../tools/server-harness/test-server.ts';
import { password, sandboxProfile, startGateway } from './gateway-server.ts';

/** How a refusal of the gateway is interpreted, and how it must not be. */

const problems = (texts: readonly string[], status = 400): Answer => {
  const errors = texts.map(text => ({ error_code: 100_000, error_message: text }));
  return json({ error_code: 0, error_message: 'Request data is invalid.', errors }, status);
};
const blank = 'This value should not be blank.';
/** A gateway that does not read the body of a GET, and checks the body of a POST. */
const ignoresGetBody: Answer = (seen, response, request) => {
  const read =
    seen.method === 'POST'
      ? ['hash: Hash is not valid.']
      : ['merchant_key', 'payment_id', 'hash'].map(path => `${path}: ${blank}`);
  problems(read)(seen, response, request);
};

const lookUpAndCheck = async (...given: Parameters<typeof startGateway>) => {
  const { gateway, profile } = await startGateway(...given);
  const lookUp = await gateway.lookUp(profile, password, { by: 'payment-id', value: 'made-up' });
  const { steps } = await gateway.check({ ...profile, kind: 'test' }, password, null, null);
  const status = inWords(steps.find(({ step }) => step === 'status'));
  return {
    error: lookUp.kind === 'failed' ? inWords(lookUp.error) : null,
    outcome: status?.outcome,
    checkText: `${status?.title} ${status?.meaning} ${status?.todo}`,
  };
};

const errorOf = (value: unknown, asked: 'session' | 'status' = 'status') =>
  inWords(refusalError(asked, 400, readRefusal(value), sandboxProfile(1), text => text));

it('a gateway that does not read the body of a GET is recognised by its missing fields, and another form of look-up is offered', async () => {
  const { error, outcome, checkText } = await lookUpAndCheck(ignoresGetBody);
  expect(error?.code).toBe('gateway.refused');
  expect(error?.hint).toContain('POST + JSON body');
  expect(outcome).toBe('bad');
  expect(checkText).toContain('does not receive the fields');
  expect(checkText).not.toMatch(/settings are correct|Hash is not valid/);
});

it('a gateway that reads the body in another form answers that form with a result about the signature', async () => {
  const { error, outcome, checkText } = await lookUpAndCheck(ignoresGetBody, { statusForm: 'post-json' });
  expect(error?.code).toBe('gateway.signature-refused');
  expect(outcome).toBe('warning');
  expect(checkText).not.toContain('address and form are right');
});

it.each([
  'Request body is empty.',
  'merchant_key is required',
  'Missing parameter payment_id',
  'payment_id: This value should not be null.',
  'merchant_key: This field is mandatory.',
  'hash: must be provided',
  'hash: This field must be present.',
  'Parameter hash was not provided.',
  'The field hash was not passed',
  'payment_id: omitted',
  'merchant_key: should be set',
])('a gateway that does not read the body of a GET is also recognised by %j', async text => {
  const { error, outcome } = await lookUpAndCheck(problems([text]));
  expect(error?.hint).toContain('POST + JSON body');
  expect(outcome).toBe('bad');
});

/** The look-up and the first question of the check get `answer`; the same question with a wrong password is refused. */
const withHashChecked = (answer: Answer): Answer => {
  let requests = 0;
  return (...args) => {
    requests += 1;
    (requests <= 2 ? answer : problems(['hash: Hash is not valid.']))(...args);
  };
};

it.each([
  [400, 'payment_id: Payment not found.'],
  [404, 'Order does not exist.'],
  [404, 'Payment not found'],
  [400, 'Order does not exist.'],
  [400, 'order_id: not found'],
  [422, 'No such transaction.'],
  [400, 'Transaction with this id doesn’t exist'],
  [400, 'Payment does not exists'],
  [400, 'Payment with id 50a1 could not be found'],
  [404, 'Payment with ID "50a1361a-7c2e-11f1-b8d4-0242ac120002" for merchant shop was not found'],
  [400, 'Order for this merchant not found'],
])(
  'the connection check after HTTP %i and %j, but a refusal of a wrong password, calls both proven, and says that there is no such payment, as the look-up does',
  async (status, text) => {
    const { error, outcome, checkText } = await lookUpAndCheck(withHashChecked(problems([text], status)));
    expect(outcome).toBe('good');
    expect(checkText).toContain('found no such payment');
    expect(error).toMatchObject({ code: 'payment.missing', details: { httpStatus: status } });
    expect(error?.message).toContain('has no such payment');
    expect(`${error?.hint} ${checkText}`).not.toMatch(/query string|saved with the payment/);
  },
);

it.each([
  [404, 'Not found'],
  [404, 'No route found for "GET /api/v1/payment/status"'],
  [404, 'The requested resource does not exist.'],
  [400, 'merchant_key: Merchant not found'],
  [400, 'Unknown merchant key'],
  [400, 'Unknown payment method'],
])(
  'the connection check after HTTP %i and %j does not say that there is no such payment',
  async (status, text) => {
    const { error, checkText } = await lookUpAndCheck(problems([text], status));
    expect(`${error?.message} ${checkText}`).not.toContain('no such payment');
  },
);

it('the connection check quotes only words that the provider sent', async () => {
  for (const text of ['hash: Bad signature.', 'hash: This value is not valid.', 'Invalid hash']) {
    const { outcome, checkText } = await lookUpAndCheck(problems([text]));
    expect(outcome).toBe('warning');
    expect(checkText).toContain(text);
    expect(checkText).not.toContain('Hash is not valid');
  }
});

it.each([json({}, 400), json({ message: 'Bad request' }, 400), problems(['order_id: odd'], 422)])(
  'the connection check does not report an accepted signature after an answer that does not mention it',
  async answer => {
    const { outcome, checkText } = await lookUpAndCheck(answer);
    expect(outcome).toBe('warning');
    expect(checkText).not.toMatch(/Signature accepted|address and form are right/);
  },
);

it.each([
  ['recognised', { errors: [{ error_message: 'hash: Hash is not valid.' }] }],
  ['recognised', { errors: ['Hash is not valid.'] }],
  ['recognised', { error_message: 'Invalid hash' }],
  ['recognised', { message: 'The signature does not match' }],
  ['recognised', { message: 'Wrong request signature.' }],
  ['recognised', { error_message: 'The hash parameter is incorrect' }],
  ['recognised', { error_message: 'Invalid.', errors: [{ error_message: 'hash: Hash is not valid.' }] }],
  ['not recognised', { message: 'Description must not hold a hash sign' }],
  ['not recognised', { message: 'The currency is not valid. Use # (hash) for comments.' }],
  ['not recognised', { errors: [`hash: ${blank}`] }],
  ['not recognised', { errors: ['hash: This field is required.', 'order.amount: This is not valid.'] }],
  ['not recognised', { errors: ['order.description: A signature is not valid here.'] }],
])('a refused signature is %s in %j', (how, value) => {
  const code = how === 'recognised' ? 'gateway.signature-refused' : 'gateway.refused';
  expect([errorOf(value).code, errorOf(value, 'session').code]).toEqual([code, code]);
});

it.each(['constructor', '__proto__', 'toString', 'order.constructor', 'constructor.name'])(
  'a field named by the gateway called %s is a text like any other',
  name => {
    expect(errorOf({ errors: [`${name}: is odd`] }).fields).toEqual([{ path: name, message: 'is odd' }]);
  },
);

it('a field named by the gateway inside a field of the form belongs to that field', () => {
  expect(errorOf({ errors: ['custom_data.till: is odd', 'methods[0]: is odd'] }).fields).toMatchObject([
    { path: 'extras.customData' },
    { path: 'methods' },
  ]);
});
