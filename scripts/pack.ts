import { build } from './build.ts';
import { root, runTool } from './steps.ts';

/**
 * Packs the desktop application into dist/: `npm run pack`. Arguments go to electron-builder, such as `--dir` for the
 * folder without installers. Needs Electron's runtime: downloaded, or a folder named with `-c.electronDist=FOLDER`.
 */

if (!(await build())) process.exit(1);
const { code } = await runTool('electron-builder', [
  '--publish=never',
  `--projectDir=${root}`,
  ...process.argv.slice(2),
]);
process.exitCode = code;
