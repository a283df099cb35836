import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createPackageWithOptions, extractAll } from '@electron/asar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setFuses } from '../../scripts/packaging/after-pack.ts';
import { licences, packageProblems, recordFile } from '../../scripts/packaging/package-problems.ts';
import { root } from '../../tools/build/steps.ts';
import { packLinux } from './pack-linux.ts';
import { writeOfflineRuntime } from './offline-runtime.ts';

/** What the packer refuses to ship: each defect in a package that is complete without it. */

const folder = mkdtempSync(join(tmpdir(), 'counterfoil-refusals-'));
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
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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

/** Changes one file, looks at the package, and takes the change back. */
const damaged = async (
  places: readonly string[],
  file: string,
  change: Change,
  isPacked: boolean,
): Promise<string> => {
  const before = places.map(place => {
    const path = join(place, file);
    const content = existsSync(path) ? readFileSync(path) : null;
    const changed = change(content ?? Buffer.alloc(0));
    mkdirSync(dirname(path), { recursive: true });
    if (changed === null) rmSync(path, { recursive: true });
    else writeFileSync(path, changed);
    return { path, content };
  });
  try {
    if (isPacked) await repack();
    return problems();
  } finally {
    for (const { path, content } of before)
      if (content === null) rmSync(path);
      else writeFileSync(path, content);
  }
};

const chunk = 'chunk-errors.js';
const font = 'out/main/paper-fonts';
type Defect = [what: string, file: string, change: Change, problem: string | RegExp];

describe.skipIf(!isHere)('a package is refused', () => {
  test('a package is refused only with a defect', () => expect(problems()).toBe(''));

  test.each<Defect>([
    ['a program beside it', 'helper.exe', put('MZ'), 'outside the archive: helper.exe'],
    ['a library beside it', 'version.dll', put('MZ'), 'version.dll'],
    ['a foreign library beside it', 'libevil.so', put('ELF'), 'libevil.so'],
    ['a library beside its archive', 'resources/evil.so', put('ELF'), 'evil.so'],
    ['a script beside its archive', 'resources/run.py', put('x'), 'run.py'],
    [
      'a folder that is run in place of the archive',
      'resources/app/package.json',
      put('{}'),
      'app/package.json',
    ],
    ['a script among the native modules', 'resources/app.asar.unpacked/index.js', put('x'), 'index.js'],
    ['an unknown native module', 'resources/app.asar.unpacked/node_modules/other/o.node', put('x'), 'o.node'],
    [
      'another SQLite',
      `resources/app.asar.unpacked/${sqlite.replace('x64', 'arm64')}`,
      put('x'),
      'linux-arm64.node',
    ],
    ...natives.flatMap((file): Defect[] => [
      [`without ${file}`, `resources/app.asar.unpacked/${file}`, gone, `${file} is missing`],
      [
        `64 bytes of ${file}`,
        `resources/app.asar.unpacked/${file}`,
        before => before.subarray(0, 64),
        `${file} is not`,
      ],
      [
        `half of ${file}`,
        `resources/app.asar.unpacked/${file}`,
        secondHalf,
        `${file} is not the one of the lockfile`,
      ],
      [
        `another byte in ${file}`,
        `resources/app.asar.unpacked/${file}`,
        oneByte,
        `${file} is not the one of`,
      ],
    ]),
    [
      'the keychain as SQLite',
      `resources/app.asar.unpacked/${sqlite}`,
      () => readFileSync(join(root, keychain)),
      `${sqlite} is not`,
    ],
    ['no archive', 'resources/app.asar', gone, 'app.asar is missing'],
    ['a licence with another letter', 'resources/LICENSE', without(/A/), 'LICENSE is not what'],
    ['one line of notices', 'resources/THIRD-PARTY-NOTICES.txt', put('react 19'), 'NOTICES.txt is not what'],
    ...licences.flatMap((file): Defect[] => {
      const path = /electron|chromium/.test(file) ? file : `resources/${file}`;
      return [
        [`no ${file}`, path, gone, `${file} is missing`],
        [`an empty ${file}`, path, empty, `${file} is missing or empty`],
      ];
    }),
  ])('a package is refused with %s', async (_, file, change, problem) => {
    expect(await damaged([program], file, change, false)).toMatch(problem);
  });

  const mapped = '\n//# sourceMappingURL=data:application/json;base64,e30=';
  const ofPacked: Defect[] = [
    [
      'another program in package.json',
      'package.json',
      json({ main: 'out/main/worker.js' }),
      'package.json is not',
    ],
    ['another version in package.json', 'package.json', json({ version: '9.9.9' }), 'package.json is not'],
    ['a secret in package.json', 'package.json', json({ token: 'secret' }), 'package.json is not'],
    [
      'no JavaScript of SQLite',
      'node_modules/better-sqlite3/lib/database.js',
      gone,
      'database.js is missing',
    ],
    ['no JavaScript of the keychain', 'node_modules/@napi-rs/keyring/index.js', gone, 'index.js is missing'],
    [
      'a development package',
      'node_modules/vitest/package.json',
      put('{}'),
      'node_modules/vitest/package.json',
    ],
    ['the loader of another system', 'node_modules/@napi-rs/keyring/keytar.js', put('x'), 'keytar.js'],
    ['its history', '.git/HEAD', put('x'), '.git/HEAD'],
    ['a test', 'test/app/main.test.ts', put('x'), 'main.test.ts'],
    [
      'a tray icon that is not there',
      'assets/tray/colour-normal-16.png',
      gone,
      'colour-normal-16.png is missing',
    ],
    [
      'a script that was changed',
      'out/main/worker.js',
      append('\n'),
      'worker.js is not what it was made from',
    ],
  ];
  test.each(ofPacked)(
    'a package is refused with %s in its archive',
    async (_, file, change, problem) => {
      expect(await damaged([inside], file, change, true)).toMatch(problem);
    },
    120_000,
  );

  // The build is faulty, and the archive is a true copy of it.
  const ofBuild: Defect[] = [
    ['an empty program', 'out/main/index.js', empty, 'index.js is missing or empty'],
    ['an empty preload script', 'out/preload/index.cjs', empty, 'index.cjs is missing or empty'],
    [
      'a window without scripts',
      'out/renderer/index.html',
      without(/<script[^]*?<\/script>/g),
      'is used by nothing',
    ],
    ['a chunk that is missing', `out/main/${chunk}`, gone, `needs ./${chunk}, which is missing`],
    ['a source map in a script', 'out/main/index.js', append(mapped), 'index.js contains a source map'],
    ['a source map as a file', 'out/main/index.js.map', put('{}'), 'index.js.map'],
    ['a test runner', 'out/main/vitest.js', put('export {};'), 'vitest.js is used by nothing'],
    ['a test', 'out/main/receiver.test.js', put('export {};'), 'receiver.test.js is used by nothing'],
    [
      'a private key',
      'out/main/update-key.js',
      put('-----BEGIN PRIVATE KEY-----'),
      'update-key.js is used by nothing',
    ],
    ['settings of the build', 'out/.env', put('TOKEN=1'), 'out/.env'],
  ];
  test.each(ofBuild)(
    'a package is refused with %s, also if the build had it',
    async (_, file, change, problem) => {
      expect(await damaged([inside, source], file, change, true)).toMatch(problem);
    },
    120_000,
  );

  test('a package is refused without the fonts of its papers, or with native modules inside its archive', async () => {
    const [file = ''] = readdirSync(join(inside, font));
    expect(await damaged([inside], `${font}/${file}`, gone, true)).toMatch(`${file} is missing`);
    await createPackageWithOptions(inside, join(resources, 'app.asar'), {});
    expect(problems()).toMatch(`${sqlite} is missing`);
  });

  test('a package is refused if the recorded hashes are not those of the lockfile', async () => {
    const other = without(/sha512-/);
    await expect(damaged([source], recordFile, other, false)).rejects.toThrow('does not describe the');
  });
});

describe('a runtime is refused', () => {
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
});
