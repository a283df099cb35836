import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, join, posix, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { extractFile, listPackage, statFile, uncacheAll } from '@electron/asar';
import * as z from 'zod';
import { bundledPackages } from '../../tools/build/notices.ts';
import { cratesIn } from './bill-of-materials.ts';
import {
  foreignBeside,
  foreignInArchive,
  foreignInProgram,
  keychainOf,
  maxArchiveBytes,
} from './packed-files.ts';

/** What is wrong with a packed application: every part of it is compared with what it was made from. */

/** Everything below a folder but folders, as relative paths with slashes. */
export const filesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter(entry => !entry.isDirectory())
        .map(entry => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    : [];

/** The licences of what the keychain's native module was built from. */
export const keychainNotices = 'THIRD-PARTY-NOTICES-KEYCHAIN.md';

/** Licences beside the archive: our own, those of what is bundled, Electron's and Chromium's. */
export const licences: readonly string[] = [
  'LICENSE',
  'THIRD-PARTY-NOTICES.txt',
  keychainNotices,
  'LICENSE.electron.txt',
  'LICENSES.chromium.html',
];

/** The files of an archive by their paths; native modules are beside it. */
const readArchive = (archive: string): Map<string, Buffer> => {
  uncacheAll();
  const files = new Map<string, Buffer>();
  for (const listed of listPackage(archive, { isPack: false })) {
    const path = listed.replaceAll('\\', '/').slice(1);
    const entry = statFile(archive, path);
    if ('files' in entry) continue;
    const native = join(`${archive}.unpacked`, path);
    if (!path.endsWith('.node')) files.set(path, extractFile(archive, path));
    // One that is inside could not be loaded, and one that is not beside it is missing.
    else if ('unpacked' in entry && entry.unpacked && existsSync(native))
      files.set(path, readFileSync(native));
  }
  return files;
};

/** The files of the build and of the two native packages that are packed for a target, by their paths. */
const readSource = (source: string, target: string): Map<string, Buffer> => {
  const keychain = `node_modules/@napi-rs/keyring-${keychainOf(target)}`;
  const folders = [
    'out',
    'assets/tray',
    'node_modules/better-sqlite3',
    'node_modules/@napi-rs/keyring',
    keychain,
  ];
  const paths = folders.flatMap(folder => filesIn(join(source, folder)).map(file => `${folder}/${file}`));
  const foreign = new Set(foreignInArchive(paths, target));
  const packed = ['package.json', ...paths.filter(path => !foreign.has(path))];
  return new Map(packed.map(path => [path, readFileSync(join(source, path))]));
};

const recordSchema = z.record(
  z.string(),
  z.object({ integrity: z.string(), files: z.record(z.string(), z.string()) }),
);
const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ integrity: z.string().optional() })),
});

/** Where the hashes of native modules are; docs/build/releasing.md says how they are renewed. */
export const recordFile = 'scripts/packaging/native-modules.json';

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

/** Hashes of the native modules, by their paths, from the packages whose hashes are in the lockfile. */
export const nativeHashes = (source: string): Map<string, string> => {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(source, file), 'utf8'));
  const { packages } = lockSchema.parse(read('package-lock.json'));
  const hashes = new Map<string, string>();
  for (const [name, { integrity, files }] of Object.entries(recordSchema.parse(read(recordFile)))) {
    if (packages[`node_modules/${name}`]?.integrity !== integrity)
      throw new Error(`${recordFile} does not describe the ${name} of the lockfile.`);
    for (const [file, hash] of Object.entries(files)) hashes.set(`node_modules/${name}/${file}`, hash);
  }
  return hashes;
};

const nativeProblems = (packed: ReadonlyMap<string, Buffer>, target: string, source: string): string[] => {
  const keychain = keychainOf(target);
  const wanted = [
    `node_modules/better-sqlite3/prebuilds/${target}.node`,
    `node_modules/@napi-rs/keyring-${keychain}/keyring.${keychain}.node`,
  ];
  const hashes = nativeHashes(source);
  return wanted.flatMap(path => {
    const content = packed.get(path);
    if (content === undefined)
      return [`${path} is missing. Install the packages for the target: npm ci --os=SYSTEM --cpu=PROCESSOR.`];
    return sha256(content) === hashes.get(path) ? [] : [`${path} is not the one of the lockfile.`];
  });
};

const objectOf = (content: Buffer): Record<string, unknown> => {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(content.toString('utf8')));
  } catch {
    return {};
  }
};

/** Whether a package.json is the original without what only its development needs. */
const isManifestOf = (packed: Buffer, original: Buffer): boolean => {
  const [one, other] = [objectOf(packed), objectOf(original)];
  const needed = ['name', 'version', 'main', 'type', 'dependencies'].filter(key => key in other);
  return (
    needed.every(key => key in one) &&
    Object.entries(one).every(([key, value]) => isDeepStrictEqual(value, other[key]))
  );
};

const contentProblems = (
  packed: ReadonlyMap<string, Buffer>,
  source: ReadonlyMap<string, Buffer>,
): string[] => {
  const unknown = [...packed.keys()].filter(path => !source.has(path));
  const problems = unknown.map(path => `${path} is not part of the build.`);
  for (const [path, original] of source) {
    const content = packed.get(path);
    if (content === undefined) problems.push(`${path} is missing.`);
    else if (posix.basename(path) === 'package.json') {
      if (!isManifestOf(content, original)) problems.push(`${path} is not what it was made from.`);
    } else if (!content.equals(original)) problems.push(`${path} is not what it was made from.`);
  }
  return problems;
};

/** What the runtime starts; everything else of the build is reached from there. */
const entries = ['out/main/index.js', 'out/preload/index.cjs', 'out/renderer/index.html'];

/** Relative imports, and what a page loads. */
const references =
  /(?:\bfrom|\bimport|\bimport\(|\brequire\()\s*["'`](\.{1,2}\/[^"'`]+)["'`]|\b(?:src|href)="(\.\/[^"]+)"/g;

/** A file without its comments, which name types of sources. A string with the marks of one is lost too: that is enough. */
const codeOf = (content: Buffer): string =>
  content
    .toString('utf8')
    .replaceAll(/\/\*(?!.*sourceMappingURL)[^]*?\*\//g, '')
    .replaceAll(/^\s*\/\/(?!# sourceMappingURL).*$/gm, '');

/** Every reference must resolve inside the archive, and every file of the build must be reached from an entry. */
const referenceProblems = (packed: ReadonlyMap<string, Buffer>): string[] => {
  const own = new Map(
    [...packed]
      .filter(([path]) => path.startsWith('out/'))
      .map(([path, content]) => [path, /\.(js|cjs|css|html)$/.test(path) ? codeOf(content) : '']),
  );
  const problems: string[] = [];
  for (const path of entries) if (!own.get(path)?.trim()) problems.push(`${path} is missing or empty.`);
  for (const [path, text] of own) {
    if (/sourceMappingURL=data:/.test(text)) problems.push(`${path} contains a source map.`);
    for (const [, imported, loaded] of text.matchAll(references)) {
      const named = imported ?? loaded ?? '';
      if (!own.has(posix.join(posix.dirname(path), named.replace(/[?#].*/, ''))))
        problems.push(`${path} needs ${named}, which is missing.`);
    }
  }
  const reached = new Set(entries);
  for (const path of reached)
    for (const other of own.keys())
      if (!reached.has(other) && own.get(path)?.includes(posix.basename(other))) reached.add(other);
  // The fonts of papers are named by their parts.
  const unreached = [...own.keys()].filter(
    path => !reached.has(path) && !path.startsWith('out/main/paper-fonts/'),
  );
  return [...problems, ...unreached.map(path => `${path} is used by nothing.`)];
};

/** The licences are those of the sources, and name everything that is packed. */
const licenceProblems = (folders: readonly string[], target: string, source: string): string[] => {
  const contentOf = (file: string): string => {
    const path = folders.map(folder => join(folder, file)).find(each => existsSync(each));
    return path === undefined ? '' : readFileSync(path, 'utf8');
  };
  const originals: Readonly<Record<string, string>> = {
    LICENSE: 'LICENSE',
    'THIRD-PARTY-NOTICES.txt': 'out/THIRD-PARTY-NOTICES.txt',
    [keychainNotices]: `node_modules/@napi-rs/keyring-${keychainOf(target)}/LICENSE.third-party.md`,
  };
  const problems = licences.flatMap(file => {
    const original = originals[file] === undefined ? null : join(source, originals[file]);
    if (contentOf(file).trim() === '') return [`${file} is missing or empty.`];
    const isSame =
      original === null || (existsSync(original) && contentOf(file) === readFileSync(original, 'utf8'));
    return isSame ? [] : [`${file} is not what it was made from.`];
  });
  const notices = contentOf('THIRD-PARTY-NOTICES.txt');
  const unnamed = bundledPackages(join(source, 'out')).filter(({ name }) => !notices.includes(`\n${name} `));
  if (unnamed.length > 0) problems.push(`No licence of ${unnamed.map(({ name }) => name).join(', ')}.`);
  if (cratesIn(contentOf(keychainNotices)).length === 0) problems.push(`${keychainNotices} names no crate.`);
  return problems;
};

type Packed = {
  /** The folder with the archive. */
  resources: string;
  /** The folder of the program; on macOS the one with Info.plist. */
  program: string;
  /** System and processor, such as `win32-x64`. */
  target: string;
  /** The project that was packed. */
  source: string;
};

/** The problems of a packed application; empty if there are none. */
export const packageProblems = ({ resources, program, target, source }: Packed): string[] => {
  const inside = `${relative(program, resources).replaceAll('\\', '/')}/`;
  const unpacked = filesIn(join(resources, 'app.asar.unpacked'));
  // Any of these could be run, or replaced without a trace; the runtime prefers a folder named app to the archive.
  const foreign = [
    ...unpacked.filter(file => !file.endsWith('.node') || foreignInArchive([file], target).length > 0),
    ...foreignBeside(
      filesIn(resources).filter(file => !file.startsWith('app.asar.unpacked/')),
      target,
    ),
    ...foreignInProgram(
      filesIn(program).filter(file => !file.startsWith(inside)),
      target,
    ),
  ];
  const problems =
    foreign.length > 0 ? [`Files outside the archive: ${foreign.slice(0, 20).join(', ')}.`] : [];
  const archive = join(resources, 'app.asar');
  if (!existsSync(archive)) return [...problems, `${basename(archive)} is missing.`];
  const size = statSync(archive).size;
  if (size > maxArchiveBytes) problems.push(`The archive has ${size} bytes, more than ${maxArchiveBytes}.`);
  const packed = readArchive(archive);
  const foreignPaths = foreignInArchive([...packed.keys()], target);
  if (foreignPaths.length > 0)
    problems.push(`Files that do not belong into the archive: ${foreignPaths.slice(0, 20).join(', ')}.`);
  problems.push(
    ...nativeProblems(packed, target, source),
    ...contentProblems(packed, readSource(source, target)),
    ...referenceProblems(packed),
    ...licenceProblems([resources, program], target, source),
  );
  return problems;
};
