import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { currencyDigits } from '../../main/sandbox/sandbox-money.ts';
import { currencyCodes, exponentOf } from '../../shared/money/currencies.ts';
import { ask, key, openShop, order, password, problems, sessionBody, sign } from './shop.ts';

const blank = 'This value should not be blank.';
const started = Date.UTC(2026, 2, 2, 10, 11, 12, 345);

test('a session request is accepted at both documented paths, with a new link of the same origin each time', async () => {
  const { sandbox } = await openShop();
  const links = new Set<string>();
  for (const path of ['sessions/', 'session/', 'sessions', 'session']) {
    const answer = await ask(`${sandbox.baseUrl}/api/v1/${path}`, 'POST', sessionBody());
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
    const { redirect_url: link, ...rest } = answer.json as { redirect_url: string };
    expect([new URL(link).origin, rest]).toEqual([sandbox.baseUrl, {}]);
    expect(new URL(link).pathname.length).toBeGreaterThanOrEqual(32);
    links.add(link);
  }
  expect(links.size).toBe(4);
});

test('a session request needs each field of §2.1 and §2.2, and an invalid one is named', async () => {
  const { sessions, raise } = await openShop();
  const refused = async (body: unknown) => {
    const answer = await ask(sessions, 'POST', body);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error_code: 0, error_message: 'Request data is invalid.' });
    return problems(answer);
  };
  for (const field of ['merchant_key', 'operation', 'methods', 'order', 'cancel_url', 'success_url', 'hash'])
    expect(await refused({ ...sessionBody(), [field]: undefined })).toEqual([`${field}: ${blank}`]);
  for (const field of ['number', 'amount', 'currency', 'description'])
    expect(await refused(sessionBody(order({ [field]: undefined })))).toEqual([`order.${field}: ${blank}`]);
  const invalid: Record<string, unknown[]> = {
    operation: ['refund'],
    methods: [[], 'card'],
    'methods.0': [[7]],
    cancel_url: ['javascript:alert(1)', null],
    success_url: ['not a url', `https://shop.example/${'x'.repeat(1024)}`, null],
    'order.currency': ['EURO', 'XQQ', 'XTS'],
    'order.amount': [10, '10', '10.0', '10.001', '1,000.00', '-1.00', '0.00', '010.00'],
    'order.number': ['', ' ', 'n'.repeat(256)],
    'order.description': ['', 'x', 'd'.repeat(1025)],
    session_expiry: [0, 721, '60'],
    req_token: ['yes'],
    recurring_init: [1],
    auth: ['yes'],
    'customer.email': ['no address'],
    card_token: ['token'],
    custom_data: ['text'],
    expiry_url: ['nowhere'],
  };
  for (const [path, values] of Object.entries(invalid))
    for (const value of values) {
      const [first = '', second = ''] = path.split('.');
      const changes =
        first === 'methods' ? { methods: value } : { [first]: second === '' ? value : { [second]: value } };
      const body =
        first === 'order' ? sessionBody(order({ [second]: value })) : sessionBody(order(), changes);
      expect((await refused(body)).map(problem => problem.split(': ')[0])).toEqual([path]);
    }
  const several = sessionBody(order({ amount: '1', currency: 'nil', number: '' }), { operation: 'x' });
  expect((await refused(several)).map(problem => problem.split(': ')[0])).toEqual([
    'operation',
    'order.number',
    'order.currency',
    'order.amount',
  ]);
  for (const text of ['', 'no json', '{"merchant_key":', '[]', 'null', '7', '"text"']) await refused(text);
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (value, part) => {
      await refused(JSON.stringify(value));
      await refused({ ...sessionBody(), order: part });
      await refused({ ...sessionBody(), methods: part, hash: value });
    }),
    { numRuns: 15 },
  );
  await raise();
});

test('a session request in a currency without two fraction digits may use two, or the currency’s own', async () => {
  const { raise, sessions } = await openShop();
  for (const [currency, amount] of Object.entries({ JPY: '500', KWD: '5.000', XCG: '5.00' }))
    await raise(order({ currency, amount }));
  await raise(order({ currency: 'JPY', amount: '500.00' }));
  expect(problems(await ask(sessions, 'POST', sessionBody(order({ currency: 'KWD', amount: '5' }))))).toEqual(
    ['order.amount: This value must be a decimal amount with two fraction digits or 3.'],
  );
});

test('the sandbox has its own list of currencies, and every one that the client offers', () => {
  expect(currencyCodes.filter(code => currencyDigits(code) !== exponentOf(code))).toEqual([]);
  for (const file of readdirSync('main/sandbox'))
    expect(readFileSync(`main/sandbox/${file}`, 'utf8'), file).not.toMatch(
      /shared\/(?:money|payments|signed)|\.\.\/(?:gateway|signatures)\//,
    );
});

test('a session request may contain the optional fields, other payment methods and unknown fields', async () => {
  const { raise } = await openShop();
  await raise(order(), {
    methods: ['card', 'applepay'],
    customer: { name: 'Zoë Müller', email: 'zoe@example.com' },
    billing_address: { country: 'PL', city: 'Łódź', zip: '90-001' },
    req_token: true,
    recurring_init: true,
    schedule_id: 'monthly',
    session_expiry: 720,
    expiry_url: 'https://shop.example/expired',
    error_url: 'https://shop.example/error',
    url_target: '_blank',
    channel_id: 'counter',
    custom_data: { appState: '7' },
    card_token: ['abc'],
    something_new: { deep: [1] },
  });
});

test('a session request is verified with the digest of the account, in Unicode and in ASCII upper-casing', async () => {
  const wrong = ['hash: Hash is not valid.'];
  const { sessions, raise } = await openShop();
  const of = order({ description: 'Größe' });
  await raise(of);
  // sign() upper-cases by Unicode, so the ASCII form needs the hash of the already upper-cased text.
  const ascii = `ORDER-1234${of.amount}${of.currency}GRößE${password.toUpperCase()}`;
  const inner = createHash('md5').update(ascii).digest('hex');
  await raise(of, { hash: createHash('sha1').update(inner).digest('hex') });
  for (const change of [
    { hash: sign(['x']) },
    { merchant_key: 'another' },
    { order: order({ amount: '99.00' }) },
  ])
    expect(problems(await ask(sessions, 'POST', sessionBody(order(), change)))).toEqual(wrong);

  const { number, amount, currency, description } = order();
  const other = await openShop({ digest: 'sha256' });
  await other.raise(order(), { hash: sign([number, amount, currency, description, password], 'sha256') });
  expect(problems(await ask(other.sessions, 'POST', sessionBody()))).toEqual(wrong);
});

test('a request over the size limit, with another method or at another path is refused as JSON', async () => {
  const { sandbox, sessions, status } = await openShop();
  const large = sessionBody(order(), { custom_data: { much: 'x'.repeat(70_000) } });
  expect((await ask(sessions, 'POST', large)).status).toBe(413);
  const refund = `${sandbox.baseUrl}/api/v1/payment/refund`;
  for (const [url, method, allow] of [
    [sessions, 'GET', 'POST'],
    [status, 'DELETE', 'GET, POST'],
    [refund, 'GET', 'POST'],
  ] as const)
    expect(await ask(url, method)).toMatchObject({ status: 405, headers: { allow } });
  for (const path of ['/', '/api/v1/', '/api/v2/sessions/', '/api/v1/sessionss', '//', '/%', '/dashboard'])
    expect(problems(await ask(sandbox.baseUrl + path, 'GET')), path).toEqual(['Not found.']);
});

test('the sandbox’s record of requests never contains a link, a key or a hash', async () => {
  const { raise, requests, byOrder } = await openShop();
  const link = await raise();
  await ask(link, 'GET');
  await byOrder('order-1234');
  const lines = (await requests.atLeast(3)).join('\n');
  expect(lines).toContain('GET /pay/… 200');
  expect(lines).not.toContain(link.slice(-20));
  expect(lines).not.toContain(key);
});

test('a status request is a GET with a JSON body or a query, or a POST, and is answered with the shape of §2.5', async () => {
  const { raise, received, status } = await openShop({ clock: () => started });
  const customer = { name: 'Anna Nowak', email: 'anna@example.com' };
  await raise(order(), { customer });
  const id = (await received.atLeast(1))[0]?.fields.get('id') ?? '';
  const fields = { merchant_key: key, payment_id: id, hash: sign([id, password]) };
  const expected = {
    payment_id: id,
    date: '2026-03-02 10:11:12',
    status: 'prepare',
    order: order(),
    customer,
  };
  for (const answer of [
    await ask(status, 'GET', fields),
    await ask(`${status}?${new URLSearchParams(fields).toString()}`, 'GET'),
    await ask(status, 'POST', fields),
  ])
    expect([answer.status, answer.json]).toEqual([200, expected]);
});

test('a status request by order number is answered for the most recent attempt', async () => {
  let now = started;
  const { raise, play, byOrder, received } = await openShop({ clock: () => now });
  const first = await raise();
  now += 1000;
  await raise();
  const date = '2026-03-02 10:11:13';
  expect((await byOrder('order-1234')).json).toMatchObject({ status: 'prepare', date });
  for (const scenario of ['decline', 'pay']) {
    now += 1000;
    await play(first, scenario);
  }
  const paid = (await received.until(items => items.some(({ event }) => event === 'sale/success'))).at(-1);
  expect((await byOrder('order-1234')).json).toMatchObject({
    status: 'settled',
    payment_id: paid?.fields.get('id'),
    date: '2026-03-02 10:11:15',
  });
});

test('a status request for an unknown payment, with a wrong hash or a wrong key gets the same refusal', async () => {
  const { raise, status, byPayment, byOrder } = await openShop();
  await raise();
  const number = 'order-1234';
  for (const answer of [
    await byPayment('00000000-0000-4000-8000-000000000000'),
    await byOrder('never-raised'),
    await ask(status, 'GET', { merchant_key: key, order_id: number, hash: sign([number, 'wrong']) }),
    await ask(status, 'GET', { merchant_key: 'x', order_id: number, hash: sign([number, password]) }),
  ])
    expect([answer.status, problems(answer)]).toEqual([400, ['hash: Hash is not valid.']]);
  const needed = ['merchant_key', 'hash', 'payment_id'].map(field => `${field}: ${blank}`);
  expect(problems(await ask(status, 'GET'))).toEqual(needed);
  expect(problems(await ask(status, 'POST', {}))).toEqual(needed);
  expect((await ask(status, 'POST', 'no json')).status).toBe(400);
});

test('the sandbox’s memory is limited to the newest payments', async () => {
  const { raise, byOrder } = await openShop({ capacity: 2 });
  const oldest = await raise(order({ number: 'a' }));
  for (const number of ['b', 'c']) await raise(order({ number }));
  expect((await ask(oldest, 'GET')).status).toBe(404);
  const statuses = ['a', 'b', 'c'].map(async number => (await byOrder(number)).status);
  expect(await Promise.all(statuses)).toEqual([400, 200, 200]);
});

/** Delivery by the sandbox (§6.2): repeated until 200, three more times at most. */

const deliveriesWhen = async (answers: readonly number[], wanted: number): Promise<string[]> => {
  const { raise, answerWith, deliveries } = await openShop();
  answerWith((_, earlier) => answers[earlier] ?? 500);
  await raise();
  return (await deliveries.atLeast(wanted)).map(
    ({ attempt, httpStatus, outcome }) => `${attempt} ${httpStatus} ${outcome}`,
  );
};

test('a callback that is not confirmed with 200 is sent three more times at most', async () => {
  const attempts = ['1 500 will-retry', '2 500 will-retry', '3 500 will-retry', '4 500 given-up'];
  expect(await deliveriesWhen([], 4)).toEqual(attempts);
});

test('a callback that is answered with another success than 200 is not confirmed', async () => {
  expect(await deliveriesWhen([204, 201, 200], 3)).toEqual([
    '1 204 will-retry',
    '2 201 will-retry',
    '3 200 confirmed',
  ]);
});

test('a callback that is confirmed is not sent again', async () => {
  expect(await deliveriesWhen([503, 200], 2)).toEqual(['1 503 will-retry', '2 200 confirmed']);
});

test('a further attempt goes to the address that replaced the old one', async () => {
  const { sandbox, receiverUrl, raise, received, answerWith, deliveries } = await openShop();
  answerWith(() => {
    sandbox.setCallbackUrl(`${receiverUrl}/replaced`);
    return received.items.length === 0 ? 500 : 200;
  });
  await raise();
  await deliveries.atLeast(2);
  expect(received.items.map(({ path }) => path)).toEqual(['/callbacks', '/callbacks/replaced']);
});
