import { join } from 'node:path';
import { build } from 'vite';
import { root } from '../steps.ts';

// Not in out/, which is packed.
const folder = join(root, 'node_modules', '.cache', 'counterfoil-load');

/**
 * Bundles `receiving-child.ts` with its worker threads, like main: for sources Node strips types on every thread,
 * which costs memory and time that the product does not need. Returns the bundle's path.
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
          worker: join(root, 'main', 'payment-log', 'sqlite', 'worker', 'worker.ts'),
          'file-worker': join(root, 'main', 'callbacks', 'file-worker.ts'),
        },
      },
    },
  });
  return join(folder, 'receiving-child.js');
};
