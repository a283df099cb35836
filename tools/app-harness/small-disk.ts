import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Small file systems that a test can fill. They require the right to mount; without it those tests are skipped. */

export const mountDisk = (folder: string, options: string): void => {
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' });
};
export const unmountDisk = (folder: string): void => {
  execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
};

export const mayMount = ((): boolean => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-mount-'));
  try {
    mountDisk(folder, 'size=64k');
    unmountDisk(folder);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
})();

/** Writes `file` until the disk is full. */
export const fillDisk = (file: string): void => {
  const handle = openSync(file, 'w');
  try {
    for (const bytes of [65_536, 4_096, 512, 1])
      try {
        for (;;) writeSync(handle, Buffer.alloc(bytes));
      } catch {
        // Full for chunks of this size.
      }
  } finally {
    closeSync(handle);
  }
};
