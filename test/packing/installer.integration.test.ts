import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../scripts/steps.ts';

/**
 * The part of the Windows installer that is ours (assets/installer.nsh), compiled into a small installer with
 * Debian's makensis and run under Wine. The rest of the real installer comes from the packer.
 */

const has = (program: string): boolean => spawnSync('which', [program]).status === 0;
const canRun = process.platform === 'linux' && has('makensis') && has('wine') && has('wineboot');

const folder = mkdtempSync(join(tmpdir(), 'counterfoil-installer-'));
const installer = join(folder, 'counterfoil.exe');
const installed = 'C:\\Counterfoil test';
const env = {
  ...process.env,
  WINEPREFIX: join(folder, 'wine'),
  WINEARCH: 'win64',
  WINEDEBUG: '-all',
  WINEDLLOVERRIDES: 'mscoree,mshtml=',
  DISPLAY: undefined,
};

const script = `
Unicode true
Target amd64-unicode
Name "Counterfoil test"
OutFile "${installer}"
RequestExecutionLevel user
SilentInstall silent
SilentUnInstall silent
InstallDir "${installed}"
!define APP_EXECUTABLE_FILENAME "Counterfoil.exe"
!include "${join(root, 'assets', 'installer.nsh')}"
Section
  SetShellVarContext current
  SetOutPath "$INSTDIR"
  WriteUninstaller "$INSTDIR\\Uninstall.exe"
  !insertmacro customInstall
SectionEnd
Section Uninstall
  SetShellVarContext current
  !insertmacro customUnInstall
SectionEnd
`;

const wine = (...args: string[]): void => {
  execFileSync('wine', args, { env, stdio: 'ignore', timeout: 60_000 });
};

const linkKey = 'HKCU\\Software\\Classes\\counterfoil\\shell\\open\\command';

/** The command that Windows runs for a counterfoil: link; null if none is registered. */
const linkCommand = (): string | null => {
  const asked = spawnSync('wine', ['reg', 'query', linkKey, '/ve'], {
    env,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return asked.status === 0 ? (/REG_SZ\s+(.*?)\s*$/m.exec(asked.stdout)?.[1] ?? '') : null;
};

describe.skipIf(!canRun)('the Windows installer', () => {
  beforeAll(() => {
    mkdirSync(env.WINEPREFIX);
    execFileSync('wineboot', ['-i'], { env, stdio: 'ignore', timeout: 110_000 });
    const file = join(folder, 'setup.nsi');
    writeFileSync(file, script);
    execFileSync('makensis', ['-V2', '-WX', file], { stdio: 'ignore' });
  }, 120_000);
  afterAll(() => {
    spawnSync('wineserver', ['-k', '-w'], { env });
    rmSync(folder, { recursive: true, force: true });
  });

  test('registers counterfoil: links with the installed program, and its uninstaller removes them', async () => {
    expect(linkCommand()).toBe(null);
    wine(installer, '/S');
    expect(linkCommand()).toBe(`"${installed}\\Counterfoil.exe" "%1"`);
    // `_?=` runs the uninstaller in place, so that the test can wait for it.
    wine(`${installed}\\Uninstall.exe`, '/S', `_?=${installed}`);
    await expect.poll(linkCommand, { timeout: 30_000 }).toBe(null);
  }, 180_000);

  test('leaves counterfoil: links of another installation unchanged when it is removed', () => {
    wine(installer, '/S');
    const other = '"C:\\Other\\Counterfoil.exe" "%1"';
    wine('reg', 'add', linkKey, '/ve', '/d', other.replaceAll('"', '\\"'), '/f');
    wine(`${installed}\\Uninstall.exe`, '/S', `_?=${installed}`);
    expect(linkCommand()).toContain('Other');
  }, 180_000);
});
