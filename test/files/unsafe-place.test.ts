import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findUnsafePlace, macMountType, mountOf, unsafePlace } from '../../main/files/unsafe-place.ts';

const none = (): boolean => false;
const mounts = `29 1 0:26 / / rw,relatime shared:1 - ext4 /dev/sda2 rw
52 29 0:44 / /home/ada/My\\040files rw - fuse.sshfs ada@host:/ rw
53 29 0:45 / /mnt/books rw - cifs //nas/books rw
54 29 0:46 / /mnt/nfs rw - nfs4 nas:/export rw
55 29 0:47 / /mnt/c rw - 9p drvfs rw
56 29 0:48 / /mnt/usb rw - fuseblk /dev/sdb1 rw`;

test.each([
  ['/mnt/books/Counterfoil/payments.db', { kind: 'network', name: 'cifs' }],
  ['/mnt/nfs/payments.db', { kind: 'network', name: 'nfs4' }],
  ['/mnt/c/Users/ada/payments.db', { kind: 'network', name: '9p' }],
  ['/home/ada/My files/payments.db', { kind: 'network', name: 'sshfs' }],
  ['/mnt/usb/payments.db', null],
  ['/home/ada/.config/Counterfoil/payments.db', null],
  ['/home/ada/Dropbox/Counterfoil/payments.db', { kind: 'synchronised', name: 'Dropbox' }],
  ['/home/ada/Nextcloud2/payments.db', { kind: 'synchronised', name: 'Nextcloud' }],
  ['/home/ada/dropboxes/payments.db', null],
])('the place of a payment log on Linux: %s', (path, place) => {
  expect(unsafePlace(path, mountOf(mounts, path).type, [], none)).toEqual(place);
});

test.each([
  [String.raw`\\nas\books\Counterfoil\payments.db`, [], { kind: 'network', name: 'SMB' }],
  [String.raw`\\?\C:\Users\Ada\AppData\Local\Counterfoil\payments.db`, [], null],
  [String.raw`C:\Users\Ada\AppData\Local\Counterfoil\payments.db`, [], null],
  [
    String.raw`C:\Users\Ada\OneDrive - Hotel Lindenhof\payments.db`,
    [],
    { kind: 'synchronised', name: 'OneDrive' },
  ],
  [
    String.raw`D:\Cloud\Counterfoil\payments.db`,
    ['', String.raw`d:\cloud`],
    { kind: 'synchronised', name: 'OneDrive' },
  ],
  [String.raw`D:\Clouds\Counterfoil\payments.db`, [String.raw`D:\Cloud`], null],
] as const)('the place of a payment log on Windows: %s', (path, oneDrives, place) => {
  expect(unsafePlace(path, '', oneDrives, none)).toEqual(place);
});

test('the place of a payment log on macOS is read from its mounts and the folders of CloudStorage', () => {
  const answer = `/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
/dev/disk3s5 on /System/Volumes/Data (apfs, local, journaled)
//ada@nas.local/books on /Volumes/books (1) (smbfs, nodev, nosuid, mounted by ada)`;
  expect(macMountType(answer, '/Volumes/books (1)/Counterfoil/payments.db')).toBe('smbfs');
  expect(macMountType(answer, '/Volumes/books (1)x/payments.db')).toBe('apfs');
  const cloud = '/Users/ada/Library/CloudStorage/Dropbox/Counterfoil/payments.db';
  expect(unsafePlace(cloud, 'apfs', [], none)).toEqual({ kind: 'synchronised', name: 'Dropbox' });
});

test('the place of a payment log is found by what a synchronising program leaves above it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-place-'));
  try {
    const inner = join(folder, 'shared', 'Counterfoil');
    mkdirSync(inner, { recursive: true });
    const file = join(inner, 'payments.db');
    expect((await findUnsafePlace(file))?.kind).not.toBe('synchronised');
    mkdirSync(join(folder, 'shared', '.stfolder'));
    expect(await findUnsafePlace(file)).toEqual({ kind: 'synchronised', name: 'Syncthing' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
