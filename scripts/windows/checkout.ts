import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../tools/build/steps.ts';
import { cacheFolder } from './wine.ts';

/** A copy of the project with the packages of Windows: Vitest, its bundler and the native modules differ by system. */

/** Tests that cannot run under Wine, each with the reason. */
const leftOut: Readonly<Record<string, string>> = {
  'test/commands/commands.integration.test.ts': 'Starts npm.',
  'test/lint/import-rules.integration.test.ts': 'The linter does not find its second program there.',
  'test/load/receiver-load.integration.test.ts': 'Expects the speed of a real disk.',
  'test/scripts/steps.integration.test.ts': 'Needs a symbolic link to another drive.',
  'test/scripts/structure.test.ts': 'Starts git.',
  'test/packing/refusals.integration.test.ts':
    'Deletes an archive that the packer has open, as Windows permits since version 1709.',
};

const filesOf = (folder: string): string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: folder,
    encoding: 'utf8',
  })
    .split('\0')
    .filter(file => file !== '' && !(file in leftOut) && existsSync(join(folder, file)));

/** Copies the sources, and installs the packages if the lockfile has changed. Returns the folder. Throws what npm reports. */
export const makeCheckout = (): string => {
  const folder = join(cacheFolder, 'checkout');
  const listFile = join(cacheFolder, 'checkout.files');
  mkdirSync(folder, { recursive: true });
  const earlier = existsSync(listFile) ? readFileSync(listFile, 'utf8').split('\n') : [];
  const files = filesOf(root);
  for (const file of earlier) if (!files.includes(file)) rmSync(join(folder, file), { force: true });
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file), { preserveTimestamps: true });
  }
  writeFileSync(listFile, files.join('\n'));
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const stamp = join(folder, 'node_modules', '.installed-from');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return folder;
  console.log('Installing the packages of Windows (npm ci), about half a minute…');
  // No script of a package may run: they would run for Linux.
  const args = ['ci', '--os=win32', '--cpu=x64', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 2, 2] });
  writeFileSync(stamp, lock);
  return folder;
};
