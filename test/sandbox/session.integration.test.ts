import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currencyDigits } from '../../main/sandbox/sandbox-money.ts';
import { currencyCodes, exponentOf } from '../../shared/money/currencies.ts';
import { ask, key, openShop, order, password, problems, sessionBody, sign } from './shop.ts';

describe('a session request (§4.1)', () => {
  it('a session request is accepted at both documented paths, with and without the trailing slash', async () => {
    const { sandbox } = await openShop();
    for (const path of ['sessions/', 'session/', 'sessions', 'session']) {
      const answer = await ask(`${sandbox.baseUrl}/api/v1/${path}`, 'POST', sessionBody());
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toBe('application/json');
      expect(Object.keys(answer.json as object)).toEqual(['redirect_url']);
    }
  });

  it('a session request is answered with a new link on the same origin, for every request of an order', async () => {
    const { sandbox, raise } = await openShop();
    const links = [await raise(), await raise(), await raise()];
    expect(new Set(links).size).toBe(3);
    for (const link of links) {
      expect(new URL(link).origin).toBe(sandbox.baseUrl);
      expect(new URL(link).pathname.length).toBeGreaterThanOrEqual(32);
    }
  });

  it.each([
    ['merchant_key', 'merchant_key: This value should not be blank.'],
    ['operation', 'operation: This value should not be blank.'],
    ['methods', 'methods: This value should not be blank.'],
    ['order', 'order: This value should not be blank.'],
    ['cancel_url', 'cancel_url: This value should not be blank.'],
    ['success_url', 'success_url: This value should not be blank.'],
    ['hash', 'hash: This value should not be blank.'],
  ])('a session request needs %s (§2.1)', async (field, problem) => {
    const { sessions } = await openShop();
    const body = sessionBody();
    delete body[field];
    const answer = await ask(sessions, 'POST', body);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error_code: 0, errors: [{ error_code: 100_000 }] });
    expect(problems(answer)).toEqual([problem]);
  });

  it.each(['number', 'amount', 'currency', 'description'] as const)(
    'a session request needs order.%s (§2.2)',
    async field => {
      const { sessions } = await openShop();
      const { [field]: _, ...rest } = order();
      expect(problems(await ask(sessions, 'POST', { ...sessionBody(), order: rest }))).toEqual([
        `order.${field}: This value should not be blank.`,
      ]);
    },
  );

  it.each([
    ['operation', 'refund', 'operation'],
    ['methods', [], 'methods'],
    ['methods', 'card', 'methods'],
    ['methods', [7], 'methods.0'],
    ['cancel_url', 'javascript:alert(1)', 'cancel_url'],
    ['success_url', 'not a url', 'success_url'],
    ['success_url', `https://shop.example/${'x'.repeat(1024)}`, 'success_url'],
    ['order', order({ currency: 'EURO' }), 'order.currency'],
    ['order', order({ currency: 'XQQ' }), 'order.currency'],
    ['order', { ...order(), amount: 10 }, 'order.amount'],
    ['order', order({ amount: '10' }), 'order.amount'],
    ['order', order({ amount: '10.0' }), 'order.amount'],
    ['order', order({ amount: '10.001' }), 'order.amount'],
    ['order', order({ amount: '1,000.00' }), 'order.amount'],
    ['order', order({ amount: '-1.00' }), 'order.amount'],
    ['order', order({ amount: '0.00' }), 'order.amount'],
    ['order', order({ amount: '010.00' }), 'order.amount'],
    ['success_url', null, 'success_url'],
    ['order', order({ number: '' }), 'order.number'],
    ['order', order({ number: 'n'.repeat(256) }), 'order.number'],
    ['order', order({ description: 'd'.repeat(1025) }), 'order.description'],
    ['session_expiry', 0, 'session_expiry'],
    ['session_expiry', 721, 'session_expiry'],
    ['session_expiry', '60', 'session_expiry'],
    ['req_token', 'yes', 'req_token'],
    ['recurring_init', 1, 'recurring_init'],
    ['customer', { email: 'no address' }, 'customer.email'],
    ['card_token', 'token', 'card_token'],
    ['custom_data', 'text', 'custom_data'],
    ['expiry_url', 'nowhere', 'expiry_url'],
  ])('a session request with %s = %j is refused with the field %s', async (field, value, path) => {
    const { sessions } = await openShop();
    const answer = await ask(sessions, 'POST', sessionBody(order(), { [field]: value }));
    expect(answer.status).toBe(400);
    expect(problems(answer).map(problem => problem.split(': ')[0])).toEqual([path]);
  });

  it('a session request is refused with every invalid field at once', async () => {
    const { sessions } = await openShop();
    const of = order({ amount: '1', currency: 'nil', number: '' });
    const paths = problems(await ask(sessions, 'POST', sessionBody(of, { operation: 'x' }))).map(
      problem => problem.split(': ')[0],
    );
    expect(paths).toEqual(['operation', 'order.number', 'order.currency', 'order.amount']);
  });

  it('a session request in a currency without two fraction digits may use two, or the currency’s own', async () => {
    const { raise, sessions } = await openShop();
    await raise(order({ currency: 'JPY', amount: '500' }));
    await raise(order({ currency: 'JPY', amount: '500.00' }));
    await raise(order({ currency: 'KWD', amount: '5.000' }));
    expect(
      problems(await ask(sessions, 'POST', sessionBody(order({ currency: 'KWD', amount: '5' })))),
    ).toEqual(['order.amount: This value must be a decimal amount with two fraction digits or 3.']);
  });

  it('the sandbox has its own list of currencies, and every one that the client offers', () => {
    expect(currencyCodes.filter(code => currencyDigits(code) !== exponentOf(code))).toEqual([]);
    for (const file of readdirSync('main/sandbox'))
      expect(readFileSync(`main/sandbox/${file}`, 'utf8'), file).not.toMatch(
        /shared\/(?:money|payments|signed)|\.\.\/(?:gateway|signatures)\//,
      );
  });

  it('the sandbox calls a missing address of a session request blank', async () => {
    const { sessions } = await openShop();
    expect(problems(await ask(sessions, 'POST', sessionBody(order(), { cancel_url: null })))).toEqual([
      'cancel_url: This value should not be blank.',
    ]);
  });

  it('the sandbox accepts every current currency of ISO 4217, and refuses a test code', async () => {
    const { raise, sessions } = await openShop();
    await raise(order({ currency: 'XCG', amount: '5.00' }));
    expect(
      problems(await ask(sessions, 'POST', sessionBody(order({ currency: 'XTS', amount: '5.00' })))),
    ).toEqual(['order.currency: This value is not an ISO 4217 currency.']);
  });

  it('a session request may contain the optional fields, other payment methods and unknown fields', async () => {
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

  it('a session request is accepted with Unicode and ASCII upper-casing', async () => {
    const { sessions, raise } = await openShop();
    const of = order({ description: 'Größe' });
    await raise(of);
    const ascii = `${of.number}${of.amount}${of.currency}GRößE${password}`.replaceAll(/[a-z]/g, letter =>
      letter.toUpperCase(),
    );
    // sign() upper-cases by Unicode, so the ASCII form needs the hash of the already upper-cased text.
    const { createHash } = await import('node:crypto');
    const inner = createHash('md5').update(ascii).digest('hex');
    const hash = createHash('sha1').update(inner).digest('hex');
    expect((await ask(sessions, 'POST', sessionBody(of, { hash }))).status).toBe(200);
  });

  it.each([
    ['a wrong hash', { hash: sign(['x']) }],
    ['an unknown merchant key', { merchant_key: 'another' }],
    ["another order's hash", { order: order({ amount: '99.00' }) }],
  ])('a session request with %s is refused as "Hash is not valid"', async (_, change) => {
    const { sessions } = await openShop();
    const answer = await ask(sessions, 'POST', sessionBody(order(), change));
    expect(answer.status).toBe(400);
    expect(problems(answer)).toEqual(['hash: Hash is not valid.']);
  });

  it('a session request of an account with SHA-256 is verified with it only', async () => {
    const { sessions } = await openShop({ digest: 'sha256' });
    const { number, amount, currency, description } = order();
    const hash = sign([number, amount, currency, description, password], 'sha256');
    expect((await ask(sessions, 'POST', sessionBody(order(), { hash }))).status).toBe(200);
    expect(problems(await ask(sessions, 'POST', sessionBody()))).toEqual(['hash: Hash is not valid.']);
  });
});

describe('an invalid session request', () => {
  it.each(['', 'no json', '{"merchant_key":', '[]', 'null', '7', '"text"'])(
    'the session request %j is refused, in the same shape',
    async text => {
      const { sessions } = await openShop();
      const answer = await ask(sessions, 'POST', text);
      expect(answer.status).toBe(400);
      expect(answer.json).toMatchObject({ error_code: 0, error_message: 'Request data is invalid.' });
    },
  );

  it('an invalid session request of any JSON shape is refused, and the gateway continues to work', async () => {
    const { sessions, raise } = await openShop();
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (value, part) => {
        for (const body of [
          value,
          { ...sessionBody(), order: part },
          { ...sessionBody(), methods: part, hash: value },
        ]) {
          expect((await ask(sessions, 'POST', JSON.stringify(body))).status).toBe(400);
        }
      }),
      { numRuns: 30 },
    );
    await raise();
  });

  it('a session request over the size limit is refused with 413', async () => {
    const { sessions } = await openShop();
    const answer = await ask(
      sessions,
      'POST',
      sessionBody(order(), { custom_data: { much: 'x'.repeat(70_000) } }),
    );
    expect(answer.status).toBe(413);
  });

  it('a session request with another method is answered 405, at another path 404, as JSON', async () => {
    const { sandbox, sessions, status } = await openShop();
    expect(await ask(sessions, 'GET')).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    expect(await ask(status, 'DELETE')).toMatchObject({ status: 405, headers: { allow: 'GET, POST' } });
    for (const path of [
      '/',
      '/api/v1/',
      '/api/v2/sessions/',
      '/api/v1/sessionss',
      '//',
      '/%',
      '/dashboard',
      '/dashboard/x',
    ]) {
      const answer = await ask(sandbox.baseUrl + path, 'GET');
      expect(answer.status).toBe(404);
      expect(problems(answer)).toEqual(['Not found.']);
    }
  });

  it('the sandbox’s record of requests never contains a link, a key or a hash', async () => {
    const { raise, requests, byOrder } = await openShop();
    const link = await raise();
    await ask(link, 'GET');
    await byOrder('order-1234');
    const lines = (await requests.atLeast(3)).join('\n');
    expect(lines).toContain('GET /pay/… 200');
    expect(lines).not.toContain(link.slice(-20));
    expect(lines).not.toContain(key);
  });
});

describe('a status request (§4.2)', () => {
  const started = Date.UTC(2026, 2, 2, 10, 11, 12, 345);

  it('a status request is answered with the shape of §2.5, the date in UTC', async () => {
    const { raise, received, byPayment } = await openShop({ clock: () => started });
    await raise(order(), { customer: { name: 'Anna Nowak', email: 'anna@example.com' } });
    const id = (await received.atLeast(1))[0]?.fields.get('id') ?? '';
    const answer = await byPayment(id);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      payment_id: id,
      date: '2026-03-02 10:11:12',
      status: 'prepare',
      order: order(),
      customer: { name: 'Anna Nowak', email: 'anna@example.com' },
    });
  });

  it('a status request may be a GET with a JSON body, a GET with a query, or a POST with a JSON body', async () => {
    const { raise, received, status } = await openShop();
    await raise();
    const id = (await received.atLeast(1))[0]?.fields.get('id') ?? '';
    const fields = { merchant_key: key, payment_id: id, hash: sign([id, password]) };
    const answers = [
      await ask(status, 'GET', fields),
      await ask(`${status}?${new URLSearchParams(fields).toString()}`, 'GET'),
      await ask(status, 'POST', fields),
    ];
    expect(answers.map(answer => answer.json)).toEqual([
      answers[0]?.json,
      answers[0]?.json,
      answers[0]?.json,
    ]);
    expect(answers[0]?.json).toMatchObject({ payment_id: id });
  });

  it('a status request by order number is answered for the most recent attempt', async () => {
    let now = started;
    const { raise, play, byOrder, received } = await openShop({ clock: () => now });
    const first = await raise();
    now += 1000;
    await raise();
    expect((await byOrder('order-1234')).json).toMatchObject({
      status: 'prepare',
      date: '2026-03-02 10:11:13',
    });
    now += 1000;
    await play(first, 'decline');
    now += 1000;
    await play(first, 'pay');
    const paid = (await received.until(items => items.some(({ event }) => event === 'sale/success'))).at(-1);
    expect((await byOrder('order-1234')).json).toMatchObject({
      status: 'settled',
      payment_id: paid?.fields.get('id'),
      date: '2026-03-02 10:11:15',
    });
  });

  it('a status request for an unknown payment, with a wrong hash or a wrong key gets the same refusal', async () => {
    const { raise, status, byPayment, byOrder } = await openShop();
    await raise();
    const number = 'order-1234';
    const answers = [
      await byPayment('00000000-0000-4000-8000-000000000000'),
      await byOrder('never-raised'),
      await ask(status, 'GET', { merchant_key: key, order_id: number, hash: sign([number, 'wrong']) }),
      await ask(status, 'GET', { merchant_key: 'x', order_id: number, hash: sign([number, password]) }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(400);
      expect(problems(answer)).toEqual(['hash: Hash is not valid.']);
    }
  });

  it('a status request without its fields is refused with their names', async () => {
    const { status } = await openShop();
    const needed = ['merchant_key', 'hash', 'payment_id'].map(
      field => `${field}: This value should not be blank.`,
    );
    expect(problems(await ask(status, 'GET'))).toEqual(needed);
    expect(problems(await ask(status, 'POST', {}))).toEqual(needed);
    expect((await ask(status, 'POST', 'no json')).status).toBe(400);
  });
});

describe("the gateway's memory", () => {
  it('the sandbox’s memory is limited to the newest payments', async () => {
    const { raise, byOrder } = await openShop({ capacity: 2 });
    const oldest = await raise(order({ number: 'a' }));
    await raise(order({ number: 'b' }));
    await raise(order({ number: 'c' }));
    expect((await byOrder('a')).status).toBe(400);
    expect((await ask(oldest, 'GET')).status).toBe(404);
    expect((await byOrder('b')).status).toBe(200);
    expect((await byOrder('c')).status).toBe(200);
  });
});
