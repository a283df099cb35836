import { Worker } from 'node:worker_threads';
import { fail, type Result } from '../../shared/errors.ts';
import { msg } from '../../shared/messages/message.ts';
import { reportFailure } from '../app-log/failure-report.ts';
import type { FromStatementWorker, StatementJob, StatementJobs } from './statement-worker.ts';

/** The worker's file is next to this one: source in tests, a separate entry in the bundle. */
const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? './statement-worker.ts' : './statement-worker.js',
  import.meta.url,
);

/** Limit of its memory, megabytes: a file that needs more ends only this thread. */
const maxMemoryMb = 256;
/** Of what it has just made: with V8's own limit, garbage is most of the memory of a large file. */
const maxYoungMb = 12;

/** A thread that reads and compares statements, so that the main thread stays free. */
export type StatementThread = {
  /** Errors: `input.invalid` with the reason why a file is refused, `internal` if the thread ended. */
  run<N extends StatementJob>(
    name: N,
    ...args: Parameters<StatementJobs[N]>
  ): Promise<Result<Awaited<ReturnType<StatementJobs[N]>>>>;
  /** Ends the thread at once; what it was doing leaves nothing. */
  close(): void;
};

/** Starts the thread. */
export const startStatementThread = (): StatementThread => {
  const worker = new Worker(workerFile, {
    name: 'statement',
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb, maxYoungGenerationSizeMb: maxYoungMb },
  });
  const waiting = new Map<number, (result: Result<unknown>) => void>();
  let next = 0;
  let isClosed = false;
  const end = (thrown: unknown): void => {
    const reference =
      isClosed || thrown === null
        ? undefined
        : reportFailure('request', 'The worker that reads a statement failed.', thrown);
    const failed = fail('internal', msg('statement-file.stopped'), {
      hint: msg('statement-file.rows.hint'),
      ...(reference === undefined ? {} : { details: { reference } }),
    });
    for (const resolve of waiting.values()) resolve(failed);
    waiting.clear();
  };
  worker.on('message', (message: FromStatementWorker) => {
    const resolve = waiting.get(message.id);
    waiting.delete(message.id);
    if ('result' in message) resolve?.(message.result);
    else {
      if (resolve) waiting.set(message.id, resolve);
      end(message.thrown);
    }
  });
  worker.on('messageerror', end);
  worker.on('error', end);
  worker.on('exit', () => {
    isClosed = true;
    end(null);
  });
  return {
    run: (name, ...args) => {
      next += 1;
      const id = next;
      return new Promise(resolve => {
        // The worker answers by name: see StatementJobs.
        waiting.set(id, result => resolve(result as never));
        if (isClosed) return end(null);
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
        worker.postMessage({ id, name, args });
      });
    },
    close: () => {
      isClosed = true;
      void worker.terminate();
    },
  };
};
