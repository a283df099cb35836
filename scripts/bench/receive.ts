import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signedCallbacks } from '../load/callbacks.ts';
import { startReceiving } from '../load/console-process.ts';
import { percentile } from '../load/percentile.ts';
import { postCallbacks } from '../load/post-callbacks.ts';
import { atLeast, atMost, type Row } from './measure.ts';

const connections = 32;
const password = 'a password';
/** Uncounted warm-up: a receiver that runs all day is warm. */
const warmUpMs = 3_000;

type Posted = { answered: number; perSecond: number; p99: number };

/** Posts callbacks for a time; throws unless each is answered 200. */
const postFor = async (url: string, next: () => string, milliseconds: number): Promise<Posted> => {
  const times: number[] = [];
  const startedAt = performance.now();
  const broken = await postCallbacks({
    url,
    connections,
    next: () => (performance.now() - startedAt < milliseconds ? next() : null),
    onAnswer: ({ status, milliseconds: took }) => {
      if (status !== 200) throw new Error(`a callback was answered ${status}`);
      times.push(took);
    },
  });
  if (broken > 0) throw new Error(`${broken} connections broke`);
  const perSecond = times.length / ((performance.now() - startedAt) / 1_000);
  return { answered: times.length, perSecond, p99: percentile(times, 0.99) };
};

/**
 * Signed callbacks, posted for `milliseconds` and answered once they are on disk: by the console, and by a bare server
 * that appends and flushes for all that wait.
 */
export const receive = async (milliseconds: number): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'));
  const next = signedCallbacks(password);
  const receiving = await startReceiving(folder, password);
  const bare = fork(join(import.meta.dirname, 'journal-child.ts'), [join(folder, 'journal')]);
  try {
    const warm = await postFor(receiving.url, next, warmUpMs);
    const ours = await postFor(receiving.url, next, milliseconds);
    const endedAt = performance.now();
    await receiving.settle(warm.answered + ours.answered);
    const levelMs = performance.now() - endedAt;
    const memory = (await receiving.peakMemory()) / 1e6;
    const [url] = (await once(bare, 'message')) as [string];
    await postFor(url, next, warmUpMs);
    const reference = await postFor(url, next, milliseconds);
    const name = `receive for ${milliseconds / 1_000} s, ${connections} connections`;
    const than = 'bare server that flushes a journal';
    return [
      atLeast(`${name}, per second / ${than}`, ours.perSecond, reference.perSecond, 0.06),
      atMost(`the same, 99th percentile / ${than} (ms)`, ours.p99, reference.p99, 8),
      atMost('the same, until the list is complete / 2,000 (ms)', levelMs, 2_000, 1),
      atMost('the same, peak memory / 500 (MB)', memory, 500, 1),
    ];
  } finally {
    bare.kill();
    await receiving.kill();
    rmSync(folder, { recursive: true, force: true });
  }
};
