import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A receiver in a process of its own; see receiving-child.ts. */
export type Receiving = {
  url: string;
  child: ChildProcess;
  /** Resolves when the console's list shows all that was written. */
  settle(): Promise<void>;
  kill(): Promise<void>;
};

export const startReceiving = async (
  kind: 'desk' | 'bare' | 'journal',
  folder = '',
  password = '',
): Promise<Receiving> => {
  const child = fork(join(import.meta.dirname, 'receiving-child.ts'), [kind, folder, password], {
    execArgv: ['--disable-warning=ExperimentalWarning', '--wasm-wrapper-tiering-budget=1000000000'],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [said] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  return {
    url: said.toString().trim(),
    child,
    settle: async () => {
      child.send('settle');
      await once(child, 'message');
    },
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
};
