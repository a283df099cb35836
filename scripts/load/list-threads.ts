import { subscribe } from 'node:diagnostics_channel';
import { isMainThread, type Worker } from 'node:worker_threads';

/** Loaded before the application: keeps its running threads in `soakThreads`, so that one can be ended from outside. */

const threads = new Set<Worker>();
Object.assign(globalThis, { soakThreads: threads });

if (isMainThread)
  subscribe('worker_threads', message => {
    const { worker } = message as { worker: Worker };
    threads.add(worker);
    worker.once('exit', () => threads.delete(worker));
  });
