import { execFile, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createPackageWithOptions, extractAll, listPackage } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { beforeAll, describe, expect, test } from 'vitest';
import { setFuses } from '../../scripts/packaging/after-pack.ts';
import { licences, packageProblems, recordFile } from '../../scripts/packaging/package-problems.ts';
import { maxArchiveBytes } from '../../scripts/packaging/packed-files.ts';
import { writeDesktopPackage } from '../../scripts/packaging/desktop-package.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { root } from '../../tools/build/steps.ts';
import { box, ipcRequest } from '../../tools/browser-harness/console.ts';
import { launch } from '../../tools/browser-harness/harness.ts';
import { ensureBuilt } from '../../tools/build/build.ts';
import { electronVersion, writeOfflineRuntime } from './offline-runtime.ts';

/**
 * The packed application, made without the network. docs/build/fake-electron.md lists what only the real
 * runtime can show.
 */

const folder = newFolder('pack');
const packed = join(folder, 'dist', 'linux-unpacked');
const resources = join(packed, 'resources');
const archive = join(resources, 'app.asar');

/** Packs the application without the network. */
const packLinux = async (): Promise<void> => {
  await ensureBuilt();
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
    // In a test the packer would link files of the project, and a damaged package would be a damaged project.
    { cwd: root, env: { ...process.env, VITEST: undefined } },
  );
};
beforeAll(() => (process.platform === 'linux' ? packLinux() : undefined), 120_000);

/**
 * Size budgets, bytes: a tenth or two above the sizes when they were set. docs/build/releasing.md lists them; the first
 * screen has its own (test/end-to-end/window/first-screen.spec.ts). The deb is compressed with gzip here, which is faster.
 */
const budgets = { main: 5_300_000, archive: maxArchiveBytes, debian: 5_400_000 };

const hasDpkg = spawnSync('dpkg-deb', ['--version']).error === undefined;

describe.skipIf(process.platform !== 'linux')('the packed application', () => {
  test('the packed application contains everything it needs, nothing else, and is refused for another system', () => {
    const parts = { resources, program: packed, source: root };
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

/** What the packer refuses to ship: each defect in a package that is complete without it. */

/** What is in the archive. */
const inside = join(folder, 'inside');
/** The project that was packed. */
const source = join(folder, 'source');
const sqlite = 'node_modules/better-sqlite3/prebuilds/linux-x64.node';
const keychain = 'node_modules/@napi-rs/keyring-linux-x64-gnu/keyring.linux-x64-gnu.node';
const natives = [sqlite, keychain];
const repack = () => createPackageWithOptions(inside, archive, { unpack: '*.node' });

const isHere = process.platform === 'linux' && process.arch === 'x64';
const copySources = (): void => {
  extractAll(archive, inside);
  const modules = ['node_modules/better-sqlite3', 'node_modules/@napi-rs'];
  for (const path of [
    'out',
    'assets/tray',
    'LICENSE',
    'package.json',
    'package-lock.json',
    recordFile,
    ...modules,
  ])
    cpSync(join(root, path), join(source, path), { recursive: true });
};

const problems = (): string =>
  packageProblems({ resources, program: packed, target: 'linux-x64', source }).join('\n');

type Change = (before: Buffer) => Buffer | string | null;
const empty: Change = () => '';
const gone: Change = () => null;
const put =
  (content: string): Change =>
  () =>
    content;
const append =
  (text: string): Change =>
  before =>
    Buffer.concat([before, Buffer.from(text)]);
const without =
  (part: RegExp): Change =>
  before =>
    before.toString('utf8').replace(part, '');
const secondHalf: Change = before => before.subarray(0, before.length / 2);
const oneByte: Change = before => {
  const changed = Buffer.from(before);
  changed.writeUInt8(changed.readUInt8(5_000) ^ 1, 5_000);
  return changed;
};
const json =
  (changes: object): Change =>
  before =>
    JSON.stringify({ ...(JSON.parse(before.toString('utf8')) as object), ...changes });

type Defect = [file: string, change: Change, problem: string];

/**
 * Damages all of these files at each place, looks at the package, and takes the changes back: the problems that it does
 * not name. Several defects of one file come one after the other.
 */
const unnamed = async (
  places: readonly string[],
  defects: readonly Defect[],
  isPacked: boolean,
): Promise<string[]> => {
  const ofFiles = [...Map.groupBy(defects, ([file]) => file).values()];
  const missing: string[] = [];
  for (let round = 0; round < Math.max(...ofFiles.map(({ length }) => length)); round += 1) {
    const present = ofFiles.flatMap(ofFile => ofFile.slice(round, round + 1));
    const before = places.flatMap(place =>
      present.map(([file, change]) => {
        const path = join(place, file);
        const content = existsSync(path) ? readFileSync(path) : null;
        const changed = change(content ?? Buffer.alloc(0));
        mkdirSync(dirname(path), { recursive: true });
        if (changed === null) rmSync(path, { recursive: true });
        else writeFileSync(path, changed);
        return { path, content };
      }),
    );
    try {
      if (isPacked) await repack();
      const found = problems();
      missing.push(...present.map(([, , problem]) => problem).filter(problem => !found.includes(problem)));
    } finally {
      for (const { path, content } of before)
        if (content === null) rmSync(path);
        else writeFileSync(path, content);
    }
  }
  return missing;
};

const unpacked = 'resources/app.asar.unpacked';

describe.skipIf(!isHere)('a package', () => {
  beforeAll(copySources, 240_000);

  test('a package is refused with any file beside its archive that is not its own, missing or changed', async () => {
    const defects: Defect[] = [
      ['helper.exe', put('MZ'), 'helper.exe'],
      ['version.dll', put('MZ'), 'version.dll'],
      ['libevil.so', put('ELF'), 'libevil.so'],
      ['resources/evil.so', put('ELF'), ' evil.so'],
      ['resources/run.py', put('x'), 'run.py'],
      // The runtime prefers a folder of this name to the archive.
      ['resources/app/package.json', put('{}'), 'app/package.json'],
      [`${unpacked}/index.js`, put('x'), 'index.js'],
      [`${unpacked}/node_modules/other/o.node`, put('x'), 'other/o.node'],
      [`${unpacked}/${sqlite.replace('x64', 'arm64')}`, put('x'), 'linux-arm64.node'],
      ...natives.flatMap((file): Defect[] => [
        [`${unpacked}/${file}`, gone, `${file} is missing`],
        [`${unpacked}/${file}`, before => before.subarray(0, 64), `${file} is not the one of the lockfile`],
        [`${unpacked}/${file}`, secondHalf, `${file} is not the one of the lockfile`],
        [`${unpacked}/${file}`, oneByte, `${file} is not the one of the lockfile`],
      ]),
      [`${unpacked}/${sqlite}`, () => readFileSync(join(root, keychain)), `${sqlite} is not the one of`],
      ['resources/LICENSE', without(/A/), 'LICENSE is not what it was made from'],
      ['resources/THIRD-PARTY-NOTICES.txt', put('react 19'), 'NOTICES.txt is not what it was made from'],
      ...licences.flatMap((file): Defect[] => {
        const path = /electron|chromium/.test(file) ? file : `resources/${file}`;
        return [
          [path, gone, `${file} is missing or empty`],
          [path, empty, `${file} is missing or empty`],
        ];
      }),
    ];
    expect(await unnamed([packed], defects, false)).toEqual([]);
    expect(await unnamed([packed], [['resources/app.asar', gone, 'app.asar is missing']], false)).toEqual([]);
  });

  test('a package is refused with any file in its archive that is not its own, missing or changed', async () => {
    const defects: Defect[] = [
      ['package.json', json({ main: 'out/main/worker.js' }), 'package.json is not what'],
      ['package.json', json({ version: '9.9.9' }), 'package.json is not what'],
      ['package.json', json({ token: 'secret' }), 'package.json is not what'],
      ['node_modules/better-sqlite3/lib/database.js', gone, 'database.js is missing'],
      ['node_modules/@napi-rs/keyring/index.js', gone, 'index.js is missing'],
      ['node_modules/vitest/package.json', put('{}'), 'node_modules/vitest/package.json'],
      ['node_modules/@napi-rs/keyring/keytar.js', put('x'), 'keytar.js'],
      ['.git/HEAD', put('x'), '.git/HEAD'],
      ['test/app/main.test.ts', put('x'), 'main.test.ts'],
      ['assets/tray/colour-normal-16.png', gone, 'colour-normal-16.png is missing'],
      ['out/main/worker.js', append('\n'), 'worker.js is not what it was made from'],
    ];
    expect(await unnamed([inside], defects, true)).toEqual([]);
  }, 120_000);

  test('a package is refused with what a faulty build had, though its archive is a true copy of it', async () => {
    const mapped = '\n//# sourceMappingURL=data:application/json;base64,e30=';
    const [script = ''] = readdirSync(join(inside, 'out/renderer/assets')).filter(name =>
      /^index.*js$/.test(name),
    );
    const defects: Defect[] = [
      ['out/main/index.js', append(mapped), 'index.js contains a source map'],
      ['out/main/index.js', empty, 'main/index.js is missing or empty'],
      ['out/preload/index.cjs', empty, 'index.cjs is missing or empty'],
      ['out/renderer/index.html', without(/<script[^]*?<\/script>/g), `${script} is used by nothing`],
      ['out/main/chunk-errors.js', gone, 'needs ./chunk-errors.js, which is missing'],
      ['out/main/index.js.map', put('{}'), 'index.js.map'],
      ['out/main/vitest.js', put('export {};'), 'vitest.js is used by nothing'],
      ['out/main/receiver.test.js', put('export {};'), 'receiver.test.js is used by nothing'],
      ['out/main/update-key.js', put('-----BEGIN PRIVATE KEY-----'), 'update-key.js is used by nothing'],
      ['out/.env', put('TOKEN=1'), 'out/.env'],
    ];
    expect(await unnamed([inside, source], defects, true)).toEqual([]);
  }, 120_000);

  test('a package is refused without the fonts of its papers, or with native modules inside its archive', async () => {
    const fonts = 'out/main/paper-fonts';
    const [file = ''] = readdirSync(join(inside, fonts));
    expect(await unnamed([inside], [[`${fonts}/${file}`, gone, `${file} is missing`]], true)).toEqual([]);
    await createPackageWithOptions(inside, archive, {});
    expect(problems()).toMatch(`${sqlite} is missing`);
  });

  test('a package is refused if the recorded hashes are not those of the lockfile', async () => {
    const other: Defect = [recordFile, without(/sha512-/), ''];
    await expect(unnamed([source], [other], false)).rejects.toThrow('does not describe the');
  });
});

const withFuses = async (fuses: string): Promise<void> => {
  const runtime = join(folder, 'runtime');
  rmSync(runtime, { recursive: true, force: true });
  writeOfflineRuntime(runtime, '45.4.1', { fuses });
  await setFuses(join(runtime, 'electron'), false);
};

test('a runtime is refused only if its fuses are not those that are decided', () =>
  expect(withFuses('0'.repeat(9))).resolves.toBeUndefined());

test.each([
  ['with a fuse that has no value here', '0'.repeat(10), 'strictlyRequireAllFuses'],
  ['without a fuse that has a value here', '0'.repeat(8), 'no longer has the fuses WasmTrapHandlers'],
  ['with a fuse that was removed', '00000r000', 'no longer has the fuses OnlyLoadAppFromAsar'],
])('a runtime is refused %s', (_, fuses, problem) => expect(withFuses(fuses)).rejects.toThrow(problem));
