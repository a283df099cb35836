import { existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import threads, { type WorkerOptions } from 'node:worker_threads';
import { bundledWorkers } from './bundle-workers.ts';

/** In an integration test, a worker thread of the product starts from its bundle: see `bundle-workers.ts`. */

const bundleOf = (file: string | URL): string | URL => {
  const bundle = join(bundledWorkers, basename(String(file)).replace(/\.ts$/, '.js'));
  return /\/main\/.*\.ts$/.test(String(file)) && existsSync(bundle) ? pathToFileURL(bundle) : file;
};

class BundledWorker extends threads.Worker {
  constructor(file: string | URL, options?: WorkerOptions) {
    super(bundleOf(file), options);
  }
}

// Once for the process: the files of a run share it.
if (threads.Worker.name !== BundledWorker.name) {
  threads.Worker = BundledWorker;
  syncBuiltinESMExports();
}
