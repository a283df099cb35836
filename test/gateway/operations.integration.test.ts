import * as fc from 'fast-check';
import { expect, it, test } from 'vitest';
import type { OperationOutcome, OperationRequest } from '../../main/gateway/gateway.ts';
import { operationOutcome } from '../../main/gateway/operations/operation-outcome.ts';
import { operationRedactor, prepareOperation } from '../../main/gateway/operations/operation-request.ts';
import { signature } from '../../main/sandbox/hash.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import {
  operationSettingsSchema,
  type OperationSettings,
  type Profile,
} from '../../shared/settings/profile.ts';
import { inWords, type InWords } from '../../tools/app-harness/in-words.ts';
import { json, type Answer } from '../../tools/server-harness/test-server.ts';
import { password, received, sandboxProfile, startGateway as startClient } from './gateway-server.ts';

const id = '50a1361a-7c2e-11f1-b8d4-0242ac120002';
const token = 'f0e24964-fc43-11ec-a7e0-0242ac120004';
const refund: OperationRequest = { operation: 'refund', paymentId: id, amount: '10.00' };
const charge: OperationRequest = {
  operation: 'recurring',
  firstPaymentId: id,
  token,
  order: { number: 'order-1235', amount: '10.00', currency: 'EUR', description: 'Important gift' },
  customer: { name: 'Ada', email: 'ada@example.com' },
};
const settings = (changes: Partial<OperationSettings>): Partial<Profile> => ({
  operations: operationSettingsSchema.parse(changes),
});

const startGateway = async (answer: Answer) => {
  const { server, gateway, profile } = await startClient(answer);
  const send = async (
    request: OperationRequest = refund,
    signal?: AbortSignal,
  ): Promise<InWords<OperationOutcome>> => {
    const prepared = gateway.prepareOperation(profile, password, request);
    return inWords(await gateway.sendOperation(profile, prepared, request.operation, signal));
  };
  return { server, gateway, profile, send };
};

const prepared = (request: OperationRequest, changes: Partial<Profile> = {}) => {
  const { endpoint, body } = prepareOperation(sandboxProfile(9, changes), password, request);
  return { endpoint, body, fields: JSON.parse(body) as Record<string, unknown> };
};
const hashed = (...parts: string[]): string => signature([...parts, password], 'md5', 'unicode');

it.each(['refund', 'capture'] as const)('the request of a %s names the payment and the amount', operation => {
  const { endpoint, body } = prepared({ operation, paymentId: id, amount: '100.00' });
  expect(endpoint).toBe(`http://127.0.0.1:9/api/v1/payment/${operation}`);
  expect(body).toBe(
    JSON.stringify({
      merchant_key: 'merchant-key-1',
      payment_id: id,
      amount: '100.00',
      hash: hashed(id, '100.00'),
    }),
  );
});

it.each(['void', 'retry'] as const)('the request of a %s names the payment only', operation => {
  const { endpoint, body } = prepared({ operation, paymentId: id });
  expect(endpoint).toBe(`http://127.0.0.1:9/api/v1/payment/${operation}`);
  expect(body).toBe(JSON.stringify({ merchant_key: 'merchant-key-1', payment_id: id, hash: hashed(id) }));
});

it('a charge of a stored card has no currency and no customer, and signs none', () => {
  const { endpoint, fields } = prepared(charge);
  expect(endpoint).toBe('http://127.0.0.1:9/api/v1/payment/recurring');
  expect(endpoint).toMatch(/^[\0-\x7f]+$/);
  expect(fields).toEqual({
    merchant_key: 'merchant-key-1',
    recurring_init_trans_id: id,
    recurring_token: token,
    order: { number: 'order-1235', amount: '10.00', description: 'Important gift' },
    hash: hashed(id, token, 'order-1235', '10.00', 'Important gift'),
  });
});

it('a charge of a stored card has currency and customer if the profile sends them, with the same hash', () => {
  const changes = settings({ sendCurrencyInRecurring: true, sendCustomerInRecurring: true });
  const { fields } = prepared(charge, changes);
  expect(fields['order']).toMatchObject({ currency: 'EUR' });
  expect(fields['customer']).toEqual({ name: 'Ada', email: 'ada@example.com' });
  expect(fields['hash']).toBe(prepared(charge).fields['hash']);
  expect(prepared({ ...charge, customer: { name: '' } }, changes).fields).not.toHaveProperty('customer');
});

it('an operation is signed with the digest and upper-casing of the profile', () => {
  for (const digest of ['md5', 'sha256'] as const)
    for (const requestUppercasing of ['unicode', 'ascii'] as const) {
      const { fields } = prepared(refund, { digest, requestUppercasing });
      expect(fields['hash']).toBe(signature([id, '10.00', password], digest, requestUppercasing));
    }
});

it('an operation is one POST with exactly the prepared bytes', async () => {
  const { server, send } = await startGateway(json({ payment_id: id, result: 'accepted' }));
  expect(await send()).toMatchObject({
    kind: 'answered',
    report: { claim: 'accepted', paymentId: id, status: null, reason: null },
    answer: { httpStatus: 200 },
  });
  expect(server.requests).toHaveLength(1);
  const [seen] = server.requests;
  expect(seen).toMatchObject({ method: 'POST', url: '/api/v1/payment/refund' });
  expect(seen?.headers['content-type']).toBe('application/json');
  expect(JSON.parse(seen?.body ?? '')).toMatchObject({ payment_id: id, amount: '10.00' });
});

const refusal = (code: number, text: string) => ({
  error_code: 0,
  error_message: 'Request data is invalid.',
  errors: [{ error_code: code, error_message: text }],
});
const page: Answer = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>');
};
const redirect =
  (status: number): Answer =>
  (_, response) => {
    response.writeHead(status, { location: 'https://other.example/' }).end();
  };
const drop: Answer = (_seen, response) => void response.socket?.destroy();
const waits = 'Wait for its callback';

it.each([
  ['400 with a refusal', json(refusal(208005, 'Refund not allowed'), 400), 'refused', 'refused'],
  ['401 with a message', json({ message: 'Unauthorized' }, 401), 'refused', 'refused'],
  ['404 without a body', json('', 404), 'refused', 'refused'],
  [
    '400 for a wrong signature',
    json(refusal(100000, 'Hash is not valid.'), 400),
    'refused',
    'signature-refused',
  ],
  ['301', redirect(301), 'refused', 'redirected'],
  ['308', redirect(308), 'refused', 'redirected'],
  ['302', redirect(302), 'unknown', 'redirected'],
  ['303', redirect(303), 'unknown', 'redirected'],
  ['408', json({ message: 'Timeout' }, 408), 'unknown', 'server-error'],
  ['425', json({}, 425), 'unknown', 'server-error'],
  ['499', json({}, 499), 'unknown', 'server-error'],
  ['500', json({ message: 'Oops' }, 500), 'unknown', 'server-error'],
  ['503 with a refusal', json(refusal(208005, 'no'), 503), 'unknown', 'server-error'],
  ['400 with an internal error', json({ message: 'Internal server error' }, 400), 'unknown', 'server-error'],
  ['400 with a success', json({ result: 'accepted' }, 400), 'unknown', 'other-shape'],
  ['200 with a web page', page, 'unknown', 'not-json'],
  ['200 with a refusal', json(refusal(208005, 'no')), 'unknown', 'other-shape'],
  ['200 with another result', json({ result: 'queued' }), 'unknown', 'other-shape'],
  [
    '200 with a success and an error',
    json({ result: 'accepted', error_message: 'Declined' }),
    'unknown',
    'other-shape',
  ],
  [
    '200 with a name twice',
    json(`{"result":"accepted","payment_id":"a","payment_id":"${id}"}`),
    'unknown',
    'other-shape',
  ],
  ['200 about another payment', json({ result: 'accepted', payment_id: 'b' }), 'unknown', 'other-shape'],
  ['a lost connection', drop, 'unknown', 'broken'],
] as const)(
  '%s is no result of an operation, and the request is not sent again',
  async (_, answer, kind, code) => {
    const { server, send } = await startGateway(answer);
    expect(await send()).toMatchObject({ kind, error: { code: `gateway.${code}` } });
    expect(server.requests).toHaveLength(1);
  },
);

it.each([
  [208001, 'Your provider does not know this payment.'],
  [208003, 'no open authorisation'],
  [208004, 'more than was authorised'],
  [208005, 'already been refunded'],
  [208006, 'more than the payment has left'],
  [208008, 'more than the payment'],
  [208009, 'whole amount'],
])('a refusal with the code %i has our sentence beside the words of the gateway', async (code, sentence) => {
  const { send } = await startGateway(json(refusal(code, 'Not possible here'), 400));
  const message = expect.stringContaining('Not possible here') as string;
  const hint = expect.stringContaining(sentence) as string;
  expect(await send()).toMatchObject({ kind: 'refused', error: { message, hint } });
});

it.each([
  ['that names a duplicate', json({ message: 'Duplicate request' }, 400), waits],
  ['that names an earlier one', json(refusal(100000, 'Previous payment not completed'), 400), waits],
  ['that names a conflict', json({ message: 'Conflict' }, 409), waits],
  ['that was lost', drop, 'Do not send it again'],
])('an answer to an operation %s leaves the result unknown, and says to wait', async (_, answer, words) => {
  const { send } = await startGateway(answer);
  const hint = expect.stringContaining(words) as string;
  expect(await send()).toMatchObject({ kind: 'unknown', error: { hint } });
});

test('an operation that cannot leave is not sent, and one that is cancelled on its way is unknown', async () => {
  const { server, gateway, profile, send } = await startGateway(() => undefined);
  const aborted = AbortSignal.abort();
  expect(await send(refund, aborted)).toMatchObject({ kind: 'not-sent' });
  expect(server.requests).toHaveLength(0);
  const running = new AbortController();
  const sent = send(refund, running.signal);
  await expect.poll(() => server.requests.length).toBe(1);
  running.abort();
  expect(await sent).toMatchObject({ kind: 'unknown', error: { code: 'gateway.cancelled' } });

  const unsafe = { ...profile, kind: 'live' as const };
  const prepared = gateway.prepareOperation(unsafe, password, refund);
  expect(await gateway.sendOperation(unsafe, prepared, 'refund')).toMatchObject({ kind: 'not-sent' });
  await server.close();
  expect(await send()).toMatchObject({ kind: 'not-sent', error: { code: 'gateway.unreachable' } });
});

it.each([
  ['yes', 'a refusal of the payment', json(refusal(208001, 'Payment not found'), 400)],
  ['yes', 'a wrong signature', json({ message: 'Hash is not valid' }, 401)],
  ['yes', 'a refusal under 404', json(refusal(208001, 'Payment not found'), 404)],
  ['yes', 'a failed void', json({ status: 'FAIL', payment_status: 'undefined_id' })],
  ['no', '404 of a web server', json('<html>Not Found</html>', 404)],
  ['no', '404 of a router', json({ message: 'No route found' }, 404)],
  ['unknown', '403 of a firewall', json({ message: 'Missing Authentication Token' }, 403)],
  ['unknown', '405', json(refusal(0, 'Method not allowed'), 405)],
  ['unknown', '500', json(refusal(0, 'Oops'), 500)],
  ['unknown', 'a web page', page],
  ['unknown', 'a redirect', redirect(301)],
  ['unknown', 'no response', drop],
] as const)('whether the operations exist is answered with %s after %s', async (exists, _, answer) => {
  const { server, gateway, profile } = await startGateway(answer);
  expect(await gateway.probeOperation(profile, password)).toMatchObject({ exists });
  expect(server.requests).toHaveLength(1);
});

it('the question whether the operations exist is a void of a payment that is made up each time', async () => {
  const { server, gateway, profile } = await startGateway(json({}, 404));
  await gateway.probeOperation(profile, password);
  await gateway.probeOperation(profile, password);
  const asked = server.requests.map(({ url, body }) => {
    expect(url).toBe('/api/v1/payment/void');
    return String((JSON.parse(body) as Record<string, unknown>)['payment_id']);
  });
  expect(new Set(asked).size).toBe(2);
  for (const one of asked) expect(one).toMatch(/^[0-9a-f-]{36}$/);
});

test('no password, hash or token is in what may be recorded or shown, however the gateway repeats it', () => {
  const secret = fc.string({ unit: 'grapheme', minLength: 8, maxLength: 40 });
  const inPhp = (text: string): string =>
    JSON.stringify(text).replaceAll(
      /[\x7f-\uffff]/g,
      unit => String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0'),
    );
  const repeated = fc.constantFrom<(text: string) => string>(
    text => text,
    text => JSON.stringify({ message: text }),
    text => JSON.stringify(refusal(208005, text)),
    text => JSON.stringify({ status: text, payment_id: text, result: 'accepted', reason: text }),
    text => JSON.stringify({ status: 'FAIL', payment_id: text, reason: text }),
    text => `{"result":"accepted","reason":${inPhp(text)}}`,
    text => `{"result":"accepted","reason":${inPhp(text).replaceAll('/', String.raw`\/`)}}`,
    text => `{"result":"accepted","reason":${JSON.stringify(text).replaceAll('/', String.raw`\/`)}}`,
    text => `<a href="?${String(new URLSearchParams({ q: text }))}">`,
    text => JSON.stringify({ message: text.toUpperCase() }),
    text => `<a href="?q=${encodeURIComponent(text.toWellFormed())}">`,
  );
  const status = fc.constantFrom(200, 201, 302, 400, 401, 404, 500);
  fc.assert(
    fc.property(secret, secret, status, repeated, fc.boolean(), (pass, card, httpStatus, write, isCharge) => {
      const request: OperationRequest = isCharge ? { ...charge, token: card } : refund;
      const profile = sandboxProfile(9);
      const prepared = prepareOperation(profile, pass, request);
      const { hash } = JSON.parse(prepared.body) as { hash: string };
      const secrets = isCharge ? [pass, hash, card] : [pass, hash];
      const answer = (text: string) =>
        operationOutcome(
          received(httpStatus, write(text)),
          request.operation,
          profile,
          prepared,
          operationRedactor(prepared),
        );
      const shown = secrets.flatMap(text => {
        const outcome = answer(`x ${text} y`);
        const error = 'error' in outcome ? [inEnglish(outcome.error.message)] : [];
        return [JSON.stringify(outcome), ...error];
      });
      // What the outcome contains without any echo is not an echo.
      const plain = JSON.stringify(answer('x'));
      for (const one of secrets) {
        const [json, php] = [JSON.stringify(one).slice(1, -1), inPhp(one).slice(1, -1)];
        const slashed = [json, php].map(spelling => spelling.replaceAll('/', String.raw`\/`));
        const form = String(new URLSearchParams({ '': one })).slice(1);
        for (const spelling of [one, json, php, ...slashed, form]) {
          if (plain.includes(spelling)) continue;
          for (const text of shown) expect(text).not.toContain(spelling);
        }
      }
      expect(prepared.redacted).not.toContain(hash);
      if (isCharge) expect(prepared.redacted).not.toContain(JSON.stringify(card).slice(1, -1));
      expect(prepared.body).not.toContain(JSON.stringify(pass).slice(1, -1));
    }),
    { numRuns: 500 },
  );
});
