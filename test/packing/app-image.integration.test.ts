import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { root } from '../../tools/build/steps.ts';

/** The script that starts an AppImage, with the files of /proc that decide whether the windows have a sandbox. */

const script = join(root, 'assets/linux/AppRun');
let folder = '';
beforeEach(() => {
  folder = newFolder('appimage');
});

/** Starts the AppImage; the program in it prints its arguments and where it finds its libraries. */
const start = (proc: Record<string, string>, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) => {
  for (const [path, text] of Object.entries(proc)) {
    mkdirSync(dirname(join(folder, 'proc', path)), { recursive: true });
    writeFileSync(join(folder, 'proc', path), `${text}\n`);
  }
  const write = (name: string, text: string): void =>
    writeFileSync(join(folder, name), text, { mode: 0o755 });
  write('AppRun', readFileSync(script, 'utf8').replaceAll('/proc/', `${folder}/proc/`));
  write('counterfoil', '#!/bin/sh\necho "started $* $LD_LIBRARY_PATH"\n');
  const { status, stdout, stderr } = spawnSync(join(folder, 'AppRun'), args, {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...env },
  });
  return { status, stdout: stdout.trim(), stderr: stderr.trim() };
};

const restricted = {
  'sys/kernel/apparmor_restrict_unprivileged_userns': '1',
  'self/attr/current': 'unconfined',
};

describe.skipIf(process.platform !== 'linux')('an AppImage', () => {
  test('an AppImage starts where programs get namespaces, with its own arguments and libraries', () => {
    const started = { status: 0, stdout: `started --status a b ${folder}/usr/lib`, stderr: '' };
    expect(start({}, ['--status', 'a b'])).toEqual(started);
    const free = { ...restricted, 'sys/kernel/apparmor_restrict_unprivileged_userns': '0' };
    expect(start(free, ['--status', 'a b'])).toEqual(started);
    expect(statSync(script).mode & 0o111).toBe(0o111);
  });

  test.each([
    ['AppArmor', restricted],
    ['Debian', { 'sys/kernel/unprivileged_userns_clone': '0' }],
    ['the kernel', { 'sys/user/max_user_namespaces': '0' }],
  ])('an AppImage says why it cannot start, and what to do, where %s refuses the sandbox', (_, proc) => {
    const english = start(proc);
    expect(english).toMatchObject({ status: 1, stdout: '' });
    const sentence = /^Counterfoil cannot start .*AppArmor profile.*: install the \.deb package.*\.$/;
    expect(english.stderr).toMatch(sentence);
    const german = start(proc, [], { LANG: 'de_AT.UTF-8' }).stderr;
    expect(german).toMatch(/^Counterfoil kann .* Installieren Sie das \.deb-Paket/);
  });

  test('an AppImage for which an administrator wrote a profile starts', () => {
    const profiled = { ...restricted, 'self/attr/current': 'counterfoil-appimage (unconfined)' };
    expect(start(profiled).status).toBe(0);
  });

  test('an AppImage never gives up its sandbox automatically; a person can', () => {
    expect(start(restricted).stdout).toBe('');
    expect(start({}).stdout).not.toContain('--no-sandbox');
    expect(start(restricted, ['--no-sandbox']).stdout).toContain('started --no-sandbox');
  });

  test('an AppImage that was updated ends without opening a window', () => {
    const { status, stdout } = start({}, [], { APPIMAGE_EXIT_AFTER_INSTALL: 'true' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });
});
