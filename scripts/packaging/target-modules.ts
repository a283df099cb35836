import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { root } from '../../tools/build/steps.ts';
import type { Processor, System } from './pack-options.ts';

/**
 * Packages for another processor or system: SQLite's contains the native modules of all; the keychain and Node have a
 * package for each, of which npm installs only this machine's.
 */

const suffixes = { linux: '-gnu', win32: '-msvc', darwin: '' } as const;

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), integrity: z.string().optional() }),
  ),
});

/** Installs a package for a target if it is missing; refuses one that the lockfile does not describe. Its folder. */
const addPackage = (name: string): string => {
  const path = `node_modules/${name}`;
  const folder = join(root, path);
  if (existsSync(folder)) return path;
  const lock = lockSchema.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  const { version, integrity } = lock.packages[path] ?? {};
  if (version === undefined || integrity === undefined) throw new Error(`The lockfile has no ${name}.`);
  const download = mkdtempSync(join(tmpdir(), 'counterfoil-module-'));
  try {
    const options = { cwd: download, encoding: 'utf8', shell: process.platform === 'win32' } as const;
    const file = execFileSync('npm', ['pack', `${name}@${version}`, '--silent'], options).trim();
    const hash = createHash('sha512')
      .update(readFileSync(join(download, file)))
      .digest('base64');
    if (`sha512-${hash}` !== integrity) throw new Error(`${name} is not what the lockfile describes.`);
    mkdirSync(folder, { recursive: true });
    execFileSync('tar', ['-xzf', file, '--strip-components=1', '-C', folder], { cwd: download });
  } finally {
    rmSync(download, { recursive: true, force: true });
  }
  return path;
};

/** The keychain's module for a target. */
export const addKeychainModule = (system: System, processor: Processor): string =>
  addPackage(`@napi-rs/keyring-${system}-${processor}${suffixes[system]}`);

/** The Node of Linux that the scripts run on too. */
export const addNode = (processor: Processor): string => addPackage(`node-linux-${processor}`);
