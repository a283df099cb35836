import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureBuilt } from '../../tools/build/build.ts';
import { root } from '../../tools/build/steps.ts';
import { electronVersion, writeOfflineRuntime } from './offline-runtime.ts';

/** Packs the application into `dist/linux-unpacked` of a folder, without the network. */
export const packLinux = async (folder: string): Promise<void> => {
  await ensureBuilt();
  writeOfflineRuntime(join(folder, 'runtime'), electronVersion(root));
  await promisify(execFile)(
    join(root, 'node_modules/.bin/electron-builder'),
    [
      '--linux',
      '--dir',
      '--publish=never',
      `--config.electronDist=${join(folder, 'runtime')}`,
      `--config.directories.output=${join(folder, 'dist')}`,
    ],
    // In a test the packer would link files of the project, and a damaged package would be a damaged project.
    { cwd: root, env: { ...process.env, VITEST: undefined } },
  );
};
