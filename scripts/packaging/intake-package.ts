import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { root } from '../steps.ts';

/** The intake as an npm package and as a Debian package, from `out/intake`. */

const manifestSchema = z.object({
  version: z.string(),
  license: z.string(),
  homepage: z.string(),
  author: z.object({ name: z.string(), email: z.string() }),
  dependencies: z.object({ 'better-sqlite3': z.string() }),
});
const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

const name = 'counterfoil-intake';
const oldestNode = '22.19';
const summary = 'Receives payment callbacks around the clock, without a window';

const write = (file: string, text: string, mode = 0o644): void => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
};

/** The bundles without source maps, the licence and the notices. */
const copyProgram = (folder: string): void => {
  const built = join(root, 'out', 'intake');
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(built))
    if (!/\.map$|\.json$/.test(file)) cpSync(join(built, file), join(folder, file));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
};

/** Writes the npm package's folder, which is also the context of the container image. */
export const writeNpmPackage = (folder: string): void => {
  rmSync(folder, { recursive: true, force: true });
  copyProgram(folder);
  for (const file of ['Dockerfile', 'intake.example.json', 'counterfoil-intake.service'])
    cpSync(join(root, 'assets', 'intake', file), join(folder, file));
  write(join(folder, `${name}.js`), "#!/usr/bin/env node\nimport './index.js';\n", 0o755);
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
  write(join(folder, 'package.json'), `${JSON.stringify(content, null, 2)}\n`);
};

/** Debian's name and SQLite's name of an architecture. */
const architectures = {
  x64: { debian: 'amd64', native: 'linux-x64' },
  arm64: { debian: 'arm64', native: 'linux-arm64' },
} as const;
export type Architecture = keyof typeof architectures;

/** SQLite's module with the binary of one architecture. */
const copySqlite = (folder: string, native: string): void => {
  const source = join(root, 'node_modules', 'better-sqlite3');
  for (const path of ['package.json', 'LICENSE', 'lib', `prebuilds/${native}.node`])
    cpSync(join(source, path), join(folder, path), { recursive: true });
};

/** Writes `counterfoil-intake_VERSION_ARCHITECTURE.deb` into a folder; returns its path. Needs `dpkg-deb`. */
export const writeDebianPackage = (folder: string, architecture: Architecture): string => {
  const { debian, native } = architectures[architecture];
  const tree = join(folder, `deb-${debian}`);
  rmSync(tree, { recursive: true, force: true });
  const program = join(tree, 'usr', 'lib', name);
  const documents = join(tree, 'usr', 'share', 'doc', name);
  copyProgram(program);
  copySqlite(join(program, 'node_modules', 'better-sqlite3'), native);
  write(join(program, 'package.json'), '{ "type": "module" }\n');
  write(join(tree, 'usr', 'bin', name), `#!/bin/sh\nexec node /usr/lib/${name}/index.js "$@"\n`, 0o755);
  mkdirSync(documents, { recursive: true });
  cpSync(join(root, 'assets', 'intake', 'intake.example.json'), join(documents, 'intake.example.json'));
  cpSync(join(root, 'LICENSE'), join(documents, 'copyright'));
  const unit = readFileSync(join(root, 'assets', 'intake', `${name}.service`), 'utf8');
  write(join(tree, 'lib', 'systemd', 'system', `${name}.service`), unit);
  write(
    join(tree, 'DEBIAN', 'control'),
    [
      `Package: ${name}`,
      `Version: ${manifest.version}`,
      `Architecture: ${debian}`,
      `Maintainer: ${manifest.author.name} <${manifest.author.email}>`,
      `Depends: nodejs (>= ${oldestNode})`,
      'Section: net',
      'Priority: optional',
      `Homepage: ${manifest.homepage}`,
      `Description: ${summary}`,
      '',
    ].join('\n'),
  );
  const reload =
    '#!/bin/sh\nset -e\nif [ -d /run/systemd/system ]; then systemctl daemon-reload || true; fi\n';
  for (const script of ['postinst', 'postrm']) write(join(tree, 'DEBIAN', script), reload, 0o755);
  const file = join(folder, `${name}_${manifest.version}_${debian}.deb`);
  execFileSync('dpkg-deb', ['-Zgzip', '--build', '--root-owner-group', tree, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  rmSync(tree, { recursive: true, force: true });
  return file;
};
