import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { writeDesktopPackage } from '../../scripts/packaging/desktop-package.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { root } from '../../tools/build/steps.ts';
import { electronVersion, writeOfflineRuntime } from './offline-runtime.ts';

/** The package for Debian and Ubuntu: what lintian says of it, and what dpkg does with it in a separate folder. */

const has = (program: string): boolean => spawnSync('which', [program]).status === 0;
// Only root may give files to root.
const canInstall = process.platform === 'linux' && has('dpkg-deb') && process.getuid?.() === 0;

const folder = newFolder('debian');
const system = join(folder, 'system');
const at = (path: string): string => join(system, path);
let file = '';

beforeAll(() => {
  if (!canInstall) return;
  const unpacked = join(folder, 'linux-unpacked');
  writeOfflineRuntime(unpacked, electronVersion(root));
  renameSync(join(unpacked, 'electron'), join(unpacked, 'counterfoil'));
  const binary = 'node_modules/better-sqlite3/prebuilds/linux-x64.node';
  cpSync(join(root, binary), join(unpacked, 'resources/app.asar.unpacked', binary));
  writeFileSync(join(unpacked, 'resources/LICENSE'), 'The licence');
  file = writeDesktopPackage(folder, unpacked, 'x64', 'gzip');
}, 60_000);

/** Runs dpkg for the folder `system`, with a parser of AppArmor that records its calls; the package's scripts run outside of it, with its path in DPKG_ROOT. */
const dpkg = (...args: string[]): void => {
  const programs = join(folder, 'bin');
  mkdirSync(programs, { recursive: true });
  const parser = join(programs, 'apparmor_parser');
  writeFileSync(parser, `#!/bin/sh\necho "$@" >> ${join(folder, 'calls')}\n`);
  chmodSync(parser, 0o755);
  execFileSync('dpkg', [`--root=${system}`, '--force-script-chrootless', '--force-depends', ...args], {
    env: { ...process.env, PATH: `${programs}:/usr/sbin:/usr/bin:/sbin:/bin` },
    stdio: 'pipe',
  });
};

describe.skipIf(!canInstall)('the package for Debian', () => {
  test.skipIf(!has('lintian'))(
    'the package for Debian has nothing that lintian warns of, apart from what is overridden (lintian)',
    () => {
      const checked = spawnSync('lintian', ['--allow-root', '--fail-on', 'error,warning', file], {
        encoding: 'utf8',
      });
      expect(checked.stdout).toBe('');
      expect(checked.status).toBe(0);
    },
    60_000,
  );

  test('the package for Debian has an entry that opens counterfoil: links', () => {
    const tree = join(folder, 'tree');
    execFileSync('dpkg-deb', ['-x', file, tree]);
    const entry = join(tree, 'usr/share/applications/counterfoil.desktop');
    expect(readFileSync(entry, 'utf8')).toMatch(
      /^Exec=counterfoil %U$[^]*^MimeType=x-scheme-handler\/counterfoil;$/m,
    );
    if (has('desktop-file-validate')) execFileSync('desktop-file-validate', [entry]);
  });

  test('the package for Debian is installed with its program, icons and the helper of the sandbox, and removed without a trace', () => {
    const home = 'home/ada/.config/Counterfoil';
    for (const path of ['var/lib/dpkg/info', 'var/lib/dpkg/updates', 'etc/apparmor.d', home])
      mkdirSync(at(path), { recursive: true });
    writeFileSync(at('var/lib/dpkg/status'), '');
    writeFileSync(at('home/ada/.config/Counterfoil/payments.db'), 'evidence');
    dpkg('--install', file);
    expect(readlinkSync(at('usr/bin/counterfoil'))).toBe('../lib/counterfoil/counterfoil');
    expect(statSync(at('usr/lib/counterfoil/chrome-sandbox')).mode & 0o7777).toBe(0o4755);
    for (const side of [16, 32, 48, 256, 512])
      expect(existsSync(at(`usr/share/icons/hicolor/${side}x${side}/apps/counterfoil.png`))).toBe(true);
    expect(readFileSync(at('etc/apparmor.d/counterfoil'), 'utf8')).toContain('userns,');
    expect(readFileSync(join(folder, 'calls'), 'utf8')).toContain('--skip-kernel-load');
    // An upgrade is another installation.
    dpkg('--install', file);
    dpkg('--remove', 'counterfoil');
    const installed = ['usr/bin/counterfoil', 'usr/lib/counterfoil', 'usr/share/applications'];
    for (const path of [...installed, 'etc/apparmor.d/counterfoil'])
      expect(existsSync(at(path)), path).toBe(false);
    expect(readFileSync(at('home/ada/.config/Counterfoil/payments.db'), 'utf8')).toBe('evidence');
    dpkg('--purge', 'counterfoil');
  });
});

describe('an AppImage', () => {
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
});
