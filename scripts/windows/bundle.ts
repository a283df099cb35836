import { readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'vite';
import { root } from '../steps.ts';

const tests = join(root, 'test', 'windows');

/**
 * Bundles the tests for Windows with the application without its window, its workers and the commands into `folder`:
 * sources would need the packages of Windows, and Node would strip their types on every start. Returns the paths of
 * the test files.
 */
export const bundleWindowsTests = async (folder: string): Promise<string[]> => {
  const names = readdirSync(tests).filter(name => /(\.windows|-child)\.ts$/.test(name));
  const sources = [
    ...names.map(name => join(tests, name)),
    join(root, 'test', 'payment-log', 'store', 'writing-child.ts'),
    join(root, 'main', 'payment-log', 'sqlite', 'worker', 'worker.ts'),
    join(root, 'main', 'callbacks', 'file-worker.ts'),
    join(root, 'main', 'export', 'workbook-worker.ts'),
    ...['inspect', 'log-verify', 'sandbox'].map(name => join(root, 'scripts', `${name}.ts`)),
  ];
  rmSync(folder, { recursive: true, force: true });
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
  return names
    .filter(name => name.endsWith('.windows.ts'))
    .map(name => join(folder, name.replace(/\.ts$/, '.js')));
};
