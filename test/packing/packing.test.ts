import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { extractAll, listPackage } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { build, isBuilt } from '../../scripts/build.ts';
import { root } from '../../scripts/steps.ts';
import { box, deskCall } from '../end-to-end/console.ts';
import { launch } from '../end-to-end/harness.ts';
import { electronVersion, writeOfflineRuntime } from './offline-runtime.ts';

/** The packed application, made without the network. What only the real runtime can show is in docs/stand-in.md. */

const folder = mkdtempSync(join(tmpdir(), 'counterfoil-pack-'));
const packed = join(folder, 'dist', 'linux-unpacked');
const archive = join(packed, 'resources', 'app.asar');

beforeAll(async () => {
  if (!isBuilt()) await build();
  writeOfflineRuntime(join(folder, 'runtime'), electronVersion(root));
  await promisify(execFile)(
    join(root, 'node_modules/.bin/electron-builder'),
    [
      '--linux',
      '--dir',
      '--publish=never',
      `--config.electronDist=${join(folder, 'runtime')}`,
      `--config.directories.output=${join(folder, 'dist')}`,
    ],
    { cwd: root },
  );
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** As they stand in the binary: the characters 0 and 1. */
const disabled: number = 0x30;
const enabled: number = 0x31;

/** Everything that may be in the package, and nothing else. */
const allowed = [
  /^\/package\.json$/,
  /^\/out$/,
  /^\/out\/main(\/[\w.-]+\.js)?$/,
  /^\/out\/preload(\/index\.cjs)?$/,
  /^\/out\/renderer(\/index\.html)?$/,
  /^\/out\/renderer\/assets(\/[\w.-]+\.(js|css|svg|png|woff2))?$/,
  /^\/node_modules$/,
  /^\/node_modules\/better-sqlite3(\/(package\.json|LICENSE|lib|lib\/[\w./-]+\.js|lib\/methods|prebuilds|prebuilds\/linux(musl)?-(x64|arm64)\.node))?$/,
  /^\/node_modules\/@napi-rs$/,
  /^\/node_modules\/@napi-rs\/keyring(-linux-(x64|arm64)-(gnu|musl))?(\/[\w.-]+)?$/,
];

describe.skipIf(process.platform !== 'linux')('the packed application', () => {
  test('holds the three bundles and two native modules, and nothing else', () => {
    const strangers = listPackage(archive, { isPack: false }).filter(
      path => !allowed.some(rule => rule.test(path)),
    );
    expect(strangers).toEqual([]);
  });

  test('holds everything it needs', () => {
    const files = listPackage(archive, { isPack: false });
    for (const file of [
      '/package.json',
      '/out/main/index.js',
      '/out/main/worker.js',
      '/out/preload/index.cjs',
      '/out/renderer/index.html',
      '/node_modules/better-sqlite3/prebuilds/linux-x64.node',
    ]) {
      expect(files).toContain(file);
    }
  });

  test('has every fuse set as decided', async () => {
    const wire = await getCurrentFuseWire(join(packed, 'counterfoil'));
    const off = (fuse: FuseV1Options): boolean => Number(wire[fuse]) === disabled;
    expect(off(FuseV1Options.RunAsNode)).toBe(true);
    expect(off(FuseV1Options.EnableNodeOptionsEnvironmentVariable)).toBe(true);
    expect(off(FuseV1Options.EnableNodeCliInspectArguments)).toBe(true);
    expect(off(FuseV1Options.GrantFileProtocolExtraPrivileges)).toBe(true);
    expect(wire[FuseV1Options.EnableCookieEncryption]).toBe(enabled);
    expect(wire[FuseV1Options.EnableEmbeddedAsarIntegrityValidation]).toBe(enabled);
    expect(wire[FuseV1Options.OnlyLoadAppFromAsar]).toBe(enabled);
  });

  test('holds enough to start: the extracted package opens its first screen', async () => {
    const appFolder = join(folder, 'extracted');
    extractAll(archive, appFolder);
    const app = await launch({ appFolder, userData: join(folder, 'data') });
    try {
      const page = await app.firstWindow();
      await box(page, 'new.amount').waitFor();
      const desk = await deskCall(page, 'desk.read', {});
      expect(desk.ok && desk.value.log.problem).toBe(null);
    } finally {
      await app.close();
    }
  });

  test('names no path of the machine it was built on', () => {
    const main = readFileSync(archive).toString('latin1');
    expect(main).not.toContain(root);
  });
});
