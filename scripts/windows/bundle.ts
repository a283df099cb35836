import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundleLikeMain } from '../../tools/build/bundle-like-main.ts';
import { root } from '../../tools/build/steps.ts';

const tests = join(root, 'test', 'windows');

/**
 * Bundles the tests for Windows with the application without its window, its workers and the commands into `folder`:
 * sources would need the packages of Windows. Returns the paths of the test files.
 */
export const bundleWindowsTests = async (folder: string): Promise<string[]> => {
  const names = readdirSync(tests).filter(name => /(\.windows|-child)\.ts$/.test(name));
  const sources = [
    ...names.map(name => join(tests, name)),
    join(root, 'test', 'payment-log', 'store', 'writing-child.ts'),
    join(root, 'main', 'payment-log', 'sqlite', 'worker', 'worker.ts'),
    join(root, 'main', 'payment-log', 'list', 'list-worker.ts'),
    join(root, 'main', 'callbacks', 'file-worker.ts'),
    join(root, 'main', 'statements', 'statement-worker.ts'),
    join(root, 'main', 'export', 'workbook-worker.ts'),
    ...['inspect', 'log-verify', 'sandbox'].map(name => join(root, 'scripts', 'app', `${name}.ts`)),
  ];
  rmSync(folder, { recursive: true, force: true });
  await bundleLikeMain(folder, sources);
  return names
    .filter(name => name.endsWith('.windows.ts'))
    .map(name => join(folder, name.replace(/\.ts$/, '.js')));
};
