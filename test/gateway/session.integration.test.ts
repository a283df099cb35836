import { describe, expect, it, test } from 'vitest';
import * as fc from 'fast-check';
import { createGateway } from '../../main/gateway/create-gateway.ts';
import type { SessionOutcome } from '../../main/gateway/gateway.ts';
import { sessionOutcome } from '../../main/gateway/session-outcome.ts';
import { signature } from '../../main/sandbox/hash.ts';
import { sessionPaths } from '../../shared/gateway-variants.ts';
import { profileDefaults, sessionExtrasSchema, type Profile } from '../../shared/settings/profile.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import { json, type Answer } from '../../tools/server-harness/test-server.ts';
import {
  order,
  password,
  raise as raiseBy,
  received,
  sandboxProfile,
  startGateway,
} from './gateway-server.ts';

const link = 'https://pay.example/checkout/eyJhbGciOi';
const extras = (changes: Partial<Profile['extras']>): Profile['extras'] => sessionExtrasSchema.parse(changes);

describe('a session request (§2.1)', () => {
  const gateway = createGateway({ clock: Date.now });
  const prepared = (changes: Partial<Profile> = {}, wanted = {}) => {
    const made = gateway.prepareSession(sandboxProfile(1, changes), password, { ...order, ...wanted });
    return { ...made, json: JSON.parse(made.body) as Record<string, unknown> };
  };

  it('a session request contains the fields of the interface, signed, and nothing else', () => {
    const { json } = prepared();
    expect(json).toEqual({
      merchant_key: 'merchant-key-1',
      operation: 'purchase',
      methods: ['card'],
      order: { number: 'T-100', amount: '10.00', currency: 'EUR', description: 'Two nights, room 12' },
      cancel_url: 'https://shop.test/cancelled?order=T-100',
      success_url: 'https://shop.test/thank-you?order=T-100',
      hash: signature(['T-100', '10.00', 'EUR', 'Two nights, room 12', password], 'md5', 'unicode'),
    });
  });

  it('a session request sends the merchant key as it was entered', () => {
    const merchantKey = '5F3A-Shop-Key';
    expect(prepared({ merchantKey }).json['merchant_key']).toBe(merchantKey);
  });

  it('a session request sends the payment methods of the profile', () => {
    expect(prepared({}, { methods: ['card', 'wallet'] }).json['methods']).toEqual(['card', 'wallet']);
  });

  it('a session request is signed with the digest and upper-casing of the profile', () => {
    const parts = ['T-100', '10.00', 'EUR', 'Größe', password];
    for (const digest of ['md5', 'sha256'] as const)
      for (const requestUppercasing of ['unicode', 'ascii'] as const) {
        const { json } = prepared({ digest, requestUppercasing }, { description: 'Größe' });
        expect(json['hash']).toBe(signature(parts, digest, requestUppercasing));
      }
  });

  it.each(sessionPaths)('a session request is sent to %s if the profile requires it', sessionPath => {
    expect(prepared({ sessionPath, baseUrl: 'http://127.0.0.1:9/prefix/' }).endpoint).toBe(
      `http://127.0.0.1:9/prefix${sessionPath}`,
    );
  });

  it('a session request puts the order number into the return addresses, percent-encoded', () => {
    const successUrl = 'https://shop.example/{order}?n={order}';
    const number = 'a%2Fb%26c%20%24%26%20%C3%A9';
    const { json } = prepared({ successUrl }, { number: 'a/b&c $& é' });
    expect(json['success_url']).toBe(`https://shop.example/${number}?n=${number}`);
  });

  it('a session request sends optional fields only if they are switched on', () => {
    const switchedOn = extras({
      reqToken: true,
      auth: true,
      recurringInit: true,
      scheduleId: 's1',
      sendCustomer: true,
      sessionExpiry: 30,
      expiryUrl: 'https://shop.example/late/{order}',
      errorUrl: 'https://shop.example/error',
      channelId: 'c1',
      billingAddress: '{"country":"PL","city":"Łódź"}',
      customData: '{"till":3}',
      extraJson: '{"url_target":"_self","card_token":["secret-token"]}',
    });
    const { json, expiryMinutes } = prepared(
      { extras: switchedOn },
      { customer: { name: 'Ada', email: '' } },
    );
    expect(json).toMatchObject({
      req_token: true,
      auth: 'Y',
      recurring_init: true,
      schedule_id: 's1',
      customer: { name: 'Ada' },
      session_expiry: 30,
      expiry_url: 'https://shop.example/late/T-100',
      error_url: 'https://shop.example/error',
      channel_id: 'c1',
      billing_address: { country: 'PL', city: 'Łódź' },
      custom_data: { till: 3 },
      url_target: '_self',
      card_token: ['secret-token'],
    });
    expect(expiryMinutes).toBe(30);
    expect(prepared().expiryMinutes).toBeNull();
    expect(prepared({}, { customer: { name: 'Ada' } }).body).not.toContain('Ada');
  });

  it('a session request sends what was chosen for one payment in place of the profile’s values, and only what the profile sends', () => {
    const options = {
      expiryMinutes: 15,
      billingAddress: { city: 'Kiel' },
      customData: { room: '12', till: '4' },
      requestCardToken: false,
      cardToken: 'saved-card-1',
    };
    const ofProfile = extras({
      reqToken: true,
      cardToken: true,
      sessionExpiry: 120,
      billingAddress: '{"country":"PL"}',
      customData: '{"till":3}',
    });
    const { json, redacted, expiryMinutes } = prepared({ extras: ofProfile }, { options });
    expect(json).toMatchObject({
      session_expiry: 15,
      card_token: ['saved-card-1'],
      custom_data: { room: '12', till: '4' },
    });
    expect(json['billing_address']).toEqual({ city: 'Kiel' });
    expect(json).not.toHaveProperty('req_token');
    expect(expiryMinutes).toBe(15);
    expect(redacted).not.toContain('saved-card-1');
    const plain = prepared({}, { options: { expiryMinutes: 15, cardToken: 'saved-card-1' } });
    expect(plain.json).not.toHaveProperty('session_expiry');
    expect(plain.json).not.toHaveProperty('card_token');
  });

  it('asks for a series when one payment or the profile does, and for a schedule only with the profile', () => {
    const operations = (recurring: boolean) => ({ ...profileDefaults.operations, recurring });
    const options = { recurring: true };
    const sent = (changes: Partial<Profile>, chosen: { recurring?: boolean }): unknown[] => {
      const { json } = prepared(changes, { options: chosen });
      return [json['recurring_init'], json['schedule_id']];
    };
    const scheduled = extras({ scheduleId: 's1' });
    expect(sent({ operations: operations(true), extras: scheduled }, options)).toEqual([true, undefined]);
    expect(sent({ operations: operations(true) }, {})).toEqual([undefined, undefined]);
    expect(sent({ extras: scheduled }, {})).toEqual([undefined, undefined]);
    expect(sent({ operations: operations(false) }, options)).toEqual([undefined, undefined]);
    const always = extras({ scheduleId: 's1', recurringInit: true });
    expect(sent({ operations: operations(false), extras: always }, {})).toEqual([true, 's1']);
    expect(prepared({ operations: operations(true) }, { options }).redacted).toContain(
      '"recurring_init":true',
    );
  });

  it('the payment link of a session request is valid for as long as the request says', () => {
    const sent = (changes: Partial<Profile['extras']>) => prepared({ extras: extras(changes) }).expiryMinutes;
    expect(sent({})).toBeNull();
    expect(sent({ sessionExpiry: 30 })).toBe(30);
    expect(sent({ extraJson: '{"session_expiry":15}' })).toBe(15);
    expect(sent({ extraJson: '{"session_expiry":"15"}' })).toBeNull();
  });

  it('a session request never lets additional fields replace fields of the interface', () => {
    const extraJson = '{"hash":"x","order":{"amount":"1.00"},"merchant_key":"other","operation":"refund"}';
    expect(prepared({ extras: extras({ extraJson }) }).json).toEqual(prepared().json);
  });

  it('a session request is stored without its hash and without tokens', () => {
    const { json, redacted } = prepared({
      extras: extras({ reqToken: true, extraJson: '{"card_token":["secret-token"]}' }),
    });
    expect(JSON.parse(redacted)).toEqual({ ...json, hash: '•••', card_token: '•••' });
    expect(JSON.parse(redacted)).toMatchObject({ req_token: true });
  });

  it('a session request can be prepared from any text', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(text, text, text, (number, description, extraJson) => {
        const sent = { extras: extras({ extraJson: extraJson.slice(0, 4096) }) };
        expect(prepared(sent, { number, description }).json['order']).toMatchObject({ number, description });
      }),
    );
  });
});

it('a session request is one POST with exactly the stored bytes', async () => {
  const { server, gateway, profile } = await startGateway(json({ redirect_url: link }));
  const prepared = gateway.prepareSession(profile, password, order);
  expect(await gateway.sendSession(profile, prepared)).toMatchObject({ kind: 'accepted', link });
  expect(server.requests).toHaveLength(1);
  expect(server.requests[0]).toMatchObject({
    method: 'POST',
    url: '/api/v1/sessions/',
    body: prepared.body,
    headers: { 'content-type': 'application/json' },
  });
});

it('the connections of session requests are reused: many requests in sequence open two at most', async () => {
  const { server, raise } = await startGateway(json({ redirect_url: link }));
  for (let turn = 0; turn < 10; turn += 1) await raise();
  expect(server.requests).toHaveLength(10);
  // A connection is unused for one turn of the event loop after an answer, so two alternate.
  expect(server.connections()).toBeLessThanOrEqual(2);
});

it('a session request is never sent over plain http, except to a gateway on this PC that is not live', async () => {
  const { server, gateway, profile } = await startGateway(json({ redirect_url: link }));
  for (const changes of [
    { kind: 'live' },
    { kind: 'test', baseUrl: 'http://10.0.0.1' },
    { baseUrl: 'http://10.0.0.1' },
  ] as const)
    expect(await raiseBy(gateway, { ...profile, ...changes })).toMatchObject({
      kind: 'not-sent',
      error: { code: 'input.invalid' },
    });
  expect(server.requests).toHaveLength(0);
});

const refusal = (...problems: string[]): unknown => ({
  error_code: 0,
  error_message: 'Request data is invalid.',
  errors: problems.map(problem => ({ error_code: 100000, error_message: problem })),
});

describe('an answer to a session request', () => {
  it.each<[string, Answer, SessionOutcome['kind'], string]>([
    ['HTTP 400', json(refusal('order.amount: too small'), 400), 'refused', 'refused'],
    ['HTTP 401', json({ message: 'Unauthorized' }, 401), 'refused', 'refused'],
    ['HTTP 403 without a body', json('', 403), 'refused', 'refused'],
    ['HTTP 404 with a page', json('<html>', 404), 'refused', 'refused'],
    ['HTTP 405', json({}, 405), 'refused', 'refused'],
    ['a refusal under HTTP 200', json(refusal('order.amount: too small')), 'refused', 'refused'],
    ['a wrong signature', json(refusal('hash: Hash is not valid.'), 400), 'refused', 'signature-refused'],
    ['HTTP 408', json({}, 408), 'unknown', 'server-error'],
    ['HTTP 500', json({ message: 'oops' }, 500), 'unknown', 'server-error'],
    ['HTTP 502 with a page', json('<html>', 502), 'unknown', 'server-error'],
    ['a page', json('<html>'), 'unknown', 'not-json'],
    ['nothing', json(''), 'unknown', 'not-json'],
    ['another shape', json({ result: 'ok' }), 'unknown', 'other-shape'],
    ['a list', json([{ redirect_url: link }]), 'unknown', 'other-shape'],
    ['a link that is no text', json({ redirect_url: 5 }), 'unknown', 'other-shape'],
    ['a plain http link', json({ redirect_url: 'http://pay.example/x' }), 'unknown', 'unsafe-link'],
    ['a script for a link', json({ redirect_url: 'javascript:alert(1)' }), 'unknown', 'unsafe-link'],
    ['a link with a blank', json({ redirect_url: 'https://pay.example/ x' }), 'unknown', 'unsafe-link'],
    ['a link with a user', json({ redirect_url: 'https://pay@evil.example/' }), 'unknown', 'unsafe-link'],
  ])('%s is reported as what it is', async (_, answer, kind, code) => {
    const { raise, server } = await startGateway(answer);
    const outcome = await raise();
    expect(outcome).toMatchObject({ kind, error: { code: `gateway.${code}` } });
    expect(outcome.kind !== 'accepted' && outcome.error.hint?.length).toBeGreaterThan(10);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    [301, 'refused'],
    [302, 'unknown'],
    [303, 'unknown'],
    [307, 'refused'],
    [308, 'refused'],
  ])('a redirect (%i) is not followed, and only its host is reported', async (status, kind) => {
    const { raise, server } = await startGateway((_, response) => {
      response.writeHead(status, { location: 'https://elsewhere.example/secret/path?token=1' }).end();
    });
    const outcome = await raise();
    expect(outcome).toMatchObject({ kind, error: { code: 'gateway.redirected' } });
    const message = outcome.kind === 'accepted' ? '' : outcome.error.message;
    expect(message).toContain('https://elsewhere.example ');
    expect(message).not.toContain('secret');
    expect(server.requests).toHaveLength(1);
  });

  it("an answer to a session request reports refused fields under the names of the form, split at the first ': '", async () => {
    const fields = [
      ['order.amount', 'amount', 'This value: too small.'],
      ['order.number', 'orderNumber', 'taken'],
      ['order.currency', 'currency', 'unknown'],
      ['order.description', 'description', 'too long'],
      ['methods.0', 'methods', 'not enabled'],
      ['custom_data.till', 'extras.customData', 'not known'],
      ['something.else', 'something.else', 'odd'],
    ] as const;
    const named = fields.map(([name, , message]) => `${name}: ${message}`);
    const { raise } = await startGateway(json(refusal(...named, 'No field: at all here'), 400));
    const outcome = await raise();
    expect(outcome.kind === 'refused' && outcome.error.fields).toEqual(
      fields.map(([, path, message]) => ({ path, message })),
    );
    expect(outcome.kind === 'refused' && outcome.error.message).toContain('No field: at all here');
  });

  it.each([400, 200, 500])(
    'an answer to a session request under HTTP %i is kept as received',
    async status => {
      const body = ' \r\n{ "error_message": "odd",\n "errors": ["order.amount: too  small"] }\n ';
      const { raise } = await startGateway(json(body, status));
      expect(await raise()).toMatchObject({ answer: { httpStatus: status, body, truncated: false } });
    },
  );

  it('an answer to a session request may contain the sandbox’s own page, over plain http on this PC', async () => {
    const { raise } = await startGateway(json({ redirect_url: 'http://127.0.0.1:1/pay/1' }));
    expect(await raise()).toMatchObject({ kind: 'accepted' });
  });
});

it('secrets are in no outcome of a session request, for any answer of the gateway and in any spelling', async () => {
  for (const status of [200, 400, 500]) {
    const { raise, server } = await startGateway(({ body }, response) => {
      const { hash } = JSON.parse(body) as { hash: string };
      const echo = {
        error_message: `${password} ${password.toUpperCase()} ${hash} ${hash.toUpperCase()}`,
        errors: [`x: ${password}`],
        hash: 'other',
        encoded: encodeURIComponent(password),
        link: 'https://pay.example/bearer',
      };
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(echo));
    });
    const outcome = await raise();
    const shown = JSON.stringify(outcome);
    const { hash } = JSON.parse(server.requests[0]?.body ?? '{}') as { hash: string };
    const shouted = [password.toUpperCase(), hash.toUpperCase(), encodeURIComponent(password)];
    const escaped = JSON.stringify(JSON.stringify(password)).slice(2, -2);
    for (const secret of [password, hash, ...shouted, escaped, '"hash":"other"', String.raw`hash\":\"other`])
      expect(shown).not.toContain(secret);
    expect(outcome.kind !== 'accepted' && outcome.error.message).not.toContain('bearer');
  }
});

it('secrets are hidden before an answer is cut at 16 KiB', async () => {
  const { raise } = await startGateway((_, response) => {
    response.writeHead(400).end(`${'x'.repeat(16 * 1024 - 5)}${password}`);
  });
  const outcome = await raise();
  const body = outcome.kind === 'refused' ? (outcome.answer?.body ?? '') : '';
  expect(body).not.toContain(password.slice(0, 3));
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(16 * 1024);
  expect(outcome.kind === 'refused' && outcome.answer?.truncated).toBe(true);
});

it('an answer of the gateway with any content causes no error and no unsafe link', () => {
  const known = fc.constantFrom(link, 'http://a.example', 'data:,x', 'HTTPS://A.EXAMPLE');
  const url = fc.oneof(fc.webUrl(), fc.string(), known);
  const linking = fc.record({ redirect_url: url }).map(value => JSON.stringify(value));
  const body = fc.oneof(fc.string(), fc.json(), linking);
  fc.assert(
    fc.property(fc.integer({ min: 200, max: 599 }), body, (status, body) => {
      const profile = sandboxProfile(1, { kind: 'live' });
      const outcome = sessionOutcome(received(status, body), profile, 'https://gw.example/x', text => text);
      if (outcome.kind === 'accepted') {
        expect(status).toBeLessThan(300);
        expect(new URL(outcome.link).protocol).toBe('https:');
      } else expect(inEnglish(outcome.error.message).length).toBeGreaterThan(10);
      if (status >= 500) expect(outcome.kind).toBe('unknown');
    }),
    { numRuns: 500 },
  );
});

test.each<[string, number, unknown, string]>([
  ['HTTP 400 with a link', 400, { redirect_url: link, error_message: 'odd' }, 'other-shape'],
  ['HTTP 200 with a link and errors', 200, { redirect_url: link, errors: ['odd'] }, 'other-shape'],
  ['two links', 200, `{"redirect_url":"${link}","redirect_url":"${link}2"}`, 'other-shape'],
  ['HTTP 200 with an internal error', 200, { error_message: 'Internal server error' }, 'server-error'],
  ['HTTP 400 with an internal error', 400, { message: 'Internal error' }, 'server-error'],
])('a link or a failure inside a refusal leaves the outcome unknown: %s', async (_, status, body, code) => {
  const { raise } = await startGateway(json(body, status));
  expect(await raise()).toMatchObject({ kind: 'unknown', error: { code: `gateway.${code}` } });
});

test('a quoted error has no character that is invisible or changes the direction of the text', async () => {
  const { raise } = await startGateway(json({ error_message: 'A\u202eB\u0000C\u200bD\u2066E' }, 400));
  const outcome = await raise();
  expect(JSON.stringify(outcome.kind === 'refused' ? outcome.error : null)).toContain('AB CDE');
});
