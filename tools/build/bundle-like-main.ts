import { basename, join } from 'node:path';
import { build } from 'vite';
import { root } from './steps.ts';

/**
 * Bundles sources into `folder` with the options of the main process; each bundle is named after its source. Programs
 * from source would strip the types of everything they load on every start of theirs and of each thread.
 */
export const bundleLikeMain = async (folder: string, sources: readonly string[]): Promise<void> => {
  await build({
    configFile: join(root, 'main', 'vite.config.ts'),
    logLevel: 'warn',
    build: {
      outDir: folder,
      license: false,
      sourcemap: false,
      rolldownOptions: {
        input: Object.fromEntries(sources.map(source => [basename(source, '.ts'), source])),
      },
    },
  });
};
