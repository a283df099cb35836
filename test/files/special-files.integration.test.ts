import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readSettingsFile } from '../../main/app/transfer/transfer-handlers.ts';
import { writeFileAtomic, writeFileAtomicSync } from '../../main/files/replace-file.ts';
import { openForReading, openForWriting } from '../../main/payment-log/sqlite/store/database.ts';
import {
  clientConfig,
  sharedLogSettingsSchema,
} from '../../main/payment-log/postgres/connection-settings.ts';
import { joiningText, readJoiningText } from '../../main/team/joining-text.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import {
  diskEncryption,
  mountedDevice,
  readBitLocker,
  readBlockDevice,
  readFileVault,
} from '../../main/files/unsafe-place.ts';

/** Paths from outside that are no files: nothing waits for them, reads them without end or replaces them. */

describe.skipIf(process.platform === 'win32')('a pipe or a device', () => {
  let folder: string;
  let pipe: string;
  beforeAll(() => {
    folder = newFolder('special');
    pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
  });

  test('a pipe or a device is no payment log, no settings file and no certificate, and nothing waits for it', async () => {
    for (const path of [pipe, '/dev/zero']) {
      expect(openForReading(path)).toMatchObject({ ok: false, error: { code: 'log.unavailable' } });
      expect(openForWriting(path)).toMatchObject({ ok: false, error: { code: 'log.unavailable' } });
      expect(await readSettingsFile(path)).toMatchObject({ ok: false });
      const settings = sharedLogSettingsSchema.parse({
        host: 'db.example.com',
        database: 'x',
        role: 'r',
        ca: path,
      });
      expect(clientConfig(settings, 'test')).toMatchObject({ ok: false, error: { code: 'log.unreachable' } });
    }
  });

  test('a pipe or a device is not replaced by an exported file; a link is, and its target stays', async () => {
    await expect(writeFileAtomic(pipe, 'text')).rejects.toThrow('no regular file');
    expect(() => writeFileAtomicSync(pipe, 'text')).toThrow('no regular file');
    expect(lstatSync(pipe).isFIFO()).toBe(true);
    const target = join(folder, 'target');
    const link = join(folder, 'link');
    writeFileSync(target, 'stays');
    symlinkSync(target, link);
    await writeFileAtomic(link, 'text');
    expect(readFileSync(target, 'utf8')).toBe('stays');
    expect(readFileSync(link, 'utf8')).toBe('text');
  });
});

test('a joining text carries the authority itself; one with a path is refused', () => {
  const settings = {
    host: 'db.example.com',
    port: 5432,
    database: 'x',
    schema: 'counterfoil',
    role: 'r',
    password: 'p',
    logId: null,
  } as const;
  const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
  expect(readJoiningText(joiningText({ ...settings, ca: pem }))).toMatchObject({
    ok: true,
    value: { ca: pem },
  });
  expect(readJoiningText(joiningText({ ...settings, ca: '/etc/shadow' }))).toMatchObject({
    ok: false,
    error: { code: 'input.invalid' },
  });
});

let folder: string;
beforeEach(() => {
  folder = newFolder('encryption');
});

test.each([
  ['FileVault is On.\n', 'on'],
  ['FileVault is Off.\n', 'off'],
  ['FileVault is On.\nEncryption in progress: Percent completed = 17.21\n', 'off'],
  ["FileVault is Off.\nDeferred enablement appears to be active for user 'ada'.\n", 'off'],
  ['Error: Unable to determine FileVault status.\n', 'unknown'],
  ['', 'unknown'],
])('FileVault is read from its own answer: %j', (answer, expected) => {
  expect(readFileVault(answer)).toBe(expected);
});

test.each([
  ['1\r\n', 'on'],
  ['2\r\n', 'off'],
  ['3\r\n', 'off'],
  ['5\r\n', 'off'],
  ['0\r\n', 'unknown'],
  ['6\r\n', 'unknown'],
  ['\r\n', 'unknown'],
])('BitLocker is read from the property of the drive: %j', (answer, expected) => {
  expect(readBitLocker(answer)).toBe(expected);
});

test('on Linux the disk of a path is the device of the mount that it is in', () => {
  const mounts = `22 1 0:21 / /proc rw,relatime - proc proc rw
29 1 0:26 / / rw,relatime shared:1 - btrfs /dev/mapper/luks-8d2f rw,space_cache
41 29 259:1 / /boot rw,relatime shared:30 - ext4 /dev/nvme0n1p1 rw
52 29 0:44 / /home/ada/My\\040files rw - fuse.sshfs ada@host:/ rw
60 29 253:2 / /srv rw,relatime - xfs /dev/mapper/vg-data rw`;
  expect(mountedDevice(mounts, '/home/ada/.config/Counterfoil')).toBe('/dev/mapper/luks-8d2f');
  expect(mountedDevice(mounts, '/boot')).toBe('/dev/nvme0n1p1');
  expect(mountedDevice(mounts, '/bootleg')).toBe('/dev/mapper/luks-8d2f');
  expect(mountedDevice(mounts, '/srv/counterfoil')).toBe('/dev/mapper/vg-data');
  expect(mountedDevice(mounts, '/home/ada/My files/Counterfoil')).toBeNull();
  expect(mountedDevice('', '/home')).toBeNull();
});

test('on Linux a volume is encrypted if everything below it is', () => {
  /** A device as `/sys` shows it. */
  const device = (name: string, uuid: string | null, below: readonly string[]): string => {
    const place = join(folder, name);
    mkdirSync(join(place, 'slaves'), { recursive: true });
    if (uuid !== null) {
      mkdirSync(join(place, 'dm'));
      writeFileSync(join(place, 'dm', 'uuid'), `${uuid}\n`);
    }
    for (const one of below) symlinkSync(join(folder, one), join(place, 'slaves', one));
    return place;
  };
  const partition = device('nvme0n1p3', null, []);
  const crypt = device('dm-0', 'CRYPT-LUKS2-8d2fa17e6d3b4c53a1b8f4a7b1f1a001-luks-8d2f', ['nvme0n1p3']);
  device('sdb1', null, []);
  expect(readBlockDevice(partition)).toBe('off');
  expect(readBlockDevice(crypt)).toBe('on');
  expect(readBlockDevice(device('dm-1', 'LVM-kT0qgXv3', ['dm-0']))).toBe('on');
  expect(readBlockDevice(device('dm-2', 'LVM-kT0qgXv4', ['dm-0', 'sdb1']))).toBe('off');
});

test.runIf(process.platform === 'linux')(
  'the disk of this computer is asked, as lsblk shows it',
  async () => {
    const found = await diskEncryption(join(folder, 'payments.db'));
    const source = execFileSync('findmnt', ['-no', 'SOURCE', '--target', folder], {
      encoding: 'utf8',
    }).trim();
    const device = source.replace(/\[.*/, '');
    const types = device.startsWith('/dev/')
      ? execFileSync('lsblk', ['-snro', 'TYPE', device], { encoding: 'utf8' })
      : null;
    expect(found).toBe(types === null ? 'unknown' : types.includes('crypt') ? 'on' : 'off');
  },
);

test('a folder that is not there has a disk that is not known', async () => {
  expect(await diskEncryption(join(folder, 'none', 'payments.db'))).toBe('unknown');
});
