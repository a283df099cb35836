import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { mountOf } from './disk-encryption.ts';

/**
 * Whether a file is where no database may be: on a drive of another computer, whose locks and flushes do not hold, or in a
 * folder that a program copies to other computers and back while the file is written.
 */

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
