import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readChannel } from '../../main/updates/channel.ts';
import { knownVersion, neededVersion } from '../../main/payment-log/postgres/schema/versions.ts';
import { migrations } from '../../main/payment-log/sqlite/store/migrations.ts';
import { packageBytes, packageName, sha512, signingKey } from '../../tools/update-harness/update-server.ts';

/** The command that signs channel files, with files as the packer writes them. */

const script = join(import.meta.dirname, '..', '..', 'scripts', 'update-channel.ts');
const { key, pinned } = signingKey();
const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString();

let folder: string;
let file: string;
const packed = `version: 0.2.0
files:
  - url: ${packageName}
    sha512: ${sha512(packageBytes)}
    size: ${packageBytes.length}
path: ${packageName}
sha512: ${sha512(packageBytes)}
releaseDate: '2026-07-01T12:00:00.000Z'
`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'counterfoil-channel-'));
  file = join(folder, 'latest.yml');
  writeFileSync(file, packed);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (args: readonly string[], input = '') => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', script, ...args],
    { input, encoding: 'utf8' },
  );
  return { status, stdout, stderr };
};

const offered = () =>
  readChannel(readFileSync(file, 'utf8'), 'latest.yml', [pinned], {
    version: '0.1.0',
    paymentLog: migrations.length,
    sharedLog: null,
    now: Date.now(),
  });

describe('the command for channel files', () => {
  test('signs what the packer wrote, with an expiry and the formats of this version', () => {
    const signed = run(['sign', file, '--percent', '10'], pem);
    expect(signed).toMatchObject({ status: 0, stderr: '' });
    expect(signed.stdout).toContain(pinned);
    expect(offered()).toMatchObject({
      offer: 'newer',
      channel: {
        version: '0.2.0',
        stagingPercentage: 10,
        files: [{ url: packageName, size: packageBytes.length }],
        paymentLog: { reads: 1, writes: migrations.length },
        sharedLog: { needs: neededVersion, knows: knownVersion },
      },
    });
  });

  test('puts the packages of several processors into one file', () => {
    const sources = ['x64', 'arm64'].map(processor => {
      const source = join(folder, `packed-win-${processor}.yml`);
      writeFileSync(source, packed.replaceAll('x64', processor));
      return source;
    });
    expect(run(['sign', file, ...sources, '--percent', '10'], pem)).toMatchObject({ status: 0 });
    expect(offered()).toMatchObject({
      channel: { files: [{ url: packageName }, { url: packageName.replace('x64', 'arm64') }] },
    });
    writeFileSync(sources[1] ?? '', packed.replaceAll('0.2.0', '0.3.0'));
    expect(run(['sign', file, ...sources], pem)).toMatchObject({ status: 2 });
  });

  test('verifies with the public key alone', () => {
    expect(run(['verify', file, '--key', pinned])).toMatchObject({ status: 0 });
    expect(run(['verify', file, '--key', signingKey().pinned])).toMatchObject({ status: 1, stdout: '' });
  });

  test('changes the roll-out of a file that the same key signed', () => {
    const other = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
    expect(run(['rollout', file, '50'], other.toString())).toMatchObject({ status: 1 });
    expect(run(['rollout', file, '50'], pem)).toMatchObject({ status: 0 });
    expect(offered()).toMatchObject({ channel: { stagingPercentage: 50 } });
  });

  test('refuses other keys and unsuitable values, and shows nothing of the key', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const before = readFileSync(file, 'utf8');
    for (const [args, input] of [
      [['sign', file], rsa.export({ type: 'pkcs8', format: 'pem' }).toString()],
      [['sign', file], ''],
      [['rollout', file, '101'], pem],
      [['rollout', file], pem],
      [['sign', file, '--days', '0'], pem],
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
});
