import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { extractAll, listPackage } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { beforeAll, describe, expect, test } from 'vitest';
import { packageProblems } from '../../scripts/packaging/package-problems.ts';
import { maxArchiveBytes } from '../../scripts/packaging/packed-files.ts';
import { writeDesktopPackage } from '../../scripts/packaging/desktop-package.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { root } from '../../tools/build/steps.ts';
import { box, ipcRequest } from '../../tools/browser-harness/console.ts';
import { launch } from '../../tools/browser-harness/harness.ts';
import { packLinux } from './pack-linux.ts';

/**
 * The packed application, made without the network. docs/build/fake-electron.md lists what only the real
 * runtime can show.
 */

const folder = newFolder('pack');
const packed = join(folder, 'dist', 'linux-unpacked');
const archive = join(packed, 'resources', 'app.asar');

beforeAll(() => packLinux(folder), 120_000);

/**
 * Size budgets, bytes: a tenth or two above the sizes when they were set. docs/build/releasing.md lists them; the first
 * screen has its own (test/end-to-end/window/first-screen.spec.ts). The deb is compressed with gzip here, which is faster.
 */
const budgets = { main: 5_300_000, archive: maxArchiveBytes, debian: 5_400_000 };

const hasDpkg = spawnSync('dpkg-deb', ['--version']).error === undefined;

describe.skipIf(process.platform !== 'linux')('the packed application', () => {
  test('the packed application contains everything it needs, nothing else, and is refused for another system', () => {
    const parts = { resources: join(packed, 'resources'), program: packed, source: root };
    expect(packageProblems({ ...parts, target: `linux-${process.arch}` })).toEqual([]);
    expect(packageProblems({ ...parts, target: 'win32-x64' }).join('\n')).toMatch(
      /win32-x64\.node is missing/,
    );
    const files = listPackage(archive, { isPack: false });
    expect(files).toContain('/assets/tray/colour-attention-32.png');
    expect(files).toContain('/node_modules/better-sqlite3/prebuilds/linux-x64.node');
  });

  test('the packed application has every fuse of the runtime set as decided', async () => {
    const { version: _version, ...wire } = await getCurrentFuseWire(join(packed, 'counterfoil'));
    // The values in the binary are the characters 0 and 1.
    const enabled = Object.entries(wire).filter(([, state]) => (state as number) === 0x31);
    expect(enabled.map(([fuse]) => FuseV1Options[Number(fuse)])).toEqual([
      'EnableCookieEncryption',
      'EnableEmbeddedAsarIntegrityValidation',
      'OnlyLoadAppFromAsar',
      'WasmTrapHandlers',
    ]);
    expect(Object.keys(wire)).toHaveLength(9);
  });

  test('the packed application contains its own licence and those of everything in it', () => {
    const resources = join(packed, 'resources');
    expect(readFileSync(join(resources, 'LICENSE'), 'utf8')).toContain('Apache License');
    const notices = readFileSync(join(resources, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    for (const name of [
      'react 19',
      'react-intl',
      'react-aria ',
      'zod',
      'undici',
      'better-sqlite3',
      '@napi-rs/keyring',
    ])
      expect(notices).toContain(`\n${name}`);
    expect(notices).toContain('Permission is hereby granted');
    const holders = ['Fedor Indutny', 'Brian M. Carlson', 'Hannes Hörl', 'Vladimir Krivosheev'];
    for (const holder of [...holders, 'James Halliday']) expect(notices).toContain(holder);
    expect(notices).not.toMatch(/^Licence: /m);
  });

  test('the packed application brings the script that starts the AppImage', () => {
    expect(readFileSync(join(packed, 'AppRun'))).toEqual(readFileSync(join(root, 'assets/linux/AppRun')));
    expect(statSync(join(packed, 'AppRun')).mode & 0o777).toBe(0o755);
  });

  test('the packed application is not larger than budgeted, without the runtime', () => {
    const main = join(root, 'out/main');
    const sizes = {
      main: readdirSync(main)
        .filter(file => file.endsWith('.js'))
        .reduce((sum, file) => sum + statSync(join(main, file)).size, 0),
      archive: statSync(archive).size,
      debian: hasDpkg ? statSync(writeDesktopPackage(folder, packed, 'x64', 'gzip')).size : 0,
    };
    const tooLarge = Object.entries(budgets).filter(
      ([name, budget]) => sizes[name as keyof typeof sizes] > budget,
    );
    expect(tooLarge, JSON.stringify(sizes)).toEqual([]);
  }, 60_000);

  test('the packed application is complete enough to start: the extracted package opens its first screen', async () => {
    const appFolder = join(folder, 'extracted');
    extractAll(archive, appFolder);
    const app = await launch({ appFolder, userData: join(folder, 'data') });
    try {
      const page = await app.firstWindow();
      await box(page, 'new.amount').waitFor();
      const appState = await ipcRequest(page, 'app.read', {});
      expect(appState.ok && appState.value.log.problem).toBe(null);
    } finally {
      await app.close();
    }
  });

  test('the packed application contains no path of the machine it was built on', () =>
    expect(readFileSync(archive).includes(root)).toBe(false));
});
