import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listPackage } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { ensureBuilt } from '../../tools/build/build.ts';
import { filesIn, licences, recordFile } from '../../scripts/packaging/package-problems.ts';
import { root } from '../../tools/build/steps.ts';
import { electronVersion, windowsProgram, writeOfflineRuntime } from './offline-runtime.ts';

/**
 * The folders of the packages for Windows and macOS, made on this system with a runtime that cannot run. The native
 * modules of all targets are installed; each package must get its own.
 */

const folder = newFolder('systems');
const project = join(folder, 'project');
const packages = join(project, 'node_modules');
const results = join(folder, 'dist');
const child = join(import.meta.dirname, 'pack-child.ts');

/** Native modules as the registry has them: SQLite's real ones, and headers of the keychain's. */
const installModules = (): void => {
  cpSync(join(root, 'node_modules', 'better-sqlite3'), join(packages, 'better-sqlite3'), {
    recursive: true,
    filter: path => !/better-sqlite3\/(deps|src)/.test(path),
  });
  const keyring = join(packages, '@napi-rs', 'keyring');
  cpSync(join(root, 'node_modules', '@napi-rs', 'keyring'), keyring, { recursive: true });
  const { version } = JSON.parse(readFileSync(join(keyring, 'package.json'), 'utf8')) as { version: string };
  const apple = Buffer.alloc(64);
  apple.writeUInt32LE(0xfeedfacf, 0);
  const record = JSON.parse(readFileSync(join(root, recordFile), 'utf8')) as Record<
    string,
    { files: object }
  >;
  for (const processor of ['x64', 'arm64'] as const) {
    apple.writeUInt32LE(processor === 'x64' ? 0x01000007 : 0x0100000c, 4);
    for (const [target, binary] of [
      [`win32-${processor}-msvc`, windowsProgram(processor)],
      [`darwin-${processor}`, apple],
    ] as const) {
      const module = join(packages, '@napi-rs', `keyring-${target}`);
      mkdirSync(module);
      writeFileSync(
        join(module, 'package.json'),
        JSON.stringify({ name: `@napi-rs/keyring-${target}`, version, main: `keyring.${target}.node` }),
      );
      writeFileSync(join(module, `keyring.${target}.node`), binary);
      const hash = createHash('sha256').update(binary).digest('hex');
      Object.assign(record[`@napi-rs/keyring-${target}`] ?? {}, {
        files: { [`keyring.${target}.node`]: hash },
      });
      writeFileSync(join(module, 'LICENSE.third-party.md'), '| anyhow | 1.0.0 | MIT OR Apache-2.0 |\n');
    }
  }
  mkdirSync(join(project, 'scripts/packaging'), { recursive: true });
  writeFileSync(join(project, recordFile), JSON.stringify(record));
};

beforeAll(async () => {
  await ensureBuilt();
  mkdirSync(join(packages, '@napi-rs'), { recursive: true });
  for (const name of ['out', 'assets', 'LICENSE', 'package-lock.json'])
    cpSync(join(root, name), join(project, name), { recursive: true });
  const { devDependencies: _development, ...manifest } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Record<string, unknown>;
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  installModules();
  for (const system of ['win32', 'darwin'] as const)
    for (const processor of ['x64', 'arm64'] as const)
      writeOfflineRuntime(join(folder, `${system}-${processor}`), electronVersion(root), {
        system,
        processor,
      });
  await promisify(execFile)(process.execPath, [child, project, folder, results]).catch((error: unknown) => {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(stdout + stderr);
  });
}, 180_000);

/** The native modules beside an archive. */
const nativeModules = (resources: string): string[] =>
  filesIn(join(resources, 'app.asar.unpacked'))
    .map(file => file.replace(/^.*\//, ''))
    .toSorted();

const hasIntegrity = async (executable: string): Promise<boolean> => {
  const wire = await getCurrentFuseWire(executable);
  return wire[FuseV1Options.EnableEmbeddedAsarIntegrityValidation] === FuseState.ENABLE;
};

describe.skipIf(process.platform !== 'linux').each(['x64', 'arm64'] as const)('for %s', processor => {
  test('the Windows folder contains its own native modules, the hash of its archive, and the fuses', async () => {
    const unpacked = join(results, processor === 'x64' ? 'win-unpacked' : 'win-arm64-unpacked');
    const resources = join(unpacked, 'resources');
    expect(nativeModules(resources)).toEqual([
      `keyring.win32-${processor}-msvc.node`,
      `win32-${processor}.node`,
    ]);
    const program = join(unpacked, 'Counterfoil.exe');
    expect(await hasIntegrity(program)).toBe(true);
    const content = readFileSync(program);
    expect(content.includes('resources\\\\app.asar')).toBe(true);
    expect(content.includes(Buffer.from('FileDescription', 'utf16le'))).toBe(true);
    expect(existsSync(join(results, `counterfoil-0.1.0-win-${processor}.cdx.json`))).toBe(true);
    const files = listPackage(join(resources, 'app.asar'), { isPack: false });
    expect(files.filter(file => /keyring-|prebuilds\//.test(file) && file.endsWith('.node'))).toHaveLength(2);
  });

  test('the macOS application contains its own native modules, the licences, the fuses and counterfoil: links', async () => {
    const contents = join(results, processor === 'x64' ? 'mac' : 'mac-arm64', 'Counterfoil.app', 'Contents');
    const resources = join(contents, 'Resources');
    expect(nativeModules(resources)).toEqual([
      `darwin-${processor}.node`,
      `keyring.darwin-${processor}.node`,
    ]);
    expect(await hasIntegrity(join(contents, '..'))).toBe(true);
    const properties = readFileSync(join(contents, 'Info.plist'), 'utf8');
    expect(properties).toMatch(/<key>CFBundleURLSchemes<\/key>\s*<array>\s*<string>counterfoil<\/string>/);
    expect(properties).toContain('<string>io.counterfoil.console</string>');
    expect(properties).toContain('<key>ElectronAsarIntegrity</key>');
    const shipped = readdirSync(resources);
    expect([...licences, 'icon.icns'].filter(file => !shipped.includes(file))).toEqual([]);
    expect(existsSync(join(results, `counterfoil-0.1.0-mac-${processor}.cdx.json`))).toBe(true);
  });
});

describe('the installer', () => {
  /**
   * The part of the Windows installer that is ours (assets/installer.nsh), compiled into a small installer with
   * Debian's makensis and run under Wine. The rest of the real installer comes from the packer.
   */

  const has = (program: string): boolean => spawnSync('which', [program]).status === 0;
  const canRun = process.platform === 'linux' && has('makensis') && has('wine') && has('wineboot');

  const folder = newFolder('installer');
  const installed = 'C:\\Counterfoil test';

  /** For whom: NSIS's name, and the part of the registry that it stands for. */
  const scopes = [
    { scope: 'current', hive: 'HKCU' },
    { scope: 'all', hive: 'HKLM' },
  ] as const;
  type Scope = (typeof scopes)[number]['scope'];
  const installerFor = (scope: Scope): string => join(folder, `${scope}.exe`);
  const env = {
    ...process.env,
    WINEPREFIX: join(folder, 'wine'),
    WINEARCH: 'win64',
    WINEDEBUG: '-all',
    WINEDLLOVERRIDES: 'mscoree,mshtml=',
    DISPLAY: undefined,
  };

  const scriptFor = (scope: Scope): string => `
Unicode true
Target amd64-unicode
Name "Counterfoil test"
OutFile "${installerFor(scope)}"
RequestExecutionLevel user
SilentInstall silent
SilentUnInstall silent
InstallDir "${installed}"
!define APP_EXECUTABLE_FILENAME "Counterfoil.exe"
!include "${join(root, 'assets', 'installer.nsh')}"
Section
  SetShellVarContext ${scope}
  SetOutPath "$INSTDIR"
  WriteUninstaller "$INSTDIR\\Uninstall.exe"
  !insertmacro customInstall
SectionEnd
Section Uninstall
  SetShellVarContext ${scope}
  !insertmacro customUnInstall
SectionEnd
`;

  const wine = (...args: string[]): void => {
    execFileSync('wine', args, { env, stdio: 'ignore', timeout: 60_000 });
  };

  const linkKey = (hive: string): string => `${hive}\\Software\\Classes\\counterfoil\\shell\\open\\command`;

  /** The command that Windows runs for a counterfoil: link; null if none is registered. */
  const linkCommand = (hive: string): string | null => {
    const asked = spawnSync('wine', ['reg', 'query', linkKey(hive), '/ve'], {
      env,
      encoding: 'utf8',
      timeout: 60_000,
    });
    return asked.status === 0 ? (/REG_SZ\s+(.*?)\s*$/m.exec(asked.stdout)?.[1] ?? '') : null;
  };

  describe.skipIf(!canRun)('the Windows installer (makensis, Wine)', () => {
    beforeAll(() => {
      mkdirSync(env.WINEPREFIX);
      execFileSync('wineboot', ['-i'], { env, stdio: 'ignore', timeout: 110_000 });
      for (const { scope } of scopes) {
        const file = join(folder, `${scope}.nsi`);
        writeFileSync(file, scriptFor(scope));
        execFileSync('makensis', ['-V2', '-WX', file], { stdio: 'ignore' });
      }
    }, 120_000);
    afterAll(() => {
      spawnSync('wineserver', ['-k', '-w'], { env });
    });

    test.each(scopes)(
      'the Windows installer registers counterfoil: links with the installed program for $scope, and its uninstaller removes them',
      async ({ scope, hive }) => {
        expect(linkCommand(hive)).toBe(null);
        wine(installerFor(scope), '/S');
        expect(linkCommand(hive)).toBe(`"${installed}\\Counterfoil.exe" "%1"`);
        // `_?=` runs the uninstaller in place, so that the test can wait for it.
        wine(`${installed}\\Uninstall.exe`, '/S', `_?=${installed}`);
        await expect.poll(() => linkCommand(hive), { timeout: 30_000 }).toBe(null);
      },
      180_000,
    );

    test('the Windows installer leaves counterfoil: links of another installation unchanged when it is removed', () => {
      wine(installerFor('current'), '/S');
      const other = '"C:\\Other\\Counterfoil.exe" "%1"';
      wine('reg', 'add', linkKey('HKCU'), '/ve', '/d', other.replaceAll('"', '\\"'), '/f');
      wine(`${installed}\\Uninstall.exe`, '/S', `_?=${installed}`);
      expect(linkCommand('HKCU')).toContain('Other');
    }, 180_000);
  });
});
