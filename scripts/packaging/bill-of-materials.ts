import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import * as z from 'zod';
import { root } from '../../tools/build/steps.ts';
import type { BundledPackage } from '../../tools/build/notices.ts';
import { runtimeVersions } from './runtime-versions.ts';

/** The bill of materials of a package: CycloneDX 1.6, as JSON. */

type Hash = { alg: 'SHA-256' | 'SHA-512'; content: string };
type License = { expression: string } | { license: { id: string } | { name: string } };
type Component = {
  type: 'application' | 'framework' | 'library' | 'platform' | 'file';
  'bom-ref': string;
  name: string;
  version?: string;
  purl?: string;
  cpe?: string;
  hashes?: Hash[];
  licenses?: License[];
  components?: Component[];
  supplier?: { name: string };
  externalReferences?: { type: 'distribution'; url: string; hashes: Hash[] }[];
  properties?: { name: string; value: string }[];
};

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      name: z.string().optional(),
      version: z.string().optional(),
      integrity: z.string().optional(),
      dependencies: z.record(z.string(), z.string()).optional(),
      optionalDependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
});

const readLock = () => lockSchema.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
type Lock = ReturnType<typeof readLock>;

/** Hashes of the packages as they came from the registry, by name and version. */
const registryHashes = (lock: Lock): Map<string, Hash> => {
  const hashes = new Map<string, Hash>();
  for (const [path, { name: aliased, version, integrity }] of Object.entries(lock.packages)) {
    const name = aliased ?? path.split('node_modules/').at(-1);
    const encoded = /sha512-(\S+)/.exec(integrity ?? '')?.[1];
    if (name && version && encoded)
      hashes.set(`${name}@${version}`, {
        alg: 'SHA-512',
        content: Buffer.from(encoded, 'base64').toString('hex'),
      });
  }
  return hashes;
};

/** What each package of npm needs, by the lockfile: URLs of packages by the URL of the one that needs them. */
const npmEdges = (lock: Lock): Map<string, string[]> => {
  const nameOf = (path: string): string =>
    lock.packages[path]?.name ?? path.split('node_modules/').at(-1) ?? path;
  const edges = new Map<string, string[]>();
  for (const [path, { version, dependencies = {}, optionalDependencies = {} }] of Object.entries(
    lock.packages,
  )) {
    if (path === '' || version === undefined) continue;
    const needed = Object.keys({ ...dependencies, ...optionalDependencies }).flatMap(name => {
      // The nearest folder above that has the package, as Node looks for it.
      for (let from = path; ; from = from.slice(0, Math.max(0, from.lastIndexOf('node_modules/') - 1))) {
        const at = from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`;
        const found = lock.packages[at]?.version;
        if (found !== undefined) return [npmUrl(nameOf(at), found)];
        if (from === '') return [];
      }
    });
    edges.set(npmUrl(nameOf(path), version), needed);
  }
  return edges;
};

/** The time of the commit that is packed, so that the same commit has the same bill; null outside a checkout. */
const commitTime = (): string | null => {
  const asked = process.env['SOURCE_DATE_EPOCH'];
  const { status, stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
  const seconds = asked ?? (status === 0 ? stdout.trim() : '');
  if (seconds === '')
    console.warn('The bill of materials has no time: set SOURCE_DATE_EPOCH outside of git.');
  return /^\d+$/.test(seconds) ? new Date(Number(seconds) * 1_000).toISOString() : null;
};

const npmUrl = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** Old packages have names that are not in the list of SPDX, such as MIT/X11. */
const licenseOf = (identifier: string): License => {
  if (identifier.includes('/')) return { license: { name: identifier } };
  return /[\s()]/.test(identifier) ? { expression: identifier } : { license: { id: identifier } };
};

const personSchema = z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]);
const authorSchema = z.object({
  author: personSchema.optional(),
  repository: z.union([z.string(), z.object({ url: z.string() }).transform(({ url }) => url)]).optional(),
});

/** Who supplies a package of npm: its author, or the owner of its repository. */
const npmSupplier = (name: string): { supplier?: { name: string } } => {
  const file = join(root, 'node_modules', name, 'package.json');
  // The native package of another target.
  if (!existsSync(file)) return {};
  const { author, repository } = authorSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const owner = /(?:github\.com[/:]|^github:|^)([\w-]+)\/[\w.-]+$/.exec(repository ?? '')?.[1];
  const found = author?.replace(/\s*[<(].*$/, '') || owner || /^@([^/]+)/.exec(name)?.[1];
  return found ? { supplier: { name: found } } : {};
};

const packageComponent = (
  { name, version, identifier }: BundledPackage,
  hashes: ReadonlyMap<string, Hash>,
): Component => {
  const hash = hashes.get(`${name}@${version}`);
  return {
    type: 'library',
    'bom-ref': npmUrl(name, version),
    name,
    version,
    purl: npmUrl(name, version),
    ...npmSupplier(name),
    ...(hash === undefined ? {} : { hashes: [hash] }),
    ...(identifier === undefined ? {} : { licenses: [licenseOf(identifier)] }),
  };
};

/** A part that came inside another one. `vendor` and `product` are its names in lists of vulnerabilities. */
const embedded = (
  type: Component['type'],
  name: string,
  version: string,
  [vendor, product]: readonly [vendor: string, product: string],
  license: License,
  supplierName: string,
): Component => ({
  type,
  supplier: { name: supplierName },
  'bom-ref': `pkg:generic/${name.toLowerCase()}@${version}`,
  name,
  version,
  purl: `pkg:generic/${name.toLowerCase()}@${version}`,
  cpe: `cpe:2.3:a:${vendor}:${product}:${version}:*:*:*:*:*:*:*`,
  licenses: [license],
});

/** The SQLite inside its native module. Every system's module is built from the same source. */
const sqliteComponent = (): Component => {
  const database = new Database(':memory:');
  const version = z.string().parse(database.prepare('SELECT sqlite_version()').pluck().get());
  database.close();
  return embedded(
    'library',
    'SQLite',
    version,
    ['sqlite', 'sqlite'],
    { license: { id: 'blessing' } },
    'SQLite',
  );
};

/** Electron for a target, with the browser and the Node that it contains. */
const runtimeComponents = (target: string): Component[] => {
  const { electron, chromium, node } = runtimeVersions;
  const mit = { license: { id: 'MIT' } };
  const archive = `electron-v${electron}-${target}.zip`;
  const sums = z.record(z.string(), z.string());
  const content = sums.parse(
    JSON.parse(readFileSync(join(root, 'node_modules/electron/checksums.json'), 'utf8')),
  )[archive];
  const url = `https://github.com/electron/electron/releases/download/v${electron}/${archive}`;
  const electronComponent: Component = {
    ...embedded('framework', 'electron', electron, ['electronjs', 'electron'], mit, 'OpenJS Foundation'),
    'bom-ref': npmUrl('electron', electron),
    purl: npmUrl('electron', electron),
    ...(content === undefined
      ? {}
      : { externalReferences: [{ type: 'distribution', url, hashes: [{ alg: 'SHA-256', content }] }] }),
  };
  const bsd = { license: { id: 'BSD-3-Clause' } };
  return [
    electronComponent,
    embedded('framework', 'Chromium', chromium, ['google', 'chrome'], bsd, 'The Chromium Authors'),
    embedded('platform', 'Node.js', node, ['nodejs', 'node.js'], mit, 'OpenJS Foundation'),
  ];
};

/** The Rust packages of the keychain's native module, from the table in its list of licences. */
export const cratesIn = (notices: string): Component[] =>
  [...notices.matchAll(/^\| ([\w-]+) \| (\d[\w.+-]*) \| (.+?) \|$/gm)].map(
    ([, name = '', version = '', license = '']) => ({
      type: 'library',
      'bom-ref': `pkg:cargo/${name}@${version}`,
      name,
      version,
      purl: `pkg:cargo/${name}@${version}`,
      supplier: { name: 'crates.io' },
      licenses: [licenseOf(license)],
    }),
  );

const nativeFile = (file: string, isSigned: boolean): Component => {
  const content = createHash('sha256').update(readFileSync(file)).digest('hex');
  return {
    type: 'file',
    'bom-ref': `sha256:${content}`,
    name: basename(file),
    hashes: [{ alg: 'SHA-256', content }],
    // Windows and macOS sign it afterwards, which changes the file.
    ...(isSigned ? { properties: [{ name: 'counterfoil:hash', value: 'before signing' }] } : {}),
  };
};

/** What contains what: the native packages their files and sources, Electron its parts. */
const containedIn = (components: readonly Component[]): Map<string, string[]> => {
  const refs = (pattern: RegExp): string[] =>
    components.filter(one => pattern.test(one.purl ?? one.name)).map(one => one['bom-ref']);
  const [keychain] = refs(/^pkg:npm\/%40napi-rs\/keyring-/);
  return new Map(
    [
      [refs(/^pkg:npm\/electron@/)[0], refs(/^pkg:generic\/(chromium|node\.js)@/)],
      [refs(/^pkg:npm\/better-sqlite3@/)[0], refs(/^pkg:generic\/sqlite@|^(linux|win32|darwin)-\w+\.node$/)],
      [keychain, refs(/^pkg:cargo\/|^keyring\..*\.node$/)],
    ].flatMap(([one, parts]) =>
      typeof one === 'string' && Array.isArray(parts) ? [[one, parts] as const] : [],
    ),
  );
};

/** Who supplies the application. */
const supplier = { name: 'Counterfoil contributors' };

/** A UUID that the content decides, so that the same package has the same bill. */
const serialNumber = (content: string): string => {
  const digits = createHash('sha256').update(content).digest('hex');
  return `urn:uuid:${digits.slice(0, 8)}-${digits.slice(8, 12)}-5${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
};

type Contents = {
  name: string;
  version: string;
  packages: readonly BundledPackage[];
  /** Paths of the native modules. */
  binaries: readonly string[];
  /** The list of licences of the keychain's native module, if it is packed. */
  crates?: string;
  /** System and processor of the desktop application, such as `win32-x64`; null: the intake. */
  target: string | null;
  /** Packages of npm that are packed for their files alone. */
  native?: readonly string[];
};

/** What a package consists of: bundled packages, native modules with their parts, and Electron with its parts. */
export const billOfMaterials = ({
  name,
  version,
  packages,
  binaries,
  crates = '',
  target,
  native = [],
}: Contents): string => {
  const lock = readLock();
  const hashes = registryHashes(lock);
  const nativePackages = native.flatMap(each => {
    const found = lock.packages[`node_modules/${each}`]?.version;
    return found === undefined ? [] : [{ name: each, version: found, identifier: 'MIT' }];
  });
  const isSigned = target !== null && !target.startsWith('linux');
  const components = [
    ...[...packages, ...nativePackages].map(each => packageComponent(each, hashes)),
    sqliteComponent(),
    ...(target === null ? [] : runtimeComponents(target)),
    ...cratesIn(crates),
    ...binaries.map(file => nativeFile(file, isSigned)),
  ].toSorted((one, other) => (one['bom-ref'] < other['bom-ref'] ? -1 : 1));
  const reference = `pkg:generic/${name}@${version}`;
  const application: Component = {
    type: 'application',
    'bom-ref': reference,
    name,
    version,
    purl: reference,
    licenses: [{ license: { id: 'Apache-2.0' } }],
    supplier,
  };
  const edges = npmEdges(lock);
  const contained = containedIn(components);
  const references = new Set(components.map(each => each['bom-ref']));
  const dependencies = components.flatMap(each => {
    const ref = each['bom-ref'];
    const all = [...(edges.get(ref) ?? []), ...(contained.get(ref) ?? [])];
    const dependsOn = all.filter(one => references.has(one)).toSorted();
    return dependsOn.length > 0 ? [{ ref: each['bom-ref'], dependsOn: [...new Set(dependsOn)] }] : [];
  });
  const needed = new Set(dependencies.flatMap(({ dependsOn }) => dependsOn));
  const direct = components.map(each => each['bom-ref']).filter(one => !needed.has(one));
  const timestamp = commitTime();
  return `${JSON.stringify(
    {
      $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      serialNumber: serialNumber(JSON.stringify([application, components])),
      version: 1,
      metadata: {
        ...(timestamp === null ? {} : { timestamp }),
        tools: { components: [{ type: 'application', name: 'counterfoil scripts/packaging', version }] },
        supplier,
        component: application,
      },
      components,
      dependencies: [{ ref: reference, dependsOn: direct }, ...dependencies],
    },
    null,
    2,
  )}\n`;
};
