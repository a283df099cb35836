import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { root } from '../../tools/build/steps.ts';
import { browserNames } from '../../tools/fake-electron/browser-path.ts';
import { bareMachine, npmEnd, workingNpm } from './bare-machine.ts';

/** From a fresh clone to the first script, on machines without one thing or another. */

let machine: ReturnType<typeof bareMachine>;
beforeEach(() => {
  machine = bareMachine();
});

const npm = workingNpm;
const everything = { npm, chromium: '', 'gnome-keyring-daemon': '', 'dbus-run-session': '' };

describe.skipIf(process.platform !== 'linux')('the set-up', () => {
  test('the set-up installs the packages once, and again when the lockfile has changed', () => {
    const first = machine.run({ programs: { npm } }, 'probe');
    // Nothing of the system is asked for, since this script needs nothing.
    expect(first).toMatchObject({ code: 0, ran: [expect.stringMatching(/^npm ci .*--ignore-scripts/)] });
    expect(machine.run({ programs: { npm } }, 'probe').ran).toEqual([]);
    writeFileSync(join(machine.folder, 'package-lock.json'), '{ "changed": true }');
    expect(machine.run({ programs: { npm } }, 'probe').ran).toHaveLength(1);
  });

  const at = (...path: string[]): string => join(machine.folder, ...path);
  const glibc = { optional: true, os: ['linux'], cpu: [process.arch], libc: ['glibc'] };
  const wanted = {
    '': {},
    'node_modules/a': { version: '1.2.3', integrity: 'sha512-a' },
    'node_modules/a-linux': { version: '1.2.3', ...glibc },
    'node_modules/a-musl': { version: '1.2.3', ...glibc, libc: ['musl'] },
    'node_modules/a-aix': { version: '1.2.3', optional: true, os: ['aix'] },
    'node_modules/of-a-aix': { version: '1.2.3', optional: true },
  };
  /** Installs the packages as `npm ci` does, and puts a runtime beside them. */
  const install = (changed: Record<string, { version: string; integrity?: string } | undefined>): void => {
    const { 'node_modules/a': a, 'node_modules/a-linux': linux } = wanted;
    const packages = { 'node_modules/a': a, 'node_modules/a-linux': linux, ...changed };
    writeFileSync(at('package-lock.json'), JSON.stringify({ packages: wanted }));
    for (const path of Object.keys(packages)) mkdirSync(at(path), { recursive: true });
    writeFileSync(at('node_modules', '.package-lock.json'), JSON.stringify({ packages }));
    mkdirSync(at('node_modules', 'a', 'dist'));
    writeFileSync(at('node_modules', 'a', 'dist', 'runtime'), 'fetched');
  };

  test('the set-up accepts packages that are complete, and deletes nothing that others have put beside them', () => {
    install({});
    expect(machine.run({ programs: { npm } }, 'probe')).toMatchObject({ code: 0, ran: [] });
    expect(readFileSync(at('node_modules', 'a', 'dist', 'runtime'), 'utf8')).toBe('fetched');
  });

  test.each([
    ['another version', { 'node_modules/a': { version: '1.2.2', integrity: 'sha512-a' } }],
    ['another content', { 'node_modules/a': { version: '1.2.3', integrity: 'sha512-b' } }],
    ['a package less', { 'node_modules/a': undefined }],
    ['the binary of this platform missing', { 'node_modules/a-linux': undefined }],
  ])('the set-up installs the packages again if others have installed %s', (_, changed) => {
    install(changed);
    expect(machine.run({ programs: { npm: 'exit 1' } }, 'probe').ran[0]).toMatch(/^npm ci/);
  });

  test('the set-up installs the packages again if one was deleted', () => {
    install({});
    rmSync(at('node_modules', 'a'), { recursive: true });
    expect(machine.run({ programs: { npm: 'exit 1' } }, 'probe').ran[0]).toMatch(/^npm ci/);
  });

  test('the set-up starts the script with its tools first on the path, leaves standard output to it, and returns its exit code', () => {
    const { out, err, code } = machine.run(
      { programs: { npm: `${npm}\necho added` } },
      'probe',
      '7',
      '--flag',
    );
    expect(code).toBe(7);
    const { args, path } = JSON.parse(out) as { args: string[]; path: string };
    expect(args).toEqual(['7', '--flag']);
    expect(path.startsWith(join(machine.folder, 'node_modules', '.bin'))).toBe(true);
    expect(err).toContain('Installing packages');
    expect(err).toContain('added');
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

  /** An apt-cache that knows the candidates of some packages, as `apt-cache policy` prints them. */
  const offering = (candidates: Record<string, string>): string =>
    printed(
      ...Object.entries(candidates).flatMap(([name, candidate]) => [
        `${name}:`,
        '  Installed: (none)',
        `  Candidate: ${candidate}`,
        '  Version table:',
      ]),
    );
  const printed = (...lines: string[]): string => `cat <<'END'\n${lines.join('\n')}\nEND`;
  const everyLibrary = Object.fromEntries(
    'libgtk-3-0 libnss3 libnotify4 libxss1 libxtst6 xdg-utils libatspi2.0-0 libuuid1 libsecret-1-0 libasound2 libgbm1'
      .split(' ')
      .map(name => [name, '1.0']),
  );
  const ubuntu = offering({
    ...everyLibrary,
    'libgtk-3-0': '(none)',
    'libgtk-3-0t64': '3.24',
    libasound2: '(none)',
    libasound2t64: '1.2',
    'chromium-browser': '(none)',
  });

  test('system packages are installed by the names that they have on this system', () => {
    const { ran, code } = machine.install({ programs: { 'apt-get': '', 'apt-cache': ubuntu } }, 'electron');
    expect(code).toBe(0);
    expect(ran.at(-1)).toBe(
      'apt-get install -y --no-install-recommends libgtk-3-0t64 libnss3 libnotify4 libxss1 libxtst6 xdg-utils libatspi2.0-0 libuuid1 libsecret-1-0 libasound2t64 libgbm1',
    );
  });

  test('system packages that cannot be installed do not stop the others', () => {
    const { libxss1: _gone, ...libraries } = everyLibrary;
    const programs = {
      'apt-get': 'for name; do [ "$name" = libgbm1 ] && exit 100; done; exit 0',
      'apt-cache': offering(libraries),
    };
    const { ran, code, err } = machine.install({ programs }, 'electron');
    expect(code).toBe(0);
    expect(ran).toContain('apt-get install -y --no-install-recommends libnss3');
    expect(ran.filter(line => /^apt-get .*libxss1/.test(line))).toEqual([]);
    expect(err).toContain('sudo apt-get install -y --no-install-recommends libgbm1');
    expect(err).toContain('no packages of these names: libxss1');
  });

  test('system packages without one of Chromium leave three ways, which are named', () => {
    const programs = { npm, 'apt-get': '', 'apt-cache': ubuntu, sudo: 'exit 1' };
    for (const user of ['root', 'someone'] as const) {
      const { code, err } = machine.run({ programs, user }, 'tour');
      expect(code).toBe(1);
      for (const way of ['Google Chrome', 'snap install chromium', 'github.com']) expect(err).toContain(way);
      expect(err).not.toContain('apt-get install -y --no-install-recommends chromium');
    }
  });

  test('system packages of Chromium are not requested where another browser is installed', () => {
    const [last = ''] = browserNames.toReversed();
    const { chromium: _, ...others } = everything;
    const programs = { ...others, [last]: '', 'apt-get': '' };
    expect(machine.run({ programs }, 'tour')).toMatchObject({
      code: 0,
      ran: [expect.stringMatching(/^npm/)],
    });
    const setUp = readFileSync(join(root, 'scripts', 'setup.mjs'), 'utf8');
    expect(browserNames.filter(name => !setUp.includes(`'${name}',`))).toEqual([]);
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
