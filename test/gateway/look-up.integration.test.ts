import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import type { GatewayOptions } from '../../main/gateway/create-gateway.ts';
import type { StatusOutcome } from '../../main/gateway/gateway.ts';
import { parseExactly, readStatusAnswers } from '../../main/gateway/status-answer.ts';
import { signature } from '../../main/sandbox/hash.ts';
import { containsCardNumber } from '../../shared/card-number.ts';
import type { LookUpKey } from '../../shared/payments/evidence.ts';
import { operationSettingsSchema, type Profile } from '../../shared/settings/profile.ts';
import { inWords, type InWords } from '../../tools/app-harness/in-words.ts';
import { json, type Answer } from '../../tools/server-harness/test-server.ts';
import { password, startGateway as startClient } from './gateway-server.ts';

const id = '50a1361a-7c2e-11f1-b8d4-0242ac120002';
const byPayment: LookUpKey = { by: 'payment-id', value: id };
const answer = {
  payment_id: id,
  date: '2026-11-20 12:00:00',
  status: 'settled',
  order: { number: 'T-100', amount: '10.00', currency: 'EUR', description: 'Two nights' },
  customer: { name: 'Ada', email: 'ada@example.com' },
};

const errors = (text: string) => ({ errors: [{ error_message: text }] });
const wrongSignature = json(errors('hash: Hash is not valid.'), 400);
const unknownPayment = { error_message: 'No such payment' };
const elsewhere = 'https://other.example/';

const startGateway = async (
  answer: Answer,
  changes: Partial<Profile> = {},
  options: Partial<GatewayOptions> = {},
) => {
  const pauses: number[] = [];
  const retry = { pause: async (ms: number) => void pauses.push(ms), random: () => 1 };
  const { server, gateway, profile } = await startClient(answer, changes, { retry, ...options });
  const ask = async (key = byPayment, signal?: AbortSignal): Promise<InWords<StatusOutcome>> =>
    inWords(await gateway.lookUp(profile, password, key, signal));
  return { server, pauses, ask };
};

it('asks for several attempts only if the profile does, unsigned, and never by payment id', async () => {
  const byOrder: LookUpKey = { by: 'order-number', value: 'T-100' };
  const operations = operationSettingsSchema.parse({ statusSize: 20 });
  const without = await startGateway(json(answer));
  await without.ask(byOrder);
  const { server, ask } = await startGateway(json(answer), { operations });
  await ask(byOrder);
  await ask(byPayment);
  const [plain] = without.server.requests.map(({ body }) => JSON.parse(body) as object);
  const [sized, byId] = server.requests.map(({ body }) => JSON.parse(body) as object);
  expect(plain).not.toHaveProperty('size');
  expect(sized).toEqual({ ...plain, size: '20' });
  expect(byId).not.toHaveProperty('size');
});

const fields = {
  merchant_key: 'merchant-key-1',
  payment_id: id,
  hash: signature([id, password], 'md5', 'unicode'),
};

it('a look-up is a GET with a JSON body, as the interface defines', async () => {
  const { server, ask } = await startGateway(json(answer));
  await ask();
  const [seen] = server.requests;
  expect(seen).toMatchObject({ method: 'GET', url: '/api/v1/payment/status' });
  expect(JSON.parse(seen?.body ?? '')).toEqual(fields);
});

it('a look-up is a GET with a query, or a POST, if the profile requires it', async () => {
  const query = await startGateway(json(answer), { statusForm: 'get-query' });
  await query.ask();
  const [seen] = query.server.requests;
  expect(seen).toMatchObject({ method: 'GET', body: '' });
  const url = new URL(seen?.url ?? '', 'http://x');
  expect([url.pathname, Object.fromEntries(url.searchParams)]).toEqual(['/api/v1/payment/status', fields]);

  await query.ask({ by: 'order-number', value: 'A&B=1 #ü' });
  const asked = new URL(query.server.requests[1]?.url ?? '', 'http://x').searchParams;
  expect([...asked.keys()].toSorted()).toEqual(['hash', 'merchant_key', 'order_id']);
  expect(asked.get('order_id')).toBe('A&B=1 #ü');

  const post = await startGateway(json(answer), { statusForm: 'post-json' });
  await post.ask();
  expect(post.server.requests[0]).toMatchObject({ method: 'POST', url: '/api/v1/payment/status' });
  expect(JSON.parse(post.server.requests[0]?.body ?? '')).toEqual(fields);
});

it('a look-up by order number has its own formula (assumption)', async () => {
  const signed = { digest: 'sha256', requestUppercasing: 'ascii' } as const;
  const { server, ask } = await startGateway(json(answer), signed);
  await ask({ by: 'order-number', value: 'Zürich-1' });
  expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({
    merchant_key: 'merchant-key-1',
    order_id: 'Zürich-1',
    hash: signature(['Zürich-1', password], 'sha256', 'ascii'),
  });
});

describe('an answer to a look-up (§2.5)', () => {
  const answersTo = async (value: unknown) => {
    const { ask } = await startGateway(json(value));
    const outcome = await ask();
    if (outcome.kind === 'failed') throw new Error(outcome.error.message);
    return outcome.answers;
  };

  it('an answer to a look-up is read field by field', async () => {
    expect(await answersTo({ ...answer, status: 'decline', reason: 'No money' })).toEqual([
      {
        paymentId: id,
        date: '2026-11-20 12:00:00',
        status: 'decline',
        reason: 'No money',
        order: answer.order,
        customer: { name: 'Ada', email: 'ada@example.com' },
        extra: {},
      },
    ]);
  });

  it('an answer to a look-up keeps fields that the interface does not list, as received', async () => {
    const [read] = await answersTo(
      `{"status":"void","reason":"x","digital_wallet":{"kind":"a"},"order":{"amount":100.00,"vat":1.10,"number":7},"customer":{"name":null,"phone":"1"},"shedule_id":null,"big":12345678901234567890.10}`,
    );
    expect(read).toEqual({
      paymentId: null,
      date: null,
      status: 'void',
      reason: 'x',
      order: { number: '7', amount: '100.00', currency: null, description: null },
      customer: null,
      extra: {
        digital_wallet: '{"kind":"a"}',
        'order.vat': '1.10',
        'customer.phone': '1',
        shedule_id: 'null',
        big: '12345678901234567890.10',
      },
    });
  });

  it('an answer to a look-up may be a list of attempts (assumption), and contain unexpected shapes', async () => {
    const answers = await answersTo([answer, { status: 'decline', order: 'gone', customer: ['x'] }]);
    expect(answers.map(({ status }) => status)).toEqual(['settled', 'decline']);
    expect(answers[1]?.extra).toEqual({ order: 'gone', customer: '["x"]' });
  });

  it('an answer to a look-up is read without an error for any value, and no text is lost except a card number', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.jsonValue(), (status, value) => {
        fc.pre(!containsCardNumber(JSON.stringify([status, value])));
        const body = { status, 'kept as it is': value };
        const read = readStatusAnswers(parseExactly(Buffer.from(JSON.stringify(body))));
        expect(read?.[0]?.status).toBe(status);
        const stored = read?.[0]?.extra['kept as it is'];
        const asText = (_: string, one: unknown): unknown =>
          typeof one === 'number' && typeof value !== 'number' ? String(one) : one;
        if (typeof value === 'string') expect(stored).toBe(value);
        else expect(JSON.parse(stored ?? '')).toEqual(JSON.parse(JSON.stringify(value), asText));
      }),
    );
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), text => {
        const read = readStatusAnswers(parseExactly(Buffer.from(text)));
        expect(read === null || read.every(({ status }) => status !== '')).toBe(true);
      }),
    );
  });

  it.each<[string, Answer, string]>([
    ['a wrong signature', wrongSignature, 'gateway.signature-refused'],
    ['a refusal', json({ error_message: 'Not now' }, 400), 'gateway.refused'],
    ['an unknown payment', json(unknownPayment, 400), 'payment.missing'],
    ['an unknown payment under HTTP 200', json({ error_code: 0, ...unknownPayment }), 'payment.missing'],
    ['HTTP 401', json({}, 401), 'gateway.refused'],
    ['HTTP 500', json({}, 500), 'gateway.server-error'],
    ['a page', json('<html>'), 'gateway.not-json'],
    ['another shape', json({ payment: 'settled' }), 'gateway.other-shape'],
    ['an empty list', json([]), 'gateway.other-shape'],
    ['a list with something odd in it', json([answer, 5]), 'gateway.other-shape'],
    ['a status that is no text', json({ status: { a: 1 } }), 'gateway.other-shape'],
    ['a redirect', (_, to) => to.writeHead(302, { location: elsewhere }).end(), 'gateway.redirected'],
  ])('%s is reported as what it is, without a retry', async (_, given, code) => {
    const { ask, server } = await startGateway(given);
    expect(await ask()).toMatchObject({ kind: 'failed', error: { code } });
    expect(server.requests).toHaveLength(1);
  });

  it('an answer to a look-up explains a wrong signature with all four causes', async () => {
    const { ask } = await startGateway(wrongSignature);
    const outcome = await ask();
    const hint = outcome.kind === 'failed' ? outcome.error.hint : '';
    for (const cause of ['hash and upper case', 'password and key', 'test or live', 'unknown for this key'])
      expect(hint).toContain(cause);
  });

  it.each<[string, Answer]>([
    ['404', json({}, 404)],
    ['405', json({ message: 'Method not allowed' }, 405)],
    ['400 about missing fields', json(errors('merchant_key: This value is required.'), 400)],
  ])('a look-up refused by %s lists the other forms and does not switch', async (_, given) => {
    const { ask, server } = await startGateway(given);
    const hint = expect.stringMatching(/GET \+ query string or POST \+ JSON body/) as string;
    expect(await ask()).toMatchObject({ error: { code: 'gateway.refused', hint } });
    expect(server.requests.map(({ method }) => method)).toEqual(['GET']);
  });

  it('an answer to a look-up shows neither password nor hash, even if the gateway returns them', async () => {
    const { ask, server } = await startGateway(({ body }, response) => {
      response.end(JSON.stringify({ status: 'settled', echo: body, given: password.toUpperCase() }));
    });
    const outcome = await ask();
    const { hash } = JSON.parse(server.requests[0]?.body ?? '') as { hash: string };
    expect(outcome.kind === 'answered' && outcome.answer.body).not.toContain(hash);
    expect(JSON.stringify(outcome.answer)).not.toContain(password.toUpperCase());
  });
});

const failing = (times: number, fail: Answer): Answer => {
  let turn = 0;
  return (seen, response, request) => {
    turn += 1;
    (turn <= times ? fail : json(answer))(seen, response, request);
  };
};

it.each<[string, Answer]>([
  ['HTTP 503', json({}, 503)],
  ['HTTP 429', json({}, 429)],
  ['HTTP 502', json('<html>', 502)],
  ['a broken connection', (_, response) => response.destroy()],
  ['no answer', () => undefined],
])('a look-up with a temporary failure is repeated after %s, with growing pauses', async (_, fail) => {
  const { ask, server, pauses } = await startGateway(failing(2, fail), {
    timeouts: { connect: 500, headers: 500, body: 500 },
  });
  expect(await ask()).toMatchObject({ kind: 'answered' });
  expect(server.requests).toHaveLength(3);
  expect(pauses).toEqual([800, 1600]);
});

it('a look-up with a temporary failure is repeated three times at most', async () => {
  const { ask, server, pauses } = await startGateway(json({}, 503));
  expect(await ask()).toMatchObject({ kind: 'failed', error: { code: 'gateway.server-error' } });
  expect(server.requests).toHaveLength(3);
  expect(pauses).toHaveLength(2);
  expect(pauses[1]).toBeGreaterThan(pauses[0] ?? Infinity);
});

it('a look-up with a temporary failure is repeated at the time that the gateway requests, and not if that is far in the future', async () => {
  const later = (seconds: string): Answer => {
    return (_, response) => response.writeHead(429, { 'retry-after': seconds }).end();
  };
  const soon = await startGateway(failing(1, later('3')));
  expect(await soon.ask()).toMatchObject({ kind: 'answered' });
  expect(soon.pauses).toEqual([3000]);
  const late = await startGateway(failing(1, later('120')));
  expect(await late.ask()).toMatchObject({ kind: 'failed' });
  expect(late.server.requests).toHaveLength(1);
});

it('a look-up with a temporary failure is repeated until it is cancelled', async () => {
  const cancelled = new AbortController();
  const pause = async (_: number, signal: AbortSignal | undefined): Promise<void> => {
    cancelled.abort();
    signal?.throwIfAborted();
  };
  const { ask, server } = await startGateway(json({}, 503), {}, { retry: { pause, random: () => 0 } });
  expect(await ask(byPayment, cancelled.signal)).toMatchObject({ error: { code: 'gateway.cancelled' } });
  expect(server.requests).toHaveLength(1);
});

const text = JSON.stringify(answer);
it.each([
  ['a status and an error', JSON.stringify({ ...answer, ...errors('hash: Hash is not valid.') })],
  ['a status and an error text', JSON.stringify({ ...answer, error_message: 'Order does not exist.' })],
  ['an attempt with an error', JSON.stringify([answer, { ...answer, errors: ['odd'] }])],
  ['two statuses', text.replace('"status"', '"status":"decline","status"')],
  ['two statuses, one escaped', text.replace('"status"', String.raw`"st\u0061tus":"decline","status"`)],
  ['two amounts', text.replace('"amount"', '"amount":"1.00","amount"')],
])('an answer that contradicts itself is never believed: %s', async (_, body) => {
  const { ask } = await startGateway(json(body));
  expect(await ask()).toMatchObject({
    kind: 'failed',
    error: { code: 'gateway.other-shape', message: expect.stringContaining('contradicts itself') },
    answer: { httpStatus: 200 },
  });
});

it.each([
  ['an empty list of errors', { ...answer, errors: [], error_code: 0, error_message: '' }],
  ['a declined payment with its error', { ...answer, status: 'decline', error_message: 'No money' }],
  ['the same name in other objects', [answer, { ...answer, customer: { status: 'x' } }]],
])('an answer with %s does not contradict itself', async (_, body) => {
  const { ask } = await startGateway(json(body));
  expect(await ask()).toMatchObject({ kind: 'answered' });
});
