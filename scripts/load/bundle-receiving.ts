import { join } from 'node:path';
import { build } from 'vite';
import { root } from '../steps.ts';

const folder = join(root, 'out', 'load');

/**
 * Bundles `receiving-child.ts` with the threads it starts, as main is bundled: Node strips the types of sources on every
 * thread, which takes memory and time that the product does not take. Returns the bundle's path.
 */
export const bundleReceiving = async (): Promise<string> => {
  await build({
    configFile: join(root, 'main', 'vite.config.ts'),
    logLevel: 'warn',
    build: {
      outDir: folder,
      license: false,
      sourcemap: false,
      rolldownOptions: {
        input: {
          'receiving-child': join(root, 'scripts', 'load', 'receiving-child.ts'),
          worker: join(root, 'main', 'payment-log', 'worker', 'worker.ts'),
          'file-worker': join(root, 'main', 'callbacks', 'file-worker.ts'),
        },
      },
    },
  });
  return join(folder, 'receiving-child.js');
};
