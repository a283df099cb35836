import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { bundleLikeMain } from '../../tools/build/bundle-like-main.ts';
import { root } from '../../tools/build/steps.ts';
import type { ToReceiving } from './receiving-child.ts';

/** A receiver in a separate process; see receiving-child.ts. */
export type Receiving = {
  url: string;
  child: ChildProcess;
  /** Resolves when the console's list shows that many payments. */
  settle(payments: number): Promise<void>;
  /** Peak memory of the process so far, bytes. */
  peakMemory(): Promise<number>;
  kill(): Promise<void>;
};

// Not in out/, which is packed.
const bundleFolder = join(root, 'node_modules', '.cache', 'counterfoil-load');

/** Bundles `receiving-child.ts` with its worker threads. Returns the bundle's path. */
const bundleReceiving = async (): Promise<string> => {
  await bundleLikeMain(bundleFolder, [
    join(root, 'scripts', 'load', 'receiving-child.ts'),
    join(root, 'main', 'payment-log', 'sqlite', 'worker', 'worker.ts'),
    join(root, 'main', 'callbacks', 'file-worker.ts'),
  ]);
  return join(bundleFolder, 'receiving-child.js');
};

/** Bundled once per run. */
let bundle: Promise<string> | null = null;

export const startReceiving = async (
  kind: 'app' | 'journal',
  folder = '',
  password = '',
): Promise<Receiving> => {
  const child = fork(await (bundle ??= bundleReceiving()), [kind, folder, password], {
    execArgv: [
      // Megabytes: the console's own V8 compresses pointers, which halves the young generation compared with Node.
      '--max-semi-space-size=32',
    ],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [said] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  const ask = async (message: ToReceiving): Promise<unknown> => {
    child.send(message);
    const [answer] = (await once(child, 'message')) as [unknown];
    return answer;
  };
  return {
    url: said.toString().trim(),
    child,
    settle: async payments => {
      await ask({ ask: 'settle', payments });
    },
    peakMemory: async () => Number(await ask({ ask: 'memory' })),
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
};
