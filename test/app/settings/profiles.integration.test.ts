import { describe, expect, test } from 'vitest';
import { formulas, sign } from '../../../main/signatures/signature.ts';
import type { MessageKey } from '../../../shared/messages/message.ts';
import type { CredentialHealth } from '../../../shared/settings/credential-health.ts';
import { distinctNames, merchantNameOf, timeZoneOf } from '../../../shared/settings/merchant.ts';
import { profileDefaults, type ProfileDraft } from '../../../shared/settings/profile.ts';
import { addShop, newPayment, value } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';
import { callback, lookUp, order, payer, invalid } from '../../../tools/evidence/evidence.ts';
import { moved } from '../../../tools/evidence/incomplete-payments.ts';

/** Merchant profiles through the requests of the window: which ones are saved and which are refused. */

/** The password that works is read from the stored events. */
const othersPassword = 'the password of the other one';
const health = (id = 'sandbox'): Promise<CredentialHealth> => app.value('profiles.health', { id });
const hash = sign(
  formulas.callback,
  {
    id: payer,
    order_number: order.number,
    order_amount: order.amount,
    order_currency: order.currency,
    order_description: order.description,
  },
  othersPassword,
  { digest: 'md5', uppercasing: 'ascii' },
);
const asked = lookUp(60_000, 'settled');
const problem = { code: 'gateway.signature-refused', message: 'Hash is not valid' } as const;
const failed = { ...asked, body: { ...asked.body, answers: [], problem } };
const evidence = [
  ...moved([failed], 'sandbox', 'CF-1001'),
  ...moved([callback(0, 'sale', 'success', { hash }, invalid)], 'sandbox', 'CF-1001'),
];
const app = useApp({ evidence });

/** Each has another name and account: the console takes them once. */
const shop = (changes: Partial<ProfileDraft> = {}): ProfileDraft => ({
  ...profileDefaults,
  name: `Shop ${crypto.randomUUID()}`,
  kind: 'live',
  baseUrl: 'https://pay.merchant-gateway.eu',
  merchantKey: `key-${crypto.randomUUID()}`,
  successUrl: 'https://shop.eu/thank-you?order={order}',
  cancelUrl: 'https://shop.eu/cancelled',
  ...changes,
});
const save = (profile: ProfileDraft, password: string | null = 'correct horse') =>
  app.request('profiles.save', { id: null, profile, password, thisRunOnly: true });

test('the last failed request contains its cause, and a profile without requests contains the extent of the scan', async () => {
  expect(await health()).toMatchObject({
    lastSuccess: null,
    lastFailure: { by: 'look-up', code: 'gateway.signature-refused' },
    lookedUpAt: null,
    verifiedAt: null,
    scanned: 2,
  });
  expect(await app.refusal('profiles.health', { id: 'gone' })).toBe('profile.missing');
});

test('a callback that did not verify is reported to match the password of another profile', async () => {
  expect((await health()).invalid).toMatchObject({ fits: null });
  const changes = { name: 'Other shop', baseUrl: 'https://pay.invalid' };
  const other = await addShop(app, changes, othersPassword);
  expect((await health()).invalid).toMatchObject({ fits: { name: 'Other shop', kind: 'test' } });
  expect(await health(other)).toMatchObject({
    lastSuccess: null,
    lastFailure: null,
    verifiedAt: null,
    invalid: null,
  });
  expect(JSON.stringify(await health())).not.toContain(othersPassword);
});

test('a request that works is the last successful one, and a connection check states what it proves', async () => {
  const before = Date.now();
  const created = await app.request('payments.create', newPayment({ orderNumber: 'GOOD-1' }));
  expect(created.ok).toBe(true);
  await expect.poll(async () => (await health()).verifiedAt).not.toBe(null);
  const { lastSuccess, verifiedAt } = await health();
  expect(lastSuccess).toMatchObject({ by: 'session' });
  expect(lastSuccess?.at).toBeGreaterThanOrEqual(before);
  expect(verifiedAt).toBeGreaterThanOrEqual(before);
  await app.value('profiles.check', { id: 'sandbox' });
  expect(await health()).toMatchObject({ lastSuccess: { by: 'look-up' }, checked: { outcome: 'good' } });

  await app.request('sandbox.faults', { faults: ['http-400'] });
  await app.request('payments.create', newPayment({ orderNumber: 'BAD-1' }));
  expect(await health()).toMatchObject({
    lastSuccess: { by: 'look-up' },
    lastFailure: { by: 'session', code: 'gateway.refused' },
  });
});

test('the merchant key in place of the password is named before anything is stored', async () => {
  const profile = shop();
  expect(await save(profile, profile.merchantKey)).toMatchObject({
    error: { fields: [{ path: 'password', message: { key: 'profile.password.is-key' } }] },
  });
});

describe('the return pages', () => {
  test.each<[string, MessageKey, Partial<ProfileDraft>]>([
    ['no page', 'profile.return-page.required', { successUrl: '', cancelUrl: '' }],
    [
      'an example page',
      'profile.return-page.example',
      { successUrl: 'https://example.com/thank-you', cancelUrl: 'https://www.example.org/' },
    ],
    [
      'a page that no customer can reach',
      'profile.return-page.example',
      { successUrl: 'http://127.0.0.1/x', cancelUrl: 'https://shop.test/x' },
    ],
    ['no web address', 'profile.web-address', { successUrl: 'thank-you', cancelUrl: 'ftp://shop.eu/' }],
  ])('the return pages of a live profile are refused with %s, each at its field', async (_, key, changes) => {
    const saved = await save(shop(changes));
    expect(saved).toMatchObject({ ok: false, error: { code: 'input.invalid' } });
    const fields = saved.ok ? [] : (saved.error.fields ?? []);
    expect(fields.map(({ path }) => path)).toEqual(['successUrl', 'cancelUrl']);
    for (const { message } of fields) expect(message).toEqual({ key });
  });

  test('the return pages of a test profile may be example pages', async () => {
    expect(await save(shop({ kind: 'test', successUrl: 'https://example.com/thank-you' }))).toMatchObject({
      ok: true,
    });
  });

  test('the return pages of the sandbox are served by the sandbox', async () => {
    const { profiles } = await app.state();
    const { baseUrl = '', successUrl = '', cancelUrl = '' } = profiles[0] ?? {};
    expect(baseUrl).not.toBe('');
    for (const page of [successUrl, cancelUrl]) {
      expect(new URL(page).origin).toBe(baseUrl);
      const answer = await fetch(page.replaceAll('{order}', 'A-1'));
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('A-1')]);
    }
  });
});

const account = { baseUrl: 'https://pay.one-account.eu/api', merchantKey: 'One-Key' };
const taken = (name: string) => ({
  ok: false,
  error: { fields: [{ path: 'merchantKey', message: { key: 'profile.account-taken', values: { name } } }] },
});

test('an account has one profile: a second one is refused with the name of the first, new or changed', async () => {
  const first = value(await save(shop(account)));
  for (const spelling of [
    account,
    { ...account, merchantKey: ' one-KEY ' },
    { ...account, baseUrl: 'https://PAY.one-account.eu:443/API//' },
  ])
    expect(await save(shop(spelling))).toMatchObject(taken(first.name));
  const other = value(await save(shop({ ...account, merchantKey: 'other-key' })));
  const change = { id: other.id, password: 'correct horse', thisRunOnly: true };
  const into = { ...other, ...account };
  expect(await app.request('profiles.save', { ...change, profile: into })).toMatchObject(taken(first.name));
  await app.value('profiles.save', { ...change, profile: { ...other, name: 'Renamed' } });
  await app.value('profiles.save', { ...change, id: first.id, profile: { ...first, name: 'First' } });
});

test('the test and the live profile of one shop have the same name, which customers read', async () => {
  const name = `Blumen Maier ${crypto.randomUUID()}`;
  const live = value(await save({ ...shop({ merchantKey: 'live-key' }), name, kind: 'live' }));
  const test = value(await save({ ...shop({ merchantKey: 'test-key' }), name, kind: 'test' }));
  expect([live, test].map(merchantNameOf)).toEqual([name, name]);
  expect(distinctNames([live, test]).map(one => one.name)).toEqual([`${name} (live)`, `${name} (test)`]);
  expect(await save({ ...shop({ merchantKey: 'third-key' }), name, kind: 'test' })).toMatchObject({
    error: { fields: [{ path: 'name', message: { key: 'profile.name-taken' } }] },
  });
});

test('an account of another kind, server or path is another one', async () => {
  for (const changes of [
    { ...account, kind: 'test' as const },
    { ...account, baseUrl: 'https://pay.one-account.eu/other' },
    { ...account, baseUrl: 'https://pay.another-account.eu/api' },
  ])
    value(await save(shop(changes)));
});

test('the merchant of a profile is kept as typed, and its time zone is that of the books', async () => {
  const merchant = {
    name: 'Tuchfabrik Meier',
    address: ['Hauptstr. 1', '10115 Berlin'],
    phone: '+49 30 1',
    logo: '',
  };
  const saved = value(await save(shop({ merchant, timeZone: 'Europe/Berlin' })));
  expect(saved).toMatchObject({ merchant, timeZone: 'Europe/Berlin' });
  expect([merchantNameOf(saved), timeZoneOf(saved)]).toEqual(['Tuchfabrik Meier', 'Europe/Berlin']);
});

test('the merchant of a profile is the name of the profile and the zone of this computer if nothing is entered', async () => {
  const profile = shop();
  const saved = value(await save(profile));
  expect(merchantNameOf(saved)).toBe(profile.name);
  expect(timeZoneOf(saved)).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
});

test('the merchant of a profile with an unknown time zone is refused at its field', async () => {
  const saved = await save(shop({ timeZone: 'Berlin' }));
  expect(saved).toMatchObject({
    ok: false,
    error: { fields: [{ path: 'timeZone', message: { key: 'profile.zone.unknown' } }] },
  });
});

test('a dry run without a base address reports what is missing', async () => {
  const result = await app.request('profiles.dryRun', { profile: shop({ baseUrl: 'nowhere' }) });
  expect(result).toMatchObject({
    ok: false,
    error: { code: 'input.invalid', fields: [{ path: 'baseUrl' }] },
  });
});
