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

describe('a package is refused', () => {
  test('a package is refused only with a defect', () => expect(problems()).toEqual([]));

  test.each([
    ['the keychain', keyring, 'keyring'],
    ['SQLite', sqlite, 'better-sqlite3'],
  ])('a package is refused without the native module of %s', (_, file, module) => {
    rmSync(join(resources, file));
    expect(problems()).toEqual([expect.stringMatching(`needs one binary of ${module} .* has: none`)]);
  });

  test.each([
    ['the keychain', keyring],
    ['SQLite', sqlite],
  ])('a package is refused with the native module of %s for another processor', (_, file) => {
    write(file, windowsProgram('arm64'));
    expect(problems()).toEqual([expect.stringContaining('has: win32-arm64')]);
  });

  test('a package is refused with a second native module for the same purpose', () => {
    write(sqlite.replace('x64', 'arm64'), windowsProgram('arm64'));
    expect(problems()).toEqual([expect.stringContaining('has: win32-arm64, win32-x64')]);
  });

  test('a package is refused with a native module that it does not know', () => {
    write(`${modules}/other/other.node`, windowsProgram('x64'));
    expect(problems()).toEqual([expect.stringContaining('Unknown native modules:')]);
  });

  test.each(['app.asar.unpacked/index.js', 'app/package.json', 'default_app.asar', 'extra.mjs'])(
    'a package is refused with %s, which could be run instead of the archive',
    file => {
      write(file);
      expect(problems()).toEqual([expect.stringContaining('Files outside the archive:')]);
    },
  );

  test.each(['helper.exe', 'evil.so', 'run.py', 'other.lproj/locale.pak'])(
    'a package is refused with %s beside its archive',
    file => {
      write(file);
      expect(problems()).toEqual([`Files outside the archive: ${file}.`]);
    },
  );

  test.each([
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
  ])('a package is refused with %s in its archive', async file => {
    await archive([...neededInArchive, file]);
    expect(problems()).toEqual([expect.stringContaining(`/${file}`)]);
  });

  test.each(licences)('a package is refused without %s, or with an empty one', file => {
    write(file, '');
    expect(problems()).toEqual([`${file} is missing or empty.`]);
    rmSync(join(resources, file));
    expect(problems()).toEqual([`${file} is missing or empty.`]);
  });

  test.each(neededInArchive)('a package is refused without %s in its archive', async missing => {
    await archive(neededInArchive.filter(file => file !== missing));
    expect(problems()).toEqual([`${missing} is missing.`]);
  });

  test('a package is refused without its archive', () => {
    rmSync(join(resources, 'app.asar'));
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

  test('a runtime is refused only if its fuses are not those that are decided', async () => {
    await expect(withFuses('0'.repeat(9))).resolves.toBeUndefined();
  });

  test('a runtime is refused with a fuse that has no value here', async () => {
    await expect(withFuses('0'.repeat(10))).rejects.toThrow('strictlyRequireAllFuses');
  });

  test('a runtime is refused without a fuse that has a value here', async () => {
    await expect(withFuses('0'.repeat(8))).rejects.toThrow('no longer has the fuses WasmTrapHandlers');
  });

  test('a runtime is refused with a fuse that was removed', async () => {
    await expect(withFuses('00000r000')).rejects.toThrow('no longer has the fuses OnlyLoadAppFromAsar');
  });
});
