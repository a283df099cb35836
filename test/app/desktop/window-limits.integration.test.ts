import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readPems } from '../../../main/callbacks/certificate.ts';
import { ipcRequests } from '../../../shared/contract/contract.ts';
import { addressScope } from '../../../shared/network-address.ts';
import { profileDefaults, type ProfileDraft } from '../../../shared/settings/profile.ts';
import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { addShop, value } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** Actions that the renderer must not perform without the user's confirmation. */

const app = useApp();
let profileId = '';
const folder = newFolder('limits');
beforeAll(async () => {
  profileId = await addShop(app);
});

const shop: ProfileDraft = {
  ...profileDefaults,
  name: 'Shop',
  kind: 'test',
  baseUrl: 'https://pay.example.com',
  merchantKey: 'shop-key',
  successUrl: 'https://shop.acme.eu/thank-you',
  cancelUrl: 'https://shop.acme.eu/cancelled',
};
const save = (changes: Partial<ProfileDraft>, password: string | null = null) =>
  app.request('profiles.save', {
    id: profileId,
    profile: { ...shop, ...changes },
    password,
    thisRunOnly: true,
  });
const stored = async () => (await app.state()).profiles.find(({ id }) => id === profileId) ?? null;

test.each<[string, Partial<ProfileDraft>]>([
  ['another host', { baseUrl: 'https://evil.example' }],
  ['another port of the same host', { baseUrl: 'https://pay.example.com:8443' }],
  ['real money', { kind: 'live' }],
])('the stored merchant password is not used for %s until it is entered again', async (_what, changes) => {
  expect(await save(changes)).toMatchObject({
    ok: false,
    error: { code: 'input.invalid', fields: [{ path: 'password' }] },
  });
  expect(await stored()).toMatchObject({ baseUrl: shop.baseUrl, kind: 'test' });
  expect(await save(changes, 'correct horse')).toMatchObject({ ok: true });
  expect(await save({}, 'correct horse')).toMatchObject({ ok: true });
});

test('the stored merchant password stays after any other change, such as a path on the same server', async () => {
  expect(await save({ baseUrl: 'https://pay.example.com/v2', defaultCurrency: 'USD' })).toMatchObject({
    ok: true,
  });
  expect(await save({})).toMatchObject({ ok: true });
});

test('a look-up accepts no value longer than an id', () => {
  const takes = (by: 'payment-id' | 'order-number', length: number): boolean =>
    ipcRequests['payments.lookUp'].input.safeParse({ profileId, key: { by, value: 'x'.repeat(length) } })
      .success;
  expect(takes('payment-id', 36)).toBe(true);
  expect(takes('payment-id', 65)).toBe(false);
  expect(takes('order-number', 255)).toBe(true);
  expect(takes('order-number', 256)).toBe(false);
});

test.each([
  ['127.0.0.1', 'loopback'],
  ['localhost', 'loopback'],
  ['[::1]', 'loopback'],
  ['[::ffff:7f00:1]', 'loopback'],
  ['0.0.0.0', 'unspecified'],
  ['169.254.169.254', 'link-local'],
  ['[fe80::1]', 'link-local'],
  ['10.1.2.3', 'private'],
  ['172.31.0.1', 'private'],
  ['192.168.1.1', 'private'],
  ['[fd00::1]', 'private'],
  ['172.32.0.1', 'public'],
  ['pay.example.com', 'public'],
  ['[2001:db8::1]', 'public'],
])('the address %s is %s', (host, scope) => {
  expect(addressScope(host)).toBe(scope);
});

const change = async (changes: object, confirmedHost?: string) => {
  const { receiver } = (await app.state()).settings;
  return app.request('settings.change', {
    receiver: { ...receiver, ...changes },
    ...(confirmedHost === undefined ? {} : { confirmedHost }),
  });
};

test('the receiver accepts a certificate only from the dialog, never a path from the window', async () => {
  const tls = { certificate: '/etc/hostname', key: '/etc/hostname' };
  expect(await change({ tls })).toMatchObject({ ok: false, error: { code: 'input.invalid' } });
  expect((await app.state()).settings.receiver.tls).toBeNull();
});

test('the receiver listens on the network only after a confirmation of the same address', async () => {
  const open = { enabled: true, host: '0.0.0.0' };
  for (const confirmedHost of [undefined, '127.0.0.1', '192.168.1.2'])
    expect(await change(open, confirmedHost)).toMatchObject({
      ok: false,
      error: { code: 'input.invalid' },
    });
  expect((await app.state()).receiver.listening).toBe(false);
  expect(value(await change(open, '0.0.0.0')).receiver.listening).toBe(true);
  // A confirmed address needs no second confirmation for another setting.
  expect(await change({ quarantine: 500 })).toMatchObject({ ok: true });
  expect(await change({ enabled: false, host: '127.0.0.1' })).toMatchObject({ ok: true });
  expect(await change({ enabled: true })).toMatchObject({ ok: true });
  expect(await change({ enabled: false })).toMatchObject({ ok: true });
});

describe('a certificate file', () => {
  const pem = join(folder, 'pem');
  const unreadable = { ok: false, error: { code: 'receiver.certificate', details: { what: 'unreadable' } } };
  beforeAll(() => writeFileSync(pem, 'PEM'));

  test('a certificate file is a regular file of at most 64 KB', async () => {
    expect(await readPems({ certificate: pem, key: pem })).toMatchObject({ ok: true });
    const large = join(folder, 'large');
    writeFileSync(large, 'x'.repeat(64 * 1024 + 1));
    for (const file of [large, folder, join(folder, 'missing')])
      expect(await readPems({ certificate: pem, key: file })).toMatchObject(unreadable);
  });

  test.skipIf(process.platform === 'win32')(
    'a certificate file that is endless or a pipe is not waited for',
    async () => {
      const fifo = join(folder, 'fifo');
      execFileSync('mkfifo', [fifo]);
      for (const file of ['/dev/zero', fifo])
        expect(await readPems({ certificate: file, key: pem })).toMatchObject(unreadable);
    },
  );

  test.each(['\\\\server\\share\\a.pem', '//server/share/a.pem'])(
    'a certificate file on another computer (%s) is not opened: Windows would sign in there',
    async file => {
      expect(await readPems({ certificate: file, key: pem })).toMatchObject(unreadable);
    },
  );
});
