import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { root } from '../../tools/build/steps.ts';
import { bareMachine, npmEnd, workingNpm, type BareMachine } from './bare-machine.ts';

/** From a fresh clone to the first script, on machines without one thing or another. */

let machine: BareMachine;
beforeEach(() => {
  machine = bareMachine();
});
afterEach(() => machine.remove());

const npm = workingNpm;
const everything = { npm, chromium: '', 'gnome-keyring-daemon': '', 'dbus-run-session': '' };

describe.skipIf(process.platform !== 'linux')('the set-up', () => {
  test('the set-up installs the packages once, and again when the lockfile has changed', () => {
    const first = machine.run({ programs: { npm } }, 'probe');
    expect(first.ran).toEqual([expect.stringMatching(/^npm ci .*--ignore-scripts/)]);
    expect(machine.run({ programs: { npm } }, 'probe').ran).toEqual([]);
    writeFileSync(join(machine.folder, 'package-lock.json'), '{ "changed": true }');
    expect(machine.run({ programs: { npm } }, 'probe').ran).toHaveLength(1);
  });

  test('the set-up leaves standard output to the script, and prints to standard error', () => {
    const { out, err } = machine.run({ programs: { npm: `${npm}\necho added` } }, 'probe', '0', '--flag');
    expect(JSON.parse(out)).toMatchObject({ args: ['0', '--flag'] });
    expect(err).toContain('Installing packages');
    expect(err).toContain('added');
  });

  test('the set-up starts the script with its tools first on the path, and returns its exit code', () => {
    const { out, code } = machine.run({ programs: { npm } }, 'probe', '7');
    expect(code).toBe(7);
    const { path } = JSON.parse(out) as { path: string };
    expect(path.startsWith(join(machine.folder, 'node_modules', '.bin'))).toBe(true);
  });

  test('a failed installation of packages stops the set-up, and is tried again the next time', () => {
    const failing = machine.run({ programs: { npm: 'exit 1' } }, 'probe');
    expect(failing).toMatchObject({ code: 1, out: '' });
    expect(failing.err).toContain('could not be installed');
    expect(machine.run({ programs: { npm } }, 'probe')).toMatchObject({ code: 0, ran: [expect.any(String)] });
  });

  const printing = (...lines: string[]): string => `cat >&2 <<'END'\n${lines.join('\n')}\nEND`;
  const download = 'npm http fetch GET https://registry.example/zod attempt 1 failed with';

  test.each([
    [
      'a full disk, which npm does not call a failure',
      `${printing('npm warn tar TAR_ENTRY_ERROR ENOSPC: no space left on device, write')}\n${npmEnd}`,
      /no room on the disk/,
    ],
    [
      'a cache that may not be written',
      `${printing('npm error code EACCES', 'npm error path /home/you/.npm')}\nexit 243`,
      /may not write to \/home\/you\/\.npm.*npm_config_cache=FOLDER/s,
    ],
    [
      'a read-only home folder',
      `${printing('npm ERR! code EROFS', 'npm ERR! path /home/you/.npm')}\nexit 226`,
      /may not write to \/home\/you\/\.npm/,
    ],
    [
      'a dead proxy, after which npm ends as if all was well',
      printing(`${download} ECONNREFUSED`, 'npm error Exit handler never called!'),
      /could not reach https:\/\/registry\.example \(ECONNREFUSED\).*the proxy http:\/\/proxy\.example:9 .*npm config get cache/s,
    ],
    [
      'a certificate of the company',
      `${printing('npm error code SELF_SIGNED_CERT_IN_CHAIN')}\nexit 1`,
      /NODE_EXTRA_CA_CERTS/,
    ],
    [
      'a package with another content',
      `${printing('npm error code EINTEGRITY')}\nexit 1`,
      /its hash differs/,
    ],
    [
      'a package that is not in the registry',
      `${printing('npm error code E404', 'npm error 404 Not Found')}\nexit 1`,
      /not in the registry/,
    ],
    [
      'a script of a package',
      `${printing('npm error code 1', 'npm error command sh -c node-gyp rebuild')}\nexit 1`,
      /tried to run a script/,
    ],
    ['an end by the system', 'kill -9 $$', /ended by SIGKILL/],
    ['an end in between, without a word', 'exit 0', /could not be installed/],
  ])('the set-up names the cause of a failed installation: %s', (_, script, expected) => {
    const env = { HTTPS_PROXY: 'http://me:secret@proxy.example:9' };
    const { code, err } = machine.run({ programs: { npm: script }, env }, 'probe');
    expect(code).toBe(1);
    expect(err).toMatch(expected);
    expect(err).not.toMatch(/secret/);
  });

  test('the set-up names a missing npm', () => {
    expect(machine.run({}, 'probe')).toMatchObject({
      code: 1,
      err: expect.stringContaining('npm is not on the path') as string,
    });
  });

  test('the set-up says while npm tries again what it tries to reach, once, and does not list the downloads', () => {
    const lines = printing(
      `${download} ENOTFOUND`,
      `${download} ENOTFOUND`,
      'npm http fetch GET 200 https://registry.example/zod 12ms',
    );
    const { code, err } = machine.run({ programs: { npm: `${lines}\n${npm}` } }, 'probe');
    expect(code).toBe(0);
    expect(err.match(/A download failed \(ENOTFOUND\)/g)).toHaveLength(1);
    expect(err).toMatch(/npm uses https:\/\/registry\.example, no proxy/);
    expect(err).not.toContain('fetch GET');
  });

  test('the set-up requests the right Node if this one is too old and none is packaged', () => {
    const { code, err } = machine.run({ programs: { npm: npmEnd }, nodeVersion: '20.20.2' }, 'probe');
    expect(code).toBe(1);
    expect(err).toContain('need Node 22.19 or newer, and this is v20.20.2');
    expect(err).toContain('install Node 24');
  });

  test('the set-up uses a Node that is new enough if none is packaged', () => {
    const { code } = machine.run({ programs: { npm: npmEnd }, nodeVersion: '22.19.0' }, 'probe');
    expect(code).toBe(0);
  });

  test('a missing script is reported, before anything is installed', () => {
    expect(machine.run({ programs: { npm } }, 'tell')).toMatchObject({ code: 2, ran: [] });
    expect(machine.run({ programs: { npm } }, '../probe')).toMatchObject({ code: 2, ran: [] });
  });
});

describe.skipIf(process.platform !== 'linux')('system packages', () => {
  test('system packages that are installed are not installed again', () => {
    expect(machine.run({ programs: { ...everything, 'apt-get': '' } }, 'tour').ran).toHaveLength(1);
  });

  test('system packages that are missing are installed for root, and only those', () => {
    const { ran, code } = machine.run({ programs: { npm, chromium: '', 'apt-get': '' } }, 'tour');
    expect(code).toBe(0);
    expect(ran.slice(1)).toEqual([
      'apt-get update',
      'apt-get install -y --no-install-recommends gnome-keyring dbus',
    ]);
  });

  test('system packages are installed through sudo if it needs no password', () => {
    const sudo = '[ "$2" = true ] && exit 0; shift; exec "$@"';
    const { ran, code } = machine.run({ programs: { npm, 'apt-get': '', sudo }, user: 'someone' }, 'tour');
    expect(code).toBe(0);
    expect(ran).toContain(
      'apt-get install -y --no-install-recommends chromium fonts-liberation fonts-noto-color-emoji gnome-keyring dbus',
    );
  });

  test('system packages are listed with the exact command for a user who may not install them', () => {
    const programs = { npm, 'apt-get': '', sudo: 'exit 1' };
    const { ran, code, err, out } = machine.run({ programs, user: 'someone' }, 'tour');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('sudo apt-get update && sudo apt-get install -y --no-install-recommends chromium');
    expect(ran.filter(line => line.startsWith('apt-get'))).toEqual([]);
  });

  test('system packages are listed if the installation fails, and on systems other than Debian', () => {
    const failing = machine.run({ programs: { npm, 'apt-get': 'exit 100' } }, 'tour');
    expect(failing.code).toBe(1);
    expect(failing.err).toContain('sudo apt-get install');
    const elsewhere = machine.run({ programs: { npm } }, 'tour');
    expect(elsewhere.code).toBe(1);
    expect(elsewhere.err).toContain("your system's package manager");
  });

  test('system packages are not requested for a script that needs none', () => {
    expect(machine.run({ programs: { npm, 'apt-get': '' } }, 'probe').ran).toHaveLength(1);
  });
});

test('every command of package.json that starts a script starts an existing one', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const files = Object.values(scripts).flatMap(line => /^node scripts\/run\.mjs (\S+)/.exec(line)?.[1] ?? []);
  expect(files).toContain('scripts/app/start.ts');
  expect(files.filter(file => !existsSync(join(root, file)))).toEqual([]);
});
