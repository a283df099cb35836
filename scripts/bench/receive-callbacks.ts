import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from '../../main/callbacks/inspect.ts';
import { startCallbackThread } from '../../main/callbacks/file-worker-client.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import { signedCallbacks } from '../load/callbacks.ts';
import { atMost, alternate, type Row } from './measure.ts';

/** A callback that verifies with no password: parsed, verified, searched for near misses, explained. */
const failing = async (): Promise<Row> => {
  const text = signedCallbacks('another')();
  const candidates = ['one', 'two', 'three'].map(password => ({
    profileId: password,
    password,
    digest: 'md5' as const,
  }));
  const [took] = await alternate([() => inspect(text, { candidates })], { rounds: 40, warmUp: 10 });
  return atMost('parse and explain a failing callback, three passwords / 50 (ms)', took, 50, 1);
};

/** A file of a hundred thousand callbacks, and its effect on the main thread. */
const wholeFile = async (): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'));
  const file = join(folder, 'callbacks.log');
  const count = 100_000;
  const next = signedCallbacks('a password');
  writeFileSync(file, Array.from({ length: count }, next).join('\n'));
  const late: number[] = [];
  const interval = 5;
  let due = performance.now() + interval;
  const watch = setInterval(() => {
    late.push(performance.now() - due);
    due = performance.now() + interval;
  }, interval);
  try {
    const durationMs = await new Promise<number>((resolve, reject) => {
      const thread = startCallbackThread({
        onState: state => {
          if (state.phase !== 'done') return;
          if (state.found !== count) reject(new Error(`${state.found} callbacks were found`));
          void thread.close().then(() => resolve(state.durationMs));
        },
        onFailed: error => reject(new Error(inEnglish(error.message))),
      });
      thread.open({ file }, [{ profileId: 'a', password: 'a password', digest: 'md5' }]);
    });
    late.sort((one, other) => one - other);
    return [
      atMost('inspect a file of 100,000 callbacks / 5,000 (ms)', durationMs, 5_000, 1),
      atMost('main thread meanwhile, p99 delay / 20 (ms)', late[Math.floor(late.length * 0.99)], 20, 1),
    ];
  } finally {
    clearInterval(watch);
    rmSync(folder, { recursive: true, force: true });
  }
};

/** The inspector on one failing callback and on a whole file. */
export const receiveCallbacks = async (): Promise<Row[]> => [await failing(), ...(await wholeFile())];
