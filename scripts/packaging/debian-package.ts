import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as z from 'zod';
import { root } from '../../tools/build/steps.ts';

/** A package for Debian and its relatives, from a folder that looks like the file system. Needs `dpkg-deb`. */

const manifestSchema = z.object({
  version: z.string(),
  license: z.string(),
  homepage: z.string(),
  description: z.string(),
  author: z.object({ name: z.string(), email: z.string() }),
  dependencies: z.object({ 'better-sqlite3': z.string() }),
});
/** What package.json says. */
export const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

/** Debian's name and the packers' name of an architecture. */
export const architectures = { x64: 'amd64', arm64: 'arm64' } as const;
export type Architecture = keyof typeof architectures;

const maintainer = `${manifest.author.name} <${manifest.author.email}>`;
/** A version before a release is less than the release. */
const debianVersion = manifest.version.replace('-', '~');

/** Writes a file with its folders; `mode` does not depend on this process. */
export const writeFile = (file: string, content: string | Buffer, mode = 0o644): void => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  chmodSync(file, mode);
};

/** Without the time of compression, so that the same content gives the same bytes. */
export const compressed = (text: string): Buffer => gzipSync(text, { level: 9 });

const entriesIn = (folder: string) => readdirSync(folder, { recursive: true, withFileTypes: true });

/** Folders for all, files for all to read; a program stays one. */
const setModes = (tree: string): void => {
  for (const entry of entriesIn(tree)) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) chmodSync(path, 0o755);
    else if (entry.isFile() && (statSync(path).mode & 0o4000) === 0)
      chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
};

type Control = {
  name: string;
  architecture: Architecture;
  section: string;
  depends: string;
  recommends?: string;
  summary: string;
  description: string;
};

/** `none`: for tests, which only unpack it. */
export type Compression = 'none' | 'gzip' | 'xz';

/** Writes `NAME_VERSION_ARCHITECTURE.deb` from a tree, which is removed; returns its path. */
export const writeDebianPackage = (
  folder: string,
  tree: string,
  control: Control,
  compression: Compression,
): string => {
  const { name, architecture, section, depends, recommends, summary, description } = control;
  const date = new Date(Number(process.env['SOURCE_DATE_EPOCH'] ?? Date.now() / 1000) * 1000).toUTCString();
  const changes = `${name} (${debianVersion}) stable; urgency=medium\n\n  * See ${manifest.homepage}.\n\n -- ${maintainer}  ${date.replace('GMT', '+0000')}\n`;
  writeFile(join(tree, 'usr/share/doc', name, 'changelog.gz'), compressed(changes));
  setModes(tree);
  const files = entriesIn(tree)
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .filter(file => !relative(tree, file).startsWith('DEBIAN'));
  const sums = files.map(
    file => `${createHash('md5').update(readFileSync(file)).digest('hex')}  ${relative(tree, file)}\n`,
  );
  writeFile(join(tree, 'DEBIAN/md5sums'), sums.join(''));
  const size = Math.ceil(files.reduce((sum, file) => sum + statSync(file).size, 0) / 1024);
  writeFile(
    join(tree, 'DEBIAN/control'),
    [
      `Package: ${name}`,
      `Version: ${debianVersion}`,
      `Architecture: ${architectures[architecture]}`,
      `Maintainer: ${maintainer}`,
      `Installed-Size: ${String(size)}`,
      `Depends: ${depends}`,
      ...(recommends === undefined ? [] : [`Recommends: ${recommends}`]),
      `Section: ${section}`,
      'Priority: optional',
      `Homepage: ${manifest.homepage}`,
      `Description: ${summary}`,
      ...description
        .replace(/.{1,76}(?:\s|$)/g, ' $&\n')
        .trimEnd()
        .split(/\s*\n/),
      '',
    ].join('\n'),
  );
  const file = join(folder, `${name}_${debianVersion}_${architectures[architecture]}.deb`);
  execFileSync('dpkg-deb', [`-Z${compression}`, '--build', '--root-owner-group', tree, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  rmSync(tree, { recursive: true, force: true });
  return file;
};
