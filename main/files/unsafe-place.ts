import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import { promisify } from 'node:util';
import type { DiskEncryption } from '../../shared/health/health.ts';

/**
 * Whether a file is where no database may be: on a drive of another computer, whose locks and flushes do not hold, or in a
 * folder that a program copies to other computers and back while the file is written.
 */

/** Whether the disk of a file is encrypted, as far as a user without further rights can see. */

const run = promisify(execFile);
/** Limit of one question to the system, milliseconds: PowerShell takes seconds to start. */
const timeoutMs = 20_000;

/** The answer of `fdesetup status`. A disk that is still being encrypted is not yet. */
export const readFileVault = (answer: string): DiskEncryption => {
  if (/^FileVault is Off/m.test(answer)) return 'off';
  if (!/^FileVault is On/m.test(answer)) return 'unknown';
  return /in progress/.test(answer) ? 'off' : 'on';
};

/**
 * The Explorer's word for a drive, `System.Volume.BitLockerProtection`, which needs no administrator: 1 on; 2 off, 3 being
 * encrypted, 4 being decrypted, 5 suspended (its key is on the disk), 8 waiting to be switched on.
 */
export const readBitLocker = (answer: string): DiskEncryption => {
  const state = answer.trim();
  if (state === '1') return 'on';
  return /^[23458]$/.test(state) ? 'off' : 'unknown';
};

/** The mount that a path is in, from `/proc/self/mountinfo`. */
export const mountOf = (mounts: string, path: string): { type: string; source: string } => {
  let found = { point: '', type: '', source: '' };
  for (const line of mounts.split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    const point = (before.split(' ')[4] ?? '').replaceAll('\\040', ' ');
    const isAbove = point === '/' || path === point || path.startsWith(`${point}/`);
    // A later mount hides an earlier one.
    if (point !== '' && isAbove && point.length >= found.point.length)
      found = { point, type: after.split(' ')[0] ?? '', source: after.split(' ')[1] ?? '' };
  }
  return found;
};

/** The device of that mount; null if it is no device. */
export const mountedDevice = (mounts: string, path: string): string | null => {
  const { source } = mountOf(mounts, path);
  return source.startsWith('/dev/') ? source : null;
};

/** Whether a block device is one of dm-crypt, or is made of such devices alone. `folder`: its folder in `/sys`. */
export const readBlockDevice = (folder: string): DiskEncryption => {
  const uuid = join(folder, 'dm', 'uuid');
  if (existsSync(uuid) && readFileSync(uuid, 'utf8').startsWith('CRYPT-')) return 'on';
  const slaves = join(folder, 'slaves');
  const below = existsSync(slaves) ? readdirSync(slaves) : [];
  return below.length > 0 && below.every(name => readBlockDevice(join(slaves, name)) === 'on') ? 'on' : 'off';
};

const onLinux = (folder: string): DiskEncryption => {
  const device = mountedDevice(readFileSync('/proc/self/mountinfo', 'utf8'), realpathSync(folder));
  if (device === null) return 'unknown';
  const { rdev } = statSync(device);
  // As the C library takes the two numbers apart.
  const major = (rdev >>> 8) & 0xfff;
  const minor = (rdev & 0xff) | ((rdev >>> 12) & 0xfff00);
  const block = `/sys/dev/block/${major}:${minor}`;
  return existsSync(block) ? readBlockDevice(realpathSync(block)) : 'unknown';
};

/** Whether the disk with a file is encrypted. */
export const diskEncryption = async (file: string): Promise<DiskEncryption> => {
  const options = { timeout: timeoutMs, windowsHide: true };
  try {
    switch (process.platform) {
      case 'linux':
        return onLinux(dirname(file));
      case 'darwin':
        return readFileVault((await run('/usr/bin/fdesetup', ['status'], options)).stdout);
      case 'win32': {
        const drive = parse(file).root.replace('\\', '');
        const property = 'System.Volume.BitLockerProtection';
        const ask = `(New-Object -ComObject Shell.Application).NameSpace('${drive}').Self.ExtendedProperty('${property}')`;
        const powershell = join(
          process.env['SystemRoot'] ?? 'C:\\Windows',
          'System32\\WindowsPowerShell\\v1.0\\powershell.exe',
        );
        if (!/^[A-Z]:$/i.test(drive)) return 'unknown';
        return readBitLocker((await run(powershell, ['-NoProfile', '-Command', ask], options)).stdout);
      }
      default:
        return 'unknown';
    }
  } catch {
    return 'unknown';
  }
};

export const unsafePlaceKinds = ['network', 'synchronised'] as const;
/** `name`: the type of the file system, or the program. */
export type UnsafePlace = { kind: (typeof unsafePlaceKinds)[number]; name: string };

/** File systems of other computers, as Linux and macOS name them. */
const networkTypes =
  /^(?:nfs\d?|cifs|smb\w*|afs|afpfs|9p|v9fs|ceph|glusterfs|lustre|webdav|davfs\d?|fuse\.(?:sshfs|rclone|davfs\d?|s3fs|gvfsd-fuse|glusterfs|ceph|smbnetfs|google-drive-ocamlfuse|onedriver))$/;

/** The folders of programs that synchronise, by their usual names. */
const synchronised: readonly (readonly [RegExp, string])[] = [
  [/[\\/]OneDrive(?: - [^\\/]+)?[\\/]/i, 'OneDrive'],
  [/[\\/]Dropbox(?: \([^\\/]+\))?[\\/]/i, 'Dropbox'],
  [/[\\/](?:Google ?Drive|GoogleDrive-[^\\/]+)[\\/]/i, 'Google Drive'],
  [/[\\/]Library[\\/]CloudStorage[\\/]/, 'CloudStorage'],
  [/[\\/](?:Library[\\/]Mobile Documents|iCloud ?Drive)[\\/]/i, 'iCloud'],
  [/[\\/](?:Nextcloud|ownCloud)\d?[\\/]/i, 'Nextcloud'],
  [/[\\/](?:Box|Box Sync|pCloud Drive|MEGA|MEGAsync|Proton Drive|Seafile|Tresorit|Syncthing)[\\/]/i, 'sync'],
];
/** What such programs leave in the folder that they synchronise, under any name. */
const markers: readonly (readonly [string, string])[] = [
  ['.stfolder', 'Syncthing'],
  ['.dropbox', 'Dropbox'],
  ['.sync', 'Resilio Sync'],
  ['.owncloudsync.log', 'Nextcloud'],
];

/** The type of the file system of a path in the answer of macOS' `mount`: `//ada@nas/books on /Volumes/books (smbfs, …)`. */
export const macMountType = (answer: string, path: string): string => {
  let found = { point: '', type: '' };
  for (const [, point = '', type = ''] of answer.matchAll(/^.+ on (\/.*) \(([^,)]+)/gm))
    if ((point === '/' || `${path}/`.startsWith(`${point}/`)) && point.length >= found.point.length)
      found = { point, type };
  return found.type;
};

/** The place of a real path. `mountType`: of its file system, if known; `oneDrives`: the folders that Windows names. */
export const unsafePlace = (
  path: string,
  mountType: string,
  oneDrives: readonly string[] = [],
  hasEntry: (path: string) => boolean = existsSync,
): UnsafePlace | null => {
  // A drive of Windows with a letter is one of these too, once its real path was asked.
  if (/^(?:\\\\|\/\/)(?![?.][\\/])/.test(path)) return { kind: 'network', name: 'SMB' };
  if (networkTypes.test(mountType)) return { kind: 'network', name: mountType.replace('fuse.', '') };
  const isWithin = (folder: string): boolean =>
    folder !== '' && path.toLowerCase().startsWith(`${folder.toLowerCase()}\\`);
  if (oneDrives.some(isWithin)) return { kind: 'synchronised', name: 'OneDrive' };
  const named = synchronised.find(([pattern]) => pattern.test(path));
  if (named) return { kind: 'synchronised', name: named[1] };
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const marked = markers.find(([marker]) => hasEntry(join(folder, marker)));
    if (marked) return { kind: 'synchronised', name: marked[1] };
    if (folder === dirname(folder)) return null;
  }
};

const mountTypeOf = async (path: string): Promise<string> => {
  if (process.platform === 'linux') return mountOf(await readFile('/proc/self/mountinfo', 'utf8'), path).type;
  if (process.platform !== 'darwin') return '';
  return macMountType((await promisify(execFile)('/sbin/mount', { timeout: 5_000 })).stdout, path);
};

/**
 * Where a file is, if that is no place for a database; null if it is one, or cannot be said. Asks off the thread: a drive
 * that does not answer may be the one in question.
 */
export const findUnsafePlace = async (file: string): Promise<UnsafePlace | null> => {
  try {
    const path = join(await realpath(dirname(file)), 'file');
    const { OneDrive = '', OneDriveCommercial = '', OneDriveConsumer = '' } = process.env;
    return unsafePlace(path, await mountTypeOf(path), [OneDrive, OneDriveCommercial, OneDriveConsumer]);
  } catch {
    return null;
  }
};
