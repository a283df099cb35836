import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { Ajv } from 'ajv';
import { billOfMaterials } from '../../scripts/packaging/bill-of-materials.ts';
import { runtimeVersions } from '../../scripts/packaging/runtime-versions.ts';
import { root } from '../../tools/build/steps.ts';
import { bundledPackages } from '../../tools/build/notices.ts';
import { ensureBuilt } from '../../tools/build/build.ts';
import { electronVersion } from './offline-runtime.ts';

/** The bill of materials is what CycloneDX defines, and names what is really in a package. */

const library = join(root, 'node_modules/@cyclonedx/cyclonedx-library/res/schema');
const schemaOf = (name: string) =>
  JSON.parse(readFileSync(join(library, `${name}.SNAPSHOT.schema.json`), 'utf8')) as object;

beforeAll(async () => {
  await ensureBuilt();
}, 60_000);

const binary = join(root, 'node_modules/better-sqlite3/prebuilds/linux-x64.node');
// The one of this machine.
const keychain = `node_modules/@napi-rs/${readdirSync(join(root, 'node_modules/@napi-rs')).find(name => name.startsWith('keyring-')) ?? ''}`;
const makeBill = (target = 'linux-x64') =>
  billOfMaterials({
    name: 'counterfoil',
    version: '0.1.0',
    packages: bundledPackages(join(root, 'out')),
    binaries: [binary],
    crates: readFileSync(join(root, keychain, 'LICENSE.third-party.md'), 'utf8'),
    target,
    native: [keychain.replace('node_modules/', '')],
  });

test('the bill of materials is valid CycloneDX 1.6', () => {
  const schemas = new Ajv({ strict: false, allErrors: true });
  // The bill has no values of these formats: its only times and addresses would be in the parts that it leaves out.
  for (const format of ['date-time', 'uri', 'idn-email', 'iri-reference']) schemas.addFormat(format, true);
  for (const name of ['spdx', 'jsf-0.82'])
    schemas.addSchema(schemaOf(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  const validate = schemas.compile(schemaOf('bom-1.6'));
  validate(JSON.parse(makeBill()));
  expect(validate.errors ?? []).toEqual([]);
});

test('the bill of materials says when, by what and by whom it was made, and what needs what', () => {
  const { metadata, dependencies, components } = JSON.parse(makeBill()) as {
    metadata: { timestamp?: string; supplier: { name: string }; tools: { components: unknown[] } };
    dependencies: { ref: string; dependsOn: string[] }[];
    components: {
      'bom-ref': string;
      name: string;
      type: string;
      supplier?: unknown;
      externalReferences?: { hashes: { content: string }[] }[];
      properties?: { value: string }[];
    }[];
  };
  expect(metadata).toMatchObject({ supplier: { name: 'Counterfoil contributors' } });
  expect(metadata.timestamp).toMatch(/^\d{4}-\d\d-\d\dT/);
  expect(metadata.tools.components).toHaveLength(1);
  const of = (name: string) =>
    dependencies.find(({ ref }) => ref.startsWith(`pkg:npm/${name}@`))?.dependsOn ?? [];
  expect(of('pg').map(ref => ref.replace(/@[^@]*$/, ''))).toContain('pkg:npm/pg-types');
  const reached = new Set(dependencies.flatMap(({ dependsOn }) => dependsOn));
  expect(components.map(each => each['bom-ref']).filter(ref => !reached.has(ref))).toEqual([]);
  // Signing changes a native module afterwards.
  expect(components.flatMap(each => each.properties ?? [])).toEqual([]);
  expect(makeBill('win32-x64')).toContain('"before signing"');
  const parts = (ref: string): string[] =>
    dependencies.find(one => one.ref.startsWith(ref))?.dependsOn.map(one => one.replace(/[@:][^@]*$/, '')) ??
    [];
  expect(parts('pkg:npm/electron@')).toEqual(['pkg:generic/chromium', 'pkg:generic/node.js']);
  expect(parts('pkg:npm/better-sqlite3@')).toEqual(expect.arrayContaining(['pkg:generic/sqlite', 'sha256']));
  expect(parts('pkg:npm/%40napi-rs/keyring-')).toContain('pkg:cargo/anyhow');
  expect(parts('pkg:npm/%40napi-rs/keyring@')).toContainEqual(expect.stringMatching('keyring-'));
  // A file is supplied with its package.
  expect(
    components.filter(one => one.supplier === undefined && one.type !== 'file').map(one => one['bom-ref']),
  ).toEqual([]);
  const electron = components.find(({ name }) => name === 'electron');
  expect(electron?.externalReferences?.[0]?.hashes[0]?.content).toMatch(/^[0-9a-f]{64}$/);
});

type Bill = { components: { name: string; purl?: string; hashes?: unknown[] }[] };

test('the bill of materials names every bundled package with its hash, the native modules, SQLite and the parts of Electron', () => {
  const { components } = JSON.parse(makeBill()) as Bill;
  const names = components.map(({ name }) => name);
  const npm = ['react', 'undici', 'pg', '@napi-rs/keyring', 'better-sqlite3'];
  const native = ['linux-x64.node', 'SQLite', 'anyhow'];
  const others = ['electron', 'Chromium', 'Node.js', '@fontsource-variable/inter'];
  for (const name of [...npm, ...native, ...others]) expect(names).toContain(name);
  // A Rust package of the same name has no hash.
  const packages = bundledPackages(join(root, 'out')).map(({ name, version }) => `${name}@${version}`);
  const hashed = components.filter(
    ({ purl, hashes }) => purl?.startsWith('pkg:npm/') && hashes?.length === 1,
  );
  const named = hashed.map(({ purl = '' }) => purl.slice('pkg:npm/'.length).replace('%40', '@'));
  expect(packages.filter(each => !named.includes(each))).toEqual([]);
});

test('no package is in a bundle without being listed', () => {
  const listed = new Set(bundledPackages(join(root, 'out')).map(({ name }) => name));
  const folder = join(root, 'out/main');
  const bundled = new Set(
    readdirSync(folder)
      .filter(file => file.endsWith('.map'))
      .flatMap(
        file => (JSON.parse(readFileSync(join(folder, file), 'utf8')) as { sources: string[] }).sources,
      )
      .flatMap(source => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []),
  );
  expect([...bundled]).toContain('undici');
  expect([...bundled].filter(name => !listed.has(name))).toEqual([]);
});

test('the versions inside Electron are recorded for the Electron that is packed', () =>
  expect(runtimeVersions.electron).toBe(electronVersion(root)));
