import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { readChannel } from '../../main/updates/channel.ts';
import { schemaVersion } from '../../main/payment-log/postgres/schema/schema.ts';
import { logVersion } from '../../main/payment-log/sqlite/store/journal-tables.ts';
import { updateChannel } from '../../scripts/packaging/update-channel.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { packageBytes, sha512, signingKey } from '../../tools/update-harness/update-server.ts';

/** The command that signs channel files, with files as the packer writes them. */

const script = join(import.meta.dirname, '..', '..', 'scripts', 'packaging', 'update-channel.ts');
const { key, pinned } = signingKey();
const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString();

/** The packages are of this checkout's version. */
const { version } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'),
) as { version: string };
const packageName = `counterfoil-${version}-win-x64.exe`;

let folder: string;
let file: string;
const packed = `version: ${version}
files:
  - url: ${packageName}
    sha512: ${sha512(packageBytes)}
    size: ${packageBytes.length}
path: ${packageName}
sha512: ${sha512(packageBytes)}
releaseDate: '${new Date(Date.now() - 3_600_000).toISOString()}'
`;

beforeAll(() => {
  folder = newFolder('channel');
  file = join(folder, 'latest.yml');
  writeFileSync(file, packed);
  for (const name of [packageName, packageName.replace('x64', 'arm64')])
    writeFileSync(join(folder, name), packageBytes);
});

const signing = (...packed: readonly string[]): string[] => [
  'sign',
  file,
  ...packed,
  '--packages',
  folder,
  '--percent',
  '10',
];
const sign = (...packed: readonly string[]) => run(signing(...packed), pem);

/** Runs the command; `days`: how far its clock is ahead. */
const run = (args: readonly string[], input = '', days = 0) =>
  updateChannel(args, Date.now() + days * 86_400_000, () => input);

const offered = () =>
  readChannel(readFileSync(file, 'utf8'), 'latest.yml', [pinned], {
    version: '0.0.1',
    paymentLog: logVersion,
    sharedLog: null,
    newestSignedAt: null,
    now: Date.now(),
  });

test('the command for channel files signs what the packer wrote, with an expiry and the formats of this version', () => {
  const signed = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', script, ...signing()],
    { input: pem, encoding: 'utf8' },
  );
  expect(signed).toMatchObject({ status: 0, stderr: '' });
  expect(signed.stdout).toContain(pinned);
  expect(offered()).toMatchObject({
    offer: 'newer',
    channel: {
      version,
      stagingPercentage: 10,
      files: [{ url: packageName, size: packageBytes.length }],
      paymentLog: { reads: 1, writes: logVersion },
      sharedLog: { needs: schemaVersion, knows: schemaVersion },
    },
  });
});

test('the command for channel files puts the packages of several processors into one file', () => {
  const sources = ['x64', 'arm64'].map(processor => {
    const source = join(folder, `packed-win-${processor}.yml`);
    writeFileSync(source, packed.replaceAll('x64', processor));
    return source;
  });
  expect(sign(...sources)).toMatchObject({ status: 0 });
  expect(offered()).toMatchObject({
    channel: { files: [{ url: packageName }, { url: packageName.replace('x64', 'arm64') }] },
  });
  writeFileSync(sources[1] ?? '', packed.replaceAll(version, '0.3.0'));
  expect(sign(...sources)).toMatchObject({ status: 2 });
});

test('the command for channel files signs no package that is not the one in the folder, of another version, or without a roll-out', () => {
  const before = readFileSync(file, 'utf8');
  const source = join(folder, 'packed.yml');
  for (const [changed, reason] of [
    [packed.replaceAll(version, '9.9.9'), 'this checkout is'],
    [packed.replaceAll(sha512(packageBytes), sha512(Buffer.from('other'))), 'size or hash differs'],
    [packed.replaceAll(packageName, 'absent.exe'), 'cannot be read'],
  ] as const) {
    writeFileSync(source, changed);
    const signed = sign(source);
    expect(signed).toMatchObject({ stdout: '' });
    expect(signed.status).not.toBe(0);
    expect(signed.stderr).toContain(reason);
  }
  for (const args of [
    ['--packages', folder],
    ['--percent', '10'],
  ])
    expect(run(['sign', file, ...args], pem)).toMatchObject({ status: 2, stdout: '' });
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test('the command for channel files verifies with the public keys alone, each of which must have signed', () => {
  expect(run(['verify', file, '--key', pinned])).toMatchObject({ status: 0 });
  const other = signingKey();
  const verifyBoth = ['verify', file, '--key', pinned, '--key', other.pinned];
  expect(run(verifyBoth)).toMatchObject({ status: 1, stdout: '' });
  const both = `${pem}\n${other.key.export({ type: 'pkcs8', format: 'pem' }).toString()}`;
  expect(run(['rollout', file, '10'], both)).toMatchObject({ status: 0 });
  expect(run(verifyBoth)).toMatchObject({ status: 0 });
  // One key alone would take the signature of the other away.
  expect(run(['rollout', file, '20'], pem)).toMatchObject({ status: 1, stdout: '' });
  writeFileSync(file, packed);
  expect(sign()).toMatchObject({ status: 0 });
});

test('the command for channel files changes the roll-out of a file that the same key signed', () => {
  const other = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  expect(run(['rollout', file, '50'], other.toString())).toMatchObject({ status: 1 });
  expect(run(['rollout', file, '50'], pem)).toMatchObject({ status: 0 });
  expect(offered()).toMatchObject({ channel: { stagingPercentage: 50 } });
});

const shifted = (days: number, args: readonly string[]) => run(args, pem, days);

test('the command for channel files refuses a wrong clock, in both directions, unless the date is confirmed', () => {
  const text = readFileSync(file, 'utf8');
  const source = join(folder, 'packed.yml');
  writeFileSync(source, packed);
  const signs = signing(source);
  const rolls = ['rollout', file, '0'];
  for (const [days, args] of [
    [730, signs],
    [-2, signs],
    [730, rolls],
    [-2, rolls],
  ] as const) {
    const { status, stderr } = shifted(days, args);
    expect({ days, args, status }).toEqual({ days, args, status: 1 });
    expect(stderr).toContain("This computer's clock says");
  }
  const dateIn = (days: number): string =>
    new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  expect(shifted(730, [...rolls, '--today', dateIn(0)])).toMatchObject({ status: 1 });
  expect(readFileSync(file, 'utf8')).toBe(text);
  // The date is confirmed by mistake: the file says so, and no other clock accepts it.
  expect(shifted(730, [...rolls, '--today', dateIn(730)])).toMatchObject({ status: 0 });
  expect(run(['verify', file, '--key', pinned])).toMatchObject({ status: 1, stdout: '' });
  expect(offered()).toMatchObject({ refused: 'future' });
  expect(run(rolls, pem)).toMatchObject({ status: 1 });
  expect(run([...rolls, '--today', dateIn(0)], pem)).toMatchObject({ status: 0 });
  expect(offered()).toMatchObject({ channel: { stagingPercentage: 0 } });
  // The file on the server has another name here.
  const online = join(folder, 'online.yml');
  writeFileSync(online, readFileSync(file));
  expect(shifted(-0.001, [...signs, '--replaces', online])).toMatchObject({ status: 1 });
  expect(run([...signs, '--replaces', online], pem)).toMatchObject({ status: 0 });
});

test('the command for channel files refuses other keys and unsuitable values, and shows nothing of the key', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const before = readFileSync(file, 'utf8');
  for (const [args, input] of [
    [signing(), rsa.export({ type: 'pkcs8', format: 'pem' }).toString()],
    [signing(), ''],
    [['rollout', file, '101'], pem],
    [['rollout', file], pem],
    [[...signing(), '--days', '0'], pem],
    [['sign', join(folder, 'none.yml')], pem],
    [['verify', file], ''],
    [['other'], ''],
  ] as const) {
    const { status, stdout, stderr } = run(args, input);
    expect({ args, status, stdout }).toEqual({ args, status: 2, stdout: '' });
    expect(stderr).not.toContain('PRIVATE KEY');
  }
  expect(readFileSync(file, 'utf8')).toBe(before);
});
