import { Worker } from 'node:worker_threads';
import type { DeskError } from '../../shared/errors.ts';
import type { FileInspection } from '../../shared/file-inspection.ts';
import type { FileAnswer, FilePart, FileSetup, FromFileWorker, ToFileWorker } from './file-messages.ts';

/** The thread's own file lies beside this one, as source in tests and as its own entry in the bundle. */
const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? './file-worker.ts' : './file-worker.js',
  import.meta.url,
);

type Asked<N extends ToFileWorker['ask']> = Extract<ToFileWorker, { ask: N }>['with'];

/** A file being read on a thread of its own. */
export type FileThread = {
  /** Rejects when the thread has ended. */
  ask<N extends ToFileWorker['ask']>(name: N, ...given: Asked<N>): Promise<FileAnswer<N>>;
  /** Hands over the next bytes of a file that has no path. */
  give(part: Uint8Array): void;
  /** Ends it, whatever it is at; what it held is gone. */
  close(): Promise<void>;
};

/**
 * Reads a file of callbacks on a thread of its own; the passwords stay within this process.
 * `hear` gets every word on progress, `failed` why it could not be read or went on no more.
 */
export const startFileThread = (
  setup: FileSetup,
  hear: (state: FileInspection) => void,
  failed: (error: DeskError) => void,
): FileThread => {
  const worker = new Worker(workerFile, {
    workerData: setup,
    name: 'callback file',
    execArgv: [],
    // A hostile file may cost this thread its memory, and nobody else's.
    resourceLimits: { maxOldGenerationSizeMb: 2_048 },
  });
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let next = 0;
  let closed = false;
  const end = (error: DeskError): void => {
    if (!closed) failed(error);
    closed = true;
    for (const { reject } of waiting.values()) reject(new Error(error.message));
    waiting.clear();
  };
  worker.on('message', (message: FromFileWorker) => {
    if (message.say === 'state') hear(message.state);
    else if (message.say === 'refused') end(message.error);
    else {
      waiting.get(message.id)?.resolve(message.value);
      waiting.delete(message.id);
    }
  });
  worker.on('error', () =>
    end({
      code: 'callback.unreadable',
      message: 'The file was too much to be read in one piece.',
      hint: 'Split it, for example by day, and open the parts one after the other.',
    }),
  );
  worker.on('exit', () => end({ code: 'internal', message: 'The thread that read the file has ended.' }));
  return {
    ask: <N extends ToFileWorker['ask']>(name: N, ...given: Asked<N>) =>
      new Promise<FileAnswer<N>>((resolve, reject) => {
        if (closed) return reject(new Error('The file is closed.'));
        next += 1;
        waiting.set(next, { resolve: resolve as (value: unknown) => void, reject });
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
        worker.postMessage({ ask: name, id: next, with: given });
      }),
    give: part => {
      const message: FilePart = { part };
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      if (!closed) worker.postMessage(message);
    },
    close: async () => {
      closed = true;
      await worker.terminate();
      end({ code: 'internal', message: 'The file is closed.' });
    },
  };
};
