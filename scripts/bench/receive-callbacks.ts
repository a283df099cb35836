import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from '../../main/callbacks/inspect.ts';
import { startFileThread } from '../../main/callbacks/file-thread.ts';
import { signedCallbacks } from '../load/callbacks.ts';
import { postCallbacks } from '../load/post-callbacks.ts';
import { startReceiving } from '../load/receiving.ts';
import { atMost, inTurn, median, missing, type Row } from './measure.ts';

/** Connections that send at once, and callbacks in one round. */
const connections = 32;
const round = 8_000;
/** Rounds that do not count: a receiver that runs all day is warm. */
const warmUp = 3;

type Measured = { perThousand: number; p99: number };

/** Sends a round to an address; milliseconds per thousand callbacks, and the 99th percentile of the answers. */
const load = async (url: string, next: () => string, count = round): Promise<Measured> => {
  const bodies = Array.from({ length: count }, next);
  const times: number[] = [];
  let at = 0;
  const began = performance.now();
  await postCallbacks({
    url,
    connections,
    next: () => bodies[at++] ?? null,
    onAnswer: ({ status, milliseconds }) => {
      if (status !== 200) throw new Error(`a callback was answered ${status}`);
      times.push(milliseconds);
    },
  });
  const took = performance.now() - began;
  if (times.length !== count) throw new Error('not every callback was answered');
  times.sort((one, other) => one - other);
  return { perThousand: (took / count) * 1_000, p99: times[Math.floor(count * 0.99)] ?? Number.NaN };
};

const againstWebhook = 'the same / webhook with an empty hook (ms per 1,000)';

type Webhook = { url: string; rest: () => Promise<void>; stop: () => void };

/**
 * Debian's `webhook` with an empty hook, where it is installed: the address it listens at, its rest, since it goes on
 * starting hooks after it has answered, and its end.
 */
const startWebhook = async (folder: string): Promise<Webhook | null> => {
  if (spawnSync('webhook', ['-version']).error) return null;
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  probe.close();
  await once(probe, 'close');
  const hooks = join(folder, 'hooks.json');
  writeFileSync(hooks, JSON.stringify([{ id: 'callback', 'execute-command': '/bin/true' }]));
  const child = spawn('webhook', ['-hooks', hooks, '-ip', '127.0.0.1', '-port', String(port)], {
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}/hooks/callback`;
  const runsHooks = (): boolean =>
    readdirSync(`/proc/${child.pid}/task`).some(
      task => readFileSync(`/proc/${child.pid}/task/${task}/children`, 'utf8') !== '',
    );
  const rest = async (): Promise<void> => {
    while (runsHooks()) await wait(100);
  };
  for (;;) {
    const up = await fetch(url, { method: 'POST' }).then(
      () => true,
      () => false,
    );
    if (up) return { url, rest, stop: () => child.kill() };
  }
};

/**
 * Callbacks acknowledged and durable: against a bare server that keeps nothing, against one that does the least a
 * receiver must do that answers 200 for what is on disk, and against Debian's `webhook` where it is installed.
 */
const acknowledged = async (): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'));
  const bare = await startReceiving('bare');
  const journal = await startReceiving('journal', folder);
  const desk = await startReceiving('desk', folder, 'a password');
  const webhook = await startWebhook(folder);
  const next = signedCallbacks('a password');
  try {
    const ours: Measured[] = [];
    const theirs: Measured[] = [];
    const flushed: Measured[] = [];
    const hooks: Measured[] = [];
    for (let turn = -warmUp; turn < 3; turn += 1) {
      const one = await load(desk.url, next);
      await desk.settle();
      const other = await load(bare.url, next);
      const least = await load(journal.url, next);
      if (turn < 0) continue;
      ours.push(one);
      theirs.push(other);
      flushed.push(least);
    }
    if (webhook) {
      for (let turn = -1; turn < 3; turn += 1) {
        const one = await load(webhook.url, next, 1_000);
        await webhook.rest();
        if (turn >= 0) hooks.push(one);
      }
    }
    const of = (all: readonly Measured[], what: keyof Measured): number => median(all.map(one => one[what]));
    return [
      atMost(
        '1,000 callbacks acknowledged and durable, 32 connections / bare server (ms)',
        of(ours, 'perThousand'),
        of(theirs, 'perThousand'),
        2,
      ),
      atMost(
        'the same, 99th percentile of an answer / bare server (ms)',
        of(ours, 'p99'),
        of(theirs, 'p99'),
        1,
      ),
      atMost(
        'the same / bare server that flushes a journal (ms per 1,000)',
        of(ours, 'perThousand'),
        of(flushed, 'perThousand'),
        2,
      ),
      atMost(
        'the same, 99th percentile of an answer / bare server that flushes a journal (ms)',
        of(ours, 'p99'),
        of(flushed, 'p99'),
        2,
      ),
      webhook
        ? atMost(againstWebhook, of(ours, 'perThousand'), of(hooks, 'perThousand'), 0.5)
        : missing(againstWebhook, 'webhook is not installed', 0.5),
    ];
  } finally {
    webhook?.stop();
    await bare.kill();
    await journal.kill();
    await desk.kill();
    rmSync(folder, { recursive: true, force: true });
  }
};

/** A callback that verifies with no password: parsed, judged, searched for near misses, explained. */
const failing = async (): Promise<Row> => {
  const text = signedCallbacks('another')();
  const candidates = ['one', 'two', 'three'].map(password => ({
    profileId: password,
    password,
    digest: 'md5' as const,
  }));
  const [took] = await inTurn([() => inspect(text, { candidates })], { rounds: 40, warmUp: 10 });
  return atMost('parse and explain a failing callback, three passwords / 50 (ms)', took, 50, 1);
};

/** A file of a hundred thousand callbacks, and what the main thread feels of it. */
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
    const tookMs = await new Promise<number>((resolve, reject) => {
      const thread = startFileThread(
        { source: { file }, candidates: [{ profileId: 'a', password: 'a password', digest: 'md5' }] },
        state => {
          if (state.phase !== 'done') return;
          if (state.found !== count) reject(new Error(`${state.found} callbacks were found`));
          void thread.close().then(() => resolve(state.tookMs));
        },
        error => reject(new Error(error.message)),
      );
    });
    late.sort((one, other) => one - other);
    return [
      atMost('inspect a file of 100,000 callbacks / 5,000 (ms)', tookMs, 5_000, 1),
      atMost('main thread meanwhile, p99 delay / 20 (ms)', late[Math.floor(late.length * 0.99)], 20, 1),
    ];
  } finally {
    clearInterval(watch);
    rmSync(folder, { recursive: true, force: true });
  }
};

/** The receiver under load, and the inspector on one failing callback and on a whole file. */
export const receiveCallbacks = async (): Promise<Row[]> => [
  ...(await acknowledged()),
  await failing(),
  ...(await wholeFile()),
];
