import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { root } from '../../tools/build/steps.ts';

/**
 * The draft of a release: `node scripts/packaging/draft.ts mark TARGET` writes beside a target's packages how they were
 * made; `node scripts/packaging/draft.ts gather DOWNLOADED PACKAGES NOTES` gathers the packages of all targets, and
 * refuses anything but exactly these files.
 */

const processors = ['x64', 'arm64'] as const;
const systems = ['win', 'mac', 'linux'] as const;
const debian = { x64: 'amd64', arm64: 'arm64' } as const;
const appImage = { x64: 'x86_64', arm64: 'arm64' } as const;

/** The names of everything that a release consists of. */
export const releaseFiles = (version: string): string[] => [
  ...processors.flatMap(processor => [
    `counterfoil-${version}-win-${processor}.exe`,
    `counterfoil-${version}-mac-${processor}.dmg`,
    `counterfoil-${version}-mac-${processor}.zip`,
    `counterfoil-${version}-linux-${appImage[processor]}.AppImage`,
    `counterfoil_${version}_${debian[processor]}.deb`,
    `counterfoil-intake_${version}_${debian[processor]}.deb`,
    ...systems.flatMap(system => [
      `counterfoil-${version}-${system}-${processor}.cdx.json`,
      `packed-${system}-${processor}.yml`,
    ]),
  ]),
  `counterfoil-intake-${version}.tgz`,
  `counterfoil-intake-${version}.cdx.json`,
];

const markSchema = z.object({ target: z.string(), isSigned: z.boolean(), hasUpdateKey: z.boolean() });
type Mark = z.infer<typeof markSchema>;

/** How packages were made, from the environment of their job. Packages for Linux are not signed. */
export const markOf = (target: string, environment: NodeJS.ProcessEnv): Mark => ({
  target,
  isSigned:
    target.startsWith('linux') || [environment['SIGNS_WINDOWS'], environment['SIGNS_MAC']].includes('true'),
  hasUpdateKey: (environment['COUNTERFOIL_UPDATE_KEYS'] ?? '').trim() !== '',
});

/** What a person must know before the draft is published. `contact`: the address for reports of vulnerabilities. */
export const notesOf = (marks: readonly Mark[], contact: string): string => {
  const name = (ones: readonly Mark[]): string => ones.map(({ target }) => target).join(', ');
  const unsigned = marks.filter(({ isSigned }) => !isSigned);
  const keyless = marks.filter(({ hasUpdateKey }) => !hasUpdateKey);
  return [
    ...(unsigned.length > 0 ? [`**Not signed**: ${name(unsigned)}. Windows and macOS warn of them.`] : []),
    ...(keyless.length > 0
      ? [`**Without an update key**: ${name(keyless)}. They never update themselves.`]
      : []),
    ...(/\.(?:example|test|invalid|localhost)$|@example\./.test(contact)
      ? [`**No mail reaches ${contact}**: write an address into package.json and SECURITY.md.`]
      : []),
    'See CHANGELOG.md.',
    '',
  ].join('\n\n');
};

const manifestSchema = z.object({ version: z.string(), author: z.object({ email: z.string() }) });
type Manifest = z.infer<typeof manifestSchema>;

/** Moves the packages of all targets into one folder, with their hashes; returns the notes. Throws if they are not exact. */
export const gather = (downloaded: string, packages: string, { version, author }: Manifest): string => {
  mkdirSync(packages, { recursive: true });
  const marks: Mark[] = [];
  const found: string[] = [];
  for (const entry of readdirSync(downloaded, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    if (entry.name.startsWith('mark-')) {
      marks.push(markSchema.parse(JSON.parse(readFileSync(path, 'utf8'))));
      continue;
    }
    // Both processors write a channel file of the same name. None is offered yet: a person signs them.
    const target = basename(entry.parentPath).replace('packages-', '');
    const name = entry.name.startsWith('latest') ? `packed-${target}.yml` : entry.name;
    if (found.includes(name)) throw new Error(`Two packages are called ${name}.`);
    found.push(name);
    renameSync(path, join(packages, name));
  }
  const wanted = releaseFiles(version);
  const missing = wanted.filter(name => !found.includes(name));
  const unknown = found.filter(name => !wanted.includes(name));
  if (missing.length + unknown.length > 0)
    throw new Error(
      `Missing: ${missing.join(', ') || 'none'}. Not part of a release: ${unknown.join(', ') || 'none'}.`,
    );
  if (marks.length !== systems.length * processors.length)
    throw new Error('A target does not say how it was made.');
  const hashes = wanted.toSorted().map(
    name =>
      `${createHash('sha256')
        .update(readFileSync(join(packages, name)))
        .digest('hex')}  ${name}\n`,
  );
  writeFileSync(join(packages, 'SHA256SUMS'), hashes.join(''));
  return notesOf(
    marks.toSorted((one, other) => (one.target < other.target ? -1 : 1)),
    author.email,
  );
};

const [command, first = '', second = '', third = ''] = process.argv.slice(2);
if (process.argv[1] === import.meta.filename) {
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  if (command === 'mark' && first !== '')
    writeFileSync(join(root, 'dist', `mark-${first}.json`), JSON.stringify(markOf(first, process.env)));
  else if (command === 'gather' && third !== '') writeFileSync(third, gather(first, second, manifest));
  else {
    console.error('draft.ts mark TARGET\ndraft.ts gather DOWNLOADED PACKAGES NOTES');
    process.exitCode = 2;
  }
}
