import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createPackageWithOptions, extractAll } from '@electron/asar';
import { beforeAll, describe, expect, test } from 'vitest';
import { setFuses } from '../../scripts/packaging/after-pack.ts';
import { licences, packageProblems, recordFile } from '../../scripts/packaging/package-problems.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { root } from '../../tools/build/steps.ts';
import { packLinux } from './pack-linux.ts';
import { writeOfflineRuntime } from './offline-runtime.ts';

/** What the packer refuses to ship: each defect in a package that is complete without it. */

const folder = newFolder('refusals');
const program = join(folder, 'dist', 'linux-unpacked');
const resources = join(program, 'resources');
/** What is in the archive. */
const inside = join(folder, 'inside');
/** The project that was packed. */
const source = join(folder, 'source');
const target = 'linux-x64';
const sqlite = 'node_modules/better-sqlite3/prebuilds/linux-x64.node';
const keychain = 'node_modules/@napi-rs/keyring-linux-x64-gnu/keyring.linux-x64-gnu.node';
const natives = [sqlite, keychain];
const repack = () => createPackageWithOptions(inside, join(resources, 'app.asar'), { unpack: '*.node' });

const isHere = process.platform === 'linux' && process.arch === 'x64';
beforeAll(async () => {
  if (!isHere) return;
  await packLinux(folder);
  extractAll(join(resources, 'app.asar'), inside);
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
}, 240_000);

const problems = (): string => packageProblems({ resources, program, target, source }).join('\n');

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
  test('a package is refused only with a defect', () => expect(problems()).toBe(''));

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
    expect(await unnamed([program], defects, false)).toEqual([]);
    expect(await unnamed([program], [['resources/app.asar', gone, 'app.asar is missing']], false)).toEqual(
      [],
    );
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
    await createPackageWithOptions(inside, join(resources, 'app.asar'), {});
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
