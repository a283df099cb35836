import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { buildIntake } from '../../tools/build/build.ts';
import { signedCallbacks } from '../../scripts/load/callbacks.ts';
import { writeFile } from '../../scripts/packaging/debian-package.ts';
import { writeIntakePackage, writeNpmPackage } from '../../scripts/packaging/intake-package.ts';
import { root } from '../../tools/build/steps.ts';
import { newIntake } from '../../tools/intake-harness/new-intake.ts';
import { password } from '../../tools/intake-harness/running-intake.ts';

/** The packages of the intake: complete, and nothing else. */

let folder: string;
let npm: string;
beforeAll(async () => {
  folder = newFolder('package');
  npm = join(folder, 'package');
  expect(await buildIntake()).toBe(true);
  writeNpmPackage(npm);
}, 60_000);

const filesIn = (of: string): string[] =>
  readdirSync(of, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ name }) => name);

test('the npm package has a program, one dependency, the licences and what a container needs, and no module of others', () => {
  const manifest = JSON.parse(readFileSync(join(npm, 'package.json'), 'utf8')) as Record<string, unknown>;
  expect(manifest).toMatchObject({
    name: 'counterfoil-intake',
    bin: { 'counterfoil-intake': 'counterfoil-intake.js' },
  });
  expect(Object.keys(manifest['dependencies'] ?? {})).toEqual(['better-sqlite3']);
  expect(filesIn(npm)).toEqual(
    expect.arrayContaining(['counterfoil-intake.js', 'index.js', 'worker.js', 'Dockerfile', 'LICENSE']),
  );
  expect(filesIn(npm).filter(name => name.endsWith('.map'))).toEqual([]);
  const notices = readFileSync(join(npm, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  for (const name of ['pino', 'prom-client', 'pg', 'zod', 'better-sqlite3'])
    expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'));
  expect(notices).not.toMatch(/^(?:react|electron|@napi-rs\/keyring) /m);
  const [{ files }] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: npm, encoding: 'utf8' }),
  ) as [{ files: { path: string }[] }];
  expect(files.map(({ path }) => path).filter(path => path.startsWith('node_modules'))).toEqual([]);
});

test('the program of the intake loads nothing of the window’s requests when it starts', () => {
  const map = readFileSync(join(root, 'out/intake/index.js.map'), 'utf8');
  const { sources } = JSON.parse(map) as { sources: string[] };
  expect(sources.filter(source => source.includes('shared/contract/'))).toEqual([]);
});

test('the container image has everything that a running intake needs, without the registry', async () => {
  expect(readFileSync(join(npm, 'Dockerfile'), 'utf8')).not.toMatch(/^RUN.*npm/m);
  const running = await newIntake(undefined, join(npm, 'index.js')).start();
  expect(await running.post(signedCallbacks(password)())).toBe(200);
  expect(await running.end('SIGTERM')).toBe(0);
});

const canPack =
  process.platform === 'linux' &&
  spawnSync('dpkg-deb', ['--version']).error === undefined &&
  (process.arch === 'x64' || process.arch === 'arm64');

/** Packed once: it contains Node. */
let made: string | null = null;
const packed = (): string =>
  (made ??= writeIntakePackage(folder, process.arch === 'arm64' ? 'arm64' : 'x64', 'none'));

test.skipIf(!canPack)(
  'the Debian package contains everything that a running intake needs',
  async () => {
    const file = packed();
    const tree = join(folder, 'tree');
    execFileSync('dpkg-deb', ['-x', file, tree]);
    expect(existsSync(join(tree, 'lib/systemd/system/counterfoil-intake.service'))).toBe(true);
    const unit = readFileSync(join(tree, 'lib/systemd/system/counterfoil-intake.service'), 'utf8');
    const command = /^ExecStart=(\S+)/m.exec(unit)?.[1] ?? '';
    expect(existsSync(join(tree, command))).toBe(true);
    expect(filesIn(tree).filter(name => name.endsWith('.node'))).toHaveLength(1);
    // Debian 12 and 13 have an older Node: it brings its own.
    expect(execFileSync('dpkg-deb', ['-f', file, 'Depends'], { encoding: 'utf8' })).not.toContain('nodejs');
    const node = join(tree, 'usr/lib/counterfoil-intake/node');
    const program = readFileSync(join(tree, command), 'utf8').replaceAll('/usr/lib/', `${tree}/usr/lib/`);
    writeFileSync(join(folder, 'intake'), program, { mode: 0o755 });
    const started = spawnSync(join(folder, 'intake'), ['--version'], { encoding: 'utf8', env: {} });
    expect(started.stdout).toMatch(/^\d+\.\d+\.\d+/);
    expect(
      readFileSync(node).equals(readFileSync(join(root, `node_modules/node-linux-${process.arch}/bin/node`))),
    ).toBe(true);
    const running = await newIntake(undefined, join(tree, 'usr/lib/counterfoil-intake/index.js')).start();
    expect(await running.post(signedCallbacks(password)())).toBe(200);
    expect(await running.end('SIGTERM')).toBe(0);
  },
  120_000,
);

/** The calls of systemctl of one packed script, where systemd runs or not. */
const callsOf = (script: string, args: readonly string[], hasSystemd = true): string[] => {
  const place = mkdtempSync(join(folder, 'script-'));
  const recorded = join(place, 'calls');
  writeFileSync(recorded, '');
  writeFile(join(place, 'bin', 'systemctl'), `#!/bin/sh\necho "$*" >> '${recorded}'\n`, 0o755);
  const packed = readFileSync(join(folder, 'scripts', script), 'utf8');
  // Whether systemd runs is decided by this folder, which a container has not.
  const systemd = hasSystemd ? place : join(place, 'none');
  writeFile(join(place, script), packed.replaceAll('/run/systemd/system', systemd), 0o755);
  execFileSync(join(place, script), args, {
    env: { PATH: [join(place, 'bin'), process.env['PATH']].join(delimiter) },
  });
  return readFileSync(recorded, 'utf8')
    .split('\n')
    .filter(line => line !== '');
};

test.skipIf(!canPack)('an upgrade restarts a running service, and a removal stops it', () => {
  const file = packed();
  execFileSync('dpkg-deb', ['-e', file, join(folder, 'scripts')]);
  const service = 'counterfoil-intake.service';
  expect(callsOf('postinst', ['configure', ''])).toEqual(['daemon-reload']);
  expect(callsOf('postinst', ['configure', '0.1.0'])).toEqual(['daemon-reload', `try-restart ${service}`]);
  expect(callsOf('prerm', ['remove'])).toEqual([`disable --now ${service}`]);
  expect(callsOf('prerm', ['upgrade', '0.2.0'])).toEqual([]);
  expect(callsOf('postrm', ['remove'])).toEqual(['daemon-reload']);
  expect(callsOf('postinst', ['configure', '0.1.0'], false)).toEqual([]);
  expect(callsOf('prerm', ['remove'], false)).toEqual([]);
});

test('the service starts without a file of a password, names no secret, and is started again without a limit', () => {
  const unit = readFileSync(join(root, 'assets/intake/counterfoil-intake.service'), 'utf8');
  expect(unit).toMatch(/^StartLimitIntervalSec=0$/m);
  expect(unit).toMatch(/^Restart=always$/m);
  expect(unit).not.toMatch(/^LoadCredential/m);
});

/** The tests' package is not compressed. */
const uncompressed = [
  '--suppress-tags',
  'uses-no-compression-for-control-tarball,uses-no-compression-for-data-tarball',
];
const hasLintian = canPack && spawnSync('lintian', ['--version']).error === undefined;

test.skipIf(!hasLintian)(
  'the Debian package has nothing that lintian warns of, apart from what is overridden (lintian)',
  () => {
    const file = packed();
    const checked = spawnSync(
      'lintian',
      [...uncompressed, '--allow-root', '--fail-on', 'error,warning', file],
      {
        encoding: 'utf8',
      },
    );
    expect(checked.stdout).toBe('');
    expect(checked.status).toBe(0);
  },
  240_000,
);
