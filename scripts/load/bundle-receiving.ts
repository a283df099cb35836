import { join } from 'node:path';
import { bundleLikeMain } from '../bundle-like-main.ts';
import { root } from '../steps.ts';

// Not in out/, which is packed.
const folder = join(root, 'node_modules', '.cache', 'counterfoil-load');

/** Bundles `receiving-child.ts` with its worker threads. Returns the bundle's path. */
export const bundleReceiving = async (): Promise<string> => {
  await bundleLikeMain(folder, [
    join(root, 'scripts', 'load', 'receiving-child.ts'),
    join(root, 'main', 'payment-log', 'sqlite', 'worker', 'worker.ts'),
    join(root, 'main', 'callbacks', 'file-worker.ts'),
  ]);
  return join(folder, 'receiving-child.js');
};
