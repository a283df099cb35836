import { join } from 'node:path';
import { Arch, Platform, build } from 'electron-builder';
import { afterPack } from '../../scripts/packaging/after-pack.ts';
import { root } from '../../tools/build/steps.ts';
import { electronVersion } from './offline-runtime.ts';

/**
 * Packs the folders for Windows and macOS of another project: its path, the folder of the runtimes (`SYSTEM-PROCESSOR`
 * each), and the folder of the results.
 */
const [projectDir = '', runtimes = '', output = ''] = process.argv.slice(2);
const folders = new Map([
  [Arch.x64, ['dir']],
  [Arch.arm64, ['dir']],
]);

await build({
  projectDir,
  targets: new Map([
    [Platform.WINDOWS, folders],
    [Platform.MAC, folders],
  ]),
  publish: 'never',
  config: {
    extends: join(root, 'electron-builder.yml'),
    electronVersion: electronVersion(root),
    electronDist: ({ platformName, arch }) => join(runtimes, `${platformName}-${arch}`),
    directories: { output },
    // The packer loads a hook's file from the project that it packs only.
    afterPack,
  },
});
