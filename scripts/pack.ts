import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build, buildIntake } from './build.ts';
import { writeDebianPackage, writeNpmPackage } from './packaging/intake-package.ts';
import { root, runTool } from './steps.ts';

/**
 * Packs the desktop application into dist/: `npm run pack`. Arguments go to electron-builder, such as `--dir` for the
 * folder without installers. Needs Electron's runtime: downloaded, or a folder named with `-c.electronDist=FOLDER`.
 *
 * `npm run pack -- intake` packs the intake into dist/intake: an npm package, the folder for a container image, and
 * packages for Debian where `dpkg-deb` is installed.
 */

const packIntake = async (): Promise<boolean> => {
  if (!(await buildIntake())) return false;
  const folder = join(root, 'dist', 'intake');
  const npmFolder = join(folder, 'package');
  writeNpmPackage(npmFolder);
  const options = { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' } as const;
  const packed = execFileSync('npm', ['pack', './package', '--silent'], options).trim();
  console.log(join(folder, packed));
  console.log(npmFolder);
  if (spawnSync('dpkg-deb', ['--version'], { stdio: 'ignore' }).error === undefined)
    for (const architecture of ['x64', 'arm64'] as const)
      console.log(writeDebianPackage(folder, architecture));
  else console.log('Packages for Debian need dpkg-deb, which is not installed.');
  return true;
};

const packDesktop = async (): Promise<boolean> => {
  if (!(await build())) return false;
  const { code } = await runTool('electron-builder', [
    '--publish=never',
    `--projectDir=${root}`,
    ...process.argv.slice(2),
  ]);
  return code === 0;
};

if (!(await (process.argv[2] === 'intake' ? packIntake() : packDesktop()))) process.exitCode = 1;
