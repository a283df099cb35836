import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
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
  for (const [path, { version, dependencies = {} }] of Object.entries(lock.packages)) {
    if (path === '' || version === undefined) continue;
    const needed = Object.keys(dependencies).flatMap(name => {
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
  return /^\d+$/.test(seconds) ? new Date(Number(seconds) * 1_000).toISOString() : null;
};

const npmUrl = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** Old packages have names that are not in the list of SPDX, such as MIT/X11. */
const licenseOf = (identifier: string): License => {
  if (identifier.includes('/')) return { license: { name: identifier } };
  return /[\s()]/.test(identifier) ? { expression: identifier } : { license: { id: identifier } };
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
): Component => ({
  type,
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
  return embedded('library', 'SQLite', version, ['sqlite', 'sqlite'], { license: { id: 'blessing' } });
};

/** Electron, with the browser and the Node that it contains. */
const runtimeComponents = (): Component[] => {
  const { electron, chromium, node } = runtimeVersions;
  const electronComponent: Component = {
    ...embedded('framework', 'electron', electron, ['electronjs', 'electron'], { license: { id: 'MIT' } }),
    'bom-ref': npmUrl('electron', electron),
    purl: npmUrl('electron', electron),
  };
  return [
    electronComponent,
    embedded('framework', 'Chromium', chromium, ['google', 'chrome'], { license: { id: 'BSD-3-Clause' } }),
    embedded('platform', 'Node.js', node, ['nodejs', 'node.js'], { license: { id: 'MIT' } }),
  ];
};

/** The Rust packages of the keychain's native module, from the table in its list of licences. */
const cratesIn = (notices: string): Component[] =>
  [...notices.matchAll(/^\| ([\w-]+) \| (\d[\w.+-]*) \| (.+?) \|$/gm)].map(
    ([, name = '', version = '', license = '']) => ({
      type: 'library',
      'bom-ref': `pkg:cargo/${name}@${version}`,
      name,
      version,
      purl: `pkg:cargo/${name}@${version}`,
      licenses: [licenseOf(license)],
    }),
  );

const nativeFile = (file: string): Component => {
  const content = createHash('sha256').update(readFileSync(file)).digest('hex');
  return {
    type: 'file',
    'bom-ref': `sha256:${content}`,
    name: basename(file),
    hashes: [{ alg: 'SHA-256', content }],
    // Windows and macOS sign it afterwards, which changes the file.
    properties: [{ name: 'counterfoil:hash', value: 'before signing' }],
  };
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
  hasElectron: boolean;
};

/** What a package consists of: bundled packages, native modules with their parts, and Electron with its parts. */
export const billOfMaterials = ({
  name,
  version,
  packages,
  binaries,
  crates = '',
  hasElectron,
}: Contents): string => {
  const lock = readLock();
  const hashes = registryHashes(lock);
  const components = [
    ...packages.map(each => packageComponent(each, hashes)),
    sqliteComponent(),
    ...(hasElectron ? runtimeComponents() : []),
    ...cratesIn(crates),
    ...binaries.map(nativeFile),
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
  const references = new Set(components.map(each => each['bom-ref']));
  const dependencies = components.flatMap(each => {
    const dependsOn = (edges.get(each['bom-ref']) ?? []).filter(one => references.has(one)).toSorted();
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
