import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { root } from '../../tools/build/steps.ts';

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
