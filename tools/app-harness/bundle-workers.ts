import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** Where `use-bundled-workers.ts` finds the bundles. */
export const bundledWorkers = join(root, 'node_modules', '.cache', 'counterfoil-workers');

const entries = {
  worker: join(root, 'main', 'payment-log', 'sqlite', 'worker', 'worker.ts'),
  'file-worker': join(root, 'main', 'callbacks', 'file-worker.ts'),
  'list-worker': join(root, 'main', 'payment-log', 'list', 'list-worker.ts'),
  'statement-worker': join(root, 'main', 'statements', 'statement-worker.ts'),
  'workbook-worker': join(root, 'main', 'export', 'workbook-worker.ts'),
  intake: join(root, 'main', 'intake', 'index.ts'),
};

const bundle = async (): Promise<void> => {
  // Every test file imports this module for the folder alone.
  const { build } = await import('vite');
  await build({
    configFile: join(root, 'main', 'vite.config.ts'),
    logLevel: 'warn',
    define: { INTAKE_VERSION: '"0.0.0"' },
    build: { outDir: bundledWorkers, license: false, rolldownOptions: { input: entries } },
  });
  // Otherwise Node parses each file as CommonJS first.
  writeFileSync(join(bundledWorkers, 'package.json'), '{ "type": "module" }\n');
};

/**
 * Bundles the worker threads and the intake for the integration tests, as the product ships them. Started from source, every thread
 * would strip the types of everything it loads: twice the CPU time of opening a payment log.
 */
export const setup = async (project: {
  onTestsRerun(callback: () => Promise<void>): void;
}): Promise<void> => {
  await bundle();
  project.onTestsRerun(bundle);
};
