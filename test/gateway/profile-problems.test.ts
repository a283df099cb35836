import { describe, expect, it, test } from 'vitest';
import * as fc from 'fast-check';
import { profileProblems } from '../../main/gateway/profile-problems.ts';
import { prepareSession } from '../../main/gateway/session-request.ts';
import { inWords } from '../../tools/app-harness/in-words.ts';
import { operationSettingsSchema, type Profile, sessionExtrasSchema } from '../../shared/settings/profile.ts';
import { order, password, secureProfile } from './gateway-server.ts';
import { dryRun } from '../../main/gateway/dry-run.ts';
import { prepareOperation } from '../../main/gateway/operations/operation-request.ts';
import { statusRequest } from '../../main/gateway/status-request.ts';
import { operationKinds } from '../../shared/operations/operation-kinds.ts';
import { checkLink } from '../../shared/settings/check-link.ts';

/** Profiles that a form, a policy and a settings file refuse alike. */

const problems = (extras: Partial<Profile['extras']>) =>
  inWords(profileProblems(secureProfile(443, { extras: sessionExtrasSchema.parse(extras) })));

it('free JSON of a profile may contain any field that Counterfoil does not know', () => {
  expect(problems({ extraJson: '{"url_target":"_self","form_id":7}' })).toEqual([]);
});

it.each([
  ['session_expiry', '15', 'Link validity, in minutes'],
  ['req_token', 'true', 'Request a card token'],
  ['recurring_init', 'true', 'Start a recurring payment'],
  ['customer', '{"name":"Jane"}', 'Send name and email'],
  ['custom_data', '{}', 'Data returned in callbacks, for every payment'],
  ['session_expiry', '15', 'Link validity, in minutes', 'Session_Expiry'],
])(
  'free JSON of a profile with %s is refused, and the message names the setting',
  (name, json, setting, written = name) => {
    expect(problems({ extraJson: `{"${written}":${json}}` })).toEqual([
      { path: 'extras.extraJson', message: `Remove ${name} here and use the setting “${setting}”.` },
    ]);
  },
);

it('free JSON of a profile with any name that a request of ours has is refused', () => {
  const extras = sessionExtrasSchema.parse({
    reqToken: true,
    cardToken: true,
    recurringInit: true,
    scheduleId: 's',
    sendCustomer: true,
    sessionExpiry: 30,
    auth: true,
    expiryUrl: 'https://shop.test/e',
    errorUrl: 'https://shop.test/f',
    channelId: 'c',
    billingAddress: '{"city":"Kiel"}',
    customData: '{"till":"3"}',
  });
  const { body } = prepareSession(secureProfile(443, { extras }), password, {
    ...order,
    customer: { name: 'Jane' },
    options: { cardToken: 'abc' },
  });
  const names = Object.keys(JSON.parse(body) as object);
  expect(names).toHaveLength(19);
  for (const name of names) expect(problems({ extraJson: JSON.stringify({ [name]: 1 }) })).toHaveLength(1);
});

test('a card number in the free JSON of a profile is refused', () => {
  for (const name of ['extraJson', 'customData', 'billingAddress'] as const)
    expect(problems({ [name]: '{"note":"4111 1111 1111 1111"}' })).toEqual([
      { path: `extras.${name}`, message: 'This looks like a card number.' },
    ]);
});

describe('the operations of a profile', () => {
  const problemsOf = (operations: unknown, extras: Partial<Profile['extras']> = {}) =>
    profileProblems(
      secureProfile(443, {
        operations: operationSettingsSchema.parse(operations),
        extras: sessionExtrasSchema.parse(extras),
      }),
    ).map(({ path }) => path);

  it('have limits that can be read, each with its own problem otherwise', () => {
    const limits = { perOperation: 'EUR 500,00', perDay: 'EUR 5, EUR 6', secondPersonFrom: 'a lot' };
    expect(problemsOf({ limits })).toEqual([
      'operations.limits.perOperation',
      'operations.limits.perDay',
      'operations.limits.secondPersonFrom',
    ]);
    expect(problemsOf({ limits: { perOperation: 'EUR 500.00, JPY 20000' } })).toEqual([]);
  });

  it('contain captures if payments are only authorised', () => {
    expect(problemsOf({}, { auth: true })).toEqual(['extras.auth']);
    expect(problemsOf({ capture: true }, { auth: true })).toEqual([]);
  });
});

/** A dry run against the requests that are sent for the same order. */

const profile = secureProfile(443, { methods: ['card', 'wallet'] });
const shown = new Map(dryRun(profile).map(request => [request.name, request]));
const withMaskedHash = (body: string | null): string | undefined =>
  body?.replace(/"hash":"[0-9a-f]{40}"/, '"hash":"•••"');

test('the session request of a dry run is the one that is sent, byte for byte, with the hash masked', () => {
  const sent = prepareSession(profile, password, {
    number: 'ORDER-1',
    amount: '12.50',
    currency: 'EUR',
    description: 'Zwei Nächte, Zimmer 12',
    methods: profile.methods,
    customer: null,
  });
  expect(shown.get('session')).toMatchObject({
    method: 'POST',
    address: sent.endpoint,
    body: withMaskedHash(sent.body),
  });
});

test('a status request of a dry run is the one that is sent, byte for byte, with the hash masked', () => {
  const key = { by: 'order-number', value: 'ORDER-1' } as const;
  const { httpRequest } = statusRequest(profile, profile.baseUrl, password, key);
  expect(shown.get('status-by-order')).toMatchObject({
    method: 'GET',
    address: httpRequest.origin + httpRequest.path,
    body: withMaskedHash(httpRequest.body),
  });
});

test('operations are shown as they are sent, with hash and token masked, and only those that are switched on', () => {
  expect([...shown.keys()]).toEqual(['session', 'status-by-payment', 'status-by-order', 'callback']);
  const id = '50a1361a-7c2e-11f1-b8d4-0242ac120002';
  const on = { refund: true, void: true, capture: true, retry: true, recurring: true };
  const operating = { ...profile, operations: operationSettingsSchema.parse(on) };
  const requests = new Map(dryRun(operating).map(request => [request.name, request]));
  for (const operation of operationKinds)
    expect(requests.get(operation)).toMatchObject({
      method: 'POST',
      address: `https://localhost/api/v1/payment/${operation}`,
      documented: false,
    });
  const sent = prepareOperation(operating, password, { operation: 'refund', paymentId: id, amount: '12.50' });
  expect(requests.get('refund')?.body).toBe(withMaskedHash(sent.body));
  expect(requests.get('refund')?.signed).toBe(`${id.toUpperCase()}12.50••••••••`);
  expect(requests.get('void')?.signed).toBe(`${id.toUpperCase()}••••••••`);
  expect(requests.get('recurring')?.body).toContain('"recurring_token":"•••"');
  expect(requests.get('recurring')?.signed).toBe(
    `${id.toUpperCase()}•••ORDER-1-212.50ZWEI NÄCHTE, ZIMMER 12••••••••`,
  );
});

/** The links that a customer may get (§2.3), and the addresses that a profile may have. */

const live = { kind: 'live', baseUrl: 'https://pay.example' } as const;

it.each([
  ['a right-to-left override', 'https://pay.example/\u202Etxt'],
  ['a zero-width space', 'https://pay\u200B.example/x'],
  ['a zero-width joiner', 'https://pay.example/a\u200Db'],
  ['an isolate', 'https://pay.example/\u2066x\u2069'],
  ['a byte order mark', '\uFEFFhttps://pay.example/x'],
  ['a soft hyphen', 'https://pay.example/pay\u00ADment'],
  ['a variation selector', 'https://pay.example/x\uFE0F'],
  ['an invisible filler', 'https://pay.example/\u3164'],
  ['no host', 'https:///x'],
  ['no slashes', 'https:evil.example/x'],
  ['backslashes', String.raw`https:\\evil.example\x`],
  ['a backslash before a user', String.raw`https://pay.example\@evil.example/`],
  ['a blank', 'https://pay.example/ x'],
  ['a user name', 'https://pay.example@evil.example/'],
  ['plain http', 'http://pay.example/x'],
  ['a hexadecimal address', 'https://0x7f.1/p'],
  ['a short address', 'https://8.8/p'],
  ['an octal address', 'https://0127.0.0.1/p'],
  ['an address as one number', 'https://134744072/p'],
  ['this computer as host', 'https://127.0.0.1/p'],
  ['this computer in IPv6', 'https://[::1]/p'],
  ['this computer by name', 'https://localhost/p'],
  ['an address of the own network', 'https://192.168.1.20/p'],
  ['more than 2,048 characters', `https://pay.example/${'x'.repeat(2_029)}`],
  ['more than 2,048 characters once escaped', `https://pay.example/${'ż'.repeat(1_000)}`],
])('a payment link with %s is refused', (_, link) => {
  expect(checkLink(link, live)).toMatchObject({ ok: false, error: { code: 'gateway.unsafe-link' } });
});

it('a payment link of a test profile leads to this computer or network only if its gateway is there', () => {
  const of = (baseUrl: string, link: string) => checkLink(link, { kind: 'test', baseUrl }).ok;
  expect(of('https://pay.example', 'https://127.0.0.1/p')).toBe(false);
  expect(of('http://127.0.0.1:8080', 'http://127.0.0.1:8080/p')).toBe(true);
  expect(of('https://10.0.0.5', 'https://10.0.0.5/p')).toBe(true);
  expect(of('http://127.0.0.1:8080', 'https://0x7f.1/p')).toBe(false);
});

it('a payment link is stored as a browser reads it, its host in ASCII', () => {
  const stored = (link: string) => checkLink(link, live);
  // The first has a Cyrillic letter that looks like a Latin one.
  expect(stored('https://p\u0430ypal.example/x')).toEqual({
    ok: true,
    value: 'https://xn--pypal-4ve.example/x',
  });
  expect(stored('HTTPS://PAY.example/ą?q=1')).toEqual({
    ok: true,
    value: 'https://pay.example/%C4%85?q=1',
  });
  expect(stored(`https://pay.example/${'x'.repeat(2_028)}`).ok).toBe(true);
});

it('a payment link never contains an invisible character, for any answer of the gateway', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.webUrl(),
        fc.string({ unit: 'binary' }).map(text => `https://pay.example/${text}`),
      ),
      link => {
        const checked = checkLink(link, live);
        if (checked.ok) expect(checked.value).toMatch(/^https:\/\/[!-~]{1,2040}$/);
      },
    ),
  );
});

it('a payment link over plain http is accepted only for this PC, and only if the gateway itself is on it', () => {
  const link = 'http://127.0.0.1:4000/pay/x';
  const local = 'http://127.0.0.1:4000';
  expect(checkLink(link, { kind: 'sandbox', baseUrl: local }).ok).toBe(true);
  expect(checkLink(link, { kind: 'test', baseUrl: local }).ok).toBe(true);
  expect(checkLink(link, { kind: 'test', baseUrl: 'https://pay.example' }).ok).toBe(false);
  expect(checkLink(link, { kind: 'live', baseUrl: local }).ok).toBe(false);
  expect(checkLink('http://pay.example/x', { kind: 'test', baseUrl: local }).ok).toBe(false);
});
