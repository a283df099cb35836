import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createPackage, uncacheAll } from '@electron/asar';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { licences, neededInArchive, packageProblems, setFuses } from '../../scripts/packaging/after-pack.ts';
import { windowsProgram, writeOfflineRuntime } from './offline-runtime.ts';

/** What the packer refuses to ship: each defect in a package that is complete without it. */

const folder = mkdtempSync(join(tmpdir(), 'counterfoil-refusals-'));
const resources = join(folder, 'resources');
const modules = 'app.asar.unpacked/node_modules';
const keyring = `${modules}/@napi-rs/keyring-win32-x64-msvc/keyring.win32-x64-msvc.node`;
const sqlite = `${modules}/better-sqlite3/prebuilds/win32-x64.node`;

const write = (file: string, content: string | Buffer = 'content'): void => {
  const path = join(resources, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
};

const archive = async (files: readonly string[]): Promise<void> => {
  const source = join(folder, 'source');
  rmSync(source, { recursive: true, force: true });
  for (const file of files) {
    mkdirSync(dirname(join(source, file)), { recursive: true });
    writeFileSync(join(source, file), '');
  }
  await createPackage(source, join(resources, 'app.asar'));
  uncacheAll();
};

beforeEach(async () => {
  rmSync(resources, { recursive: true, force: true });
  mkdirSync(resources);
  await archive(neededInArchive);
  for (const file of licences) write(file);
  for (const file of [keyring, sqlite]) write(file, windowsProgram('x64'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const problems = (): string[] => packageProblems(resources, 'win32-x64');

type Defect = [what: string, damage: () => unknown, problem: RegExp];

describe('a package is refused', () => {
  test('a package is refused only with a defect', () => expect(problems()).toEqual([]));

  const remove = (file: string) => () => rmSync(join(resources, file));
  const put = (file: string, processor: 'x64' | 'arm64' | null = null) => {
    return () => write(file, processor ? windowsProgram(processor) : 'content');
  };
  const pack = (files: readonly string[]) => () => archive(files);
  const outside = /^Files outside the archive: /;
  const otherArm = sqlite.replace('x64', 'arm64');
  test.each<Defect>([
    ['without the native module of the keychain', remove(keyring), /one binary of keyring .* has: none/],
    ['without the native module of SQLite', remove(sqlite), /one binary of better-sqlite3 .* has: none/],
    ['with a keychain for another processor', put(keyring, 'arm64'), /has: win32-arm64/],
    ['with SQLite for another processor', put(sqlite, 'arm64'), /has: win32-arm64/],
    ['with a second SQLite', put(otherArm, 'arm64'), /has: win32-arm64, win32-x64/],
    ['with an unknown native module', put(`${modules}/other/other.node`, 'x64'), /^Unknown native modules:/],
    ...['app.asar.unpacked/index.js', 'app/package.json', 'default_app.asar', 'extra.mjs'].map(
      (file): Defect => [`with ${file}, which could be run instead of the archive`, put(file), outside],
    ),
    ...['helper.exe', 'evil.so', 'run.py', 'other.lproj/locale.pak'].map((file): Defect => [
      `with ${file} beside its archive`,
      put(file),
      new RegExp(`${outside.source}${file}\\.$`),
    ]),
    ...[
      'out/main/index.js.map',
      'out/.env',
      'out/main/update-key.pem',
      'test/app/main.test.ts',
      'main/index.ts',
      '.git/HEAD',
      'node_modules/vitest/package.json',
      'node_modules/better-sqlite3/prebuilds/linux-x64.node',
      'node_modules/@napi-rs/keyring-linux-x64-gnu/package.json',
      'node_modules/@napi-rs/keyring/keytar.js',
    ].map((file): Defect => [
      `with ${file} in its archive`,
      pack([...neededInArchive, file]),
      new RegExp(`/${file}`),
    ]),
    ...licences.flatMap((file): Defect[] => [
      [`without ${file}`, remove(file), new RegExp(`^${file} is missing or empty`)],
      [`with an empty ${file}`, () => write(file, ''), new RegExp(`^${file} is missing or empty`)],
    ]),
    ...neededInArchive.map((file): Defect => {
      const others = neededInArchive.filter(other => other !== file);
      return [`without ${file} in its archive`, pack(others), new RegExp(`^${file} is missing`)];
    }),
  ])('a package is refused %s', async (_, damage, problem) => {
    await damage();
    expect(problems()).toEqual([expect.stringMatching(problem)]);
  });

  test('a package is refused without its archive', () => {
    remove('app.asar')();
    expect(problems()).toHaveLength(neededInArchive.length);
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
