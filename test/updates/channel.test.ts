import { expect, test } from 'vitest';
import { readChannel, type Installed } from '../../main/updates/channel.ts';
import { channelFileName } from '../../main/updates/channel-file-name.ts';
import { updateServerSchema } from '../../shared/updates/update-server.ts';
import { channelOf, signed, signingKey } from '../../tools/update-harness/update-server.ts';

const { key, pinned } = signingKey();
const other = signingKey();
const installed: Installed = {
  version: '0.1.0',
  paymentLog: 7,
  sharedLog: null,
  newestSignedAt: null,
  now: Date.parse('2026-08-01T00:00:00Z'),
};
const read = (text: string, different: Partial<Installed> = {}, keys = [pinned]) =>
  readChannel(text, 'latest.yml', keys, { ...installed, ...different });

test('a channel file that is signed offers its version', () => {
  const offer = read(signed(channelOf(), key));
  expect(offer).toMatchObject({ offer: 'newer', channel: { version: '0.2.0' } });
});

test('a channel file is verified with every pinned key, so that a key can be replaced', () => {
  expect(read(signed(channelOf(), key), {}, [other.pinned, pinned])).toHaveProperty('offer');
  expect(read(signed(channelOf(), other.key))).toMatchObject({ refused: 'unsigned' });
  expect(read(signed(channelOf(), key), {}, [])).toMatchObject({ refused: 'unsigned' });
  expect(read(signed(channelOf(), key), {}, ['not a key'])).toMatchObject({ refused: 'unsigned' });
});

test('a channel file of two keys is verified with either, so that no PC misses the version with both', () => {
  const text = signed(channelOf(), [key, other.key]);
  for (const known of [pinned, other.pinned]) expect(read(text, {}, [known])).toHaveProperty('offer');
  expect(read(text, {}, [signingKey().pinned])).toMatchObject({ refused: 'unsigned' });
  const exchanged = text.replace(
    /\n# ed25519 [^]*$/,
    signed(channelOf({ version: '0.3.0' }), key).slice(-99),
  );
  expect(read(exchanged)).toMatchObject({ refused: 'unsigned' });
});

test('a channel file is refused if its date is more than a day ahead, and nothing of it is remembered', () => {
  const at = (ms: number) => signed(channelOf({ signedAt: new Date(installed.now + ms).toISOString() }), key);
  const day = 86_400_000;
  expect(read(at(day))).toHaveProperty('offer');
  expect(read(at(day + 1))).toEqual({ refused: 'future', version: '0.2.0' });
});

test.each([
  ['no signature', (text: string) => text.slice(0, text.lastIndexOf('# ed25519'))],
  ['another version', (text: string) => text.replace('0.2.0', '0.3.0')],
  ['text after the signature', (text: string) => `${text}version: 9.9.9\n`],
  ['other line breaks', (text: string) => text.replaceAll('\n', '\r\n')],
  ['nothing in it', () => ''],
])('a channel file with %s is refused', (_name, change) => {
  expect(read(change(signed(channelOf(), key)))).toEqual({ refused: 'unsigned', version: '' });
});

test('a channel file of another system is refused under this name', () => {
  expect(read(signed(channelOf(), key, 'latest-mac.yml'))).toMatchObject({ refused: 'unsigned' });
});

test('a channel file is refused from its expiry on', () => {
  const text = signed(channelOf({ expires: '2026-08-01T00:00:00Z' }), key);
  expect(read(text)).toMatchObject({ refused: 'expired' });
  expect(read(text, { now: installed.now - 1 })).toHaveProperty('offer');
});

test.each([
  ['0.1.0', 'same'],
  ['0.1.1', 'newer'],
  ['0.10.0', 'newer'],
  ['1.0.0', 'newer'],
])('a channel file with version %s is %s than 0.1.0', (version, offer) => {
  expect(read(signed(channelOf({ version }), key))).toMatchObject({ offer });
});

test.each(['0.0.9', '0.0.10'])(
  'a channel file never leads to version %s below the installed one',
  version => {
    expect(read(signed(channelOf({ version }), key))).toMatchObject({ refused: 'older', version });
  },
);

test('a channel file is refused if its version cannot read the payment log', () => {
  const text = signed(channelOf({ paymentLog: { reads: 8, writes: 9 } }), key);
  expect(read(text)).toMatchObject({ refused: 'payment-log' });
  expect(read(text, { paymentLog: 8 })).toHaveProperty('offer');
  expect(read(text, { paymentLog: 10 })).toMatchObject({ refused: 'payment-log' });
});

test('a channel file is refused if its version cannot use the shared payment log', () => {
  const text = signed(channelOf({ sharedLog: { needs: 5, knows: 6 } }), key);
  expect(read(text)).toHaveProperty('offer');
  expect(read(text, { sharedLog: { version: 5, oldest: 1 } })).toHaveProperty('offer');
  expect(read(text, { sharedLog: { version: 4, oldest: 1 } })).toMatchObject({ refused: 'shared-log' });
  expect(read(text, { sharedLog: { version: 7, oldest: 7 } })).toMatchObject({ refused: 'shared-log' });
});

test.each([
  ['a path', { files: [{ url: '../other.exe', sha512: `${'A'.repeat(86)}==`, size: 1 }] }],
  ['another server', { files: [{ url: 'https://x.test/a.exe', sha512: `${'A'.repeat(86)}==`, size: 1 }] }],
  ['no hash', { files: [{ url: 'a.exe', sha512: '', size: 1 }] }],
  ['no expiry', { expires: undefined }],
  ['a faulty version', { version: '2' }],
])('a channel file with %s is not understood', (_name, different) => {
  expect(read(signed({ ...channelOf(), ...different }, key))).toMatchObject({ refused: 'unreadable' });
});

test('each system has a channel file', () => {
  expect(channelFileName('win32', 'arm64')).toBe('latest.yml');
  expect(channelFileName('darwin', 'x64')).toBe('latest-mac.yml');
  expect(channelFileName('linux', 'x64')).toBe('latest-linux.yml');
  expect(channelFileName('linux', 'arm64')).toBe('latest-linux-arm64.yml');
});

test.each([
  ['https://it.example.com/counterfoil/', true],
  ['http://127.0.0.1:8080/', true],
  ['http://it.example.com/', false],
  ['https://user:secret@it.example.com/', false],
  ['https://it.example.com/?token=1', false],
  ['file:///C:/updates', false],
  ['', false],
])('the address %s is allowed: %s', (address, isAllowed) => {
  expect(updateServerSchema.safeParse(address).success).toBe(isAllowed);
});
