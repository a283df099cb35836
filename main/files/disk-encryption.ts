import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, parse } from 'node:path';
import { promisify } from 'node:util';
import type { DiskEncryption } from '../../shared/health/health.ts';

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
