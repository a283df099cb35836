import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build, buildIntake } from '../../tools/build/build.ts';
import { writeDesktopPackage } from './desktop-package.ts';
import { writeIntakeBill, writeIntakePackage, writeNpmPackage } from './intake-package.ts';
import { packTargets, signingArguments, withoutEmpty } from './pack-options.ts';
import { addKeychainModule } from './target-modules.ts';
import { root, runTool } from '../../tools/build/steps.ts';

/**
 * Packs the desktop application into dist/: `npm run pack`. Arguments go to electron-builder: `--linux`, `--win` or
 * `--mac`, `--x64`, `--arm64`, or `--dir` for the folder without installers. Needs Electron's runtime: downloaded, or a
 * folder named with `-c.electronDist=FOLDER`.
 *
 * `npm run pack -- intake` packs the intake into dist/intake: an npm package, the folder for a container image, and
 * packages for Debian where `dpkg-deb` is installed.
 */

const output = join(root, 'dist');

const hasDpkg = (): boolean => {
  const found = spawnSync('dpkg-deb', ['--version'], { stdio: 'ignore' }).error === undefined;
  if (!found) console.log('Packages for Debian need dpkg-deb, which is not installed.');
  return found;
};

const packIntake = async (): Promise<boolean> => {
  if (!(await buildIntake())) return false;
  const folder = join(output, 'intake');
  const npmFolder = join(folder, 'package');
  writeNpmPackage(npmFolder);
  const options = { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' } as const;
  const packed = execFileSync('npm', ['pack', './package', '--silent'], options).trim();
  console.log(join(folder, packed));
  console.log(npmFolder);
  console.log(writeIntakeBill(folder));
  if (hasDpkg())
    for (const architecture of ['x64', 'arm64'] as const)
      console.log(writeIntakePackage(folder, architecture));
  return true;
};

const packDesktop = async (): Promise<boolean> => {
  const args = process.argv.slice(2);
  const { system, processors } = packTargets(args);
  if (!(await build())) return false;
  for (const processor of processors) addKeychainModule(system, processor);
  const environment = withoutEmpty(process.env);
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  const signing = signingArguments(system, environment);
  const { code } = await runTool('electron-builder', [
    '--publish=never',
    `--projectDir=${root}`,
    ...args,
    ...signing,
  ]);
  if (code !== 0) {
    if (system === 'linux')
      console.log('The Debian package needs no tool that is fetched: npm run pack -- --linux dir');
    return false;
  }
  if (system === 'linux' && !args.includes('--dir') && hasDpkg())
    for (const processor of processors) {
      const unpacked = processor === 'x64' ? 'linux-unpacked' : `linux-${processor}-unpacked`;
      console.log(writeDesktopPackage(output, join(output, unpacked), processor));
    }
  return true;
};

try {
  if (!(await (process.argv[2] === 'intake' ? packIntake() : packDesktop()))) process.exitCode = 1;
} catch (thrown) {
  // A sentence for a person, such as about an option; not the place in this program.
  console.error(thrown instanceof Error ? thrown.message : String(thrown));
  process.exitCode = 2;
}
