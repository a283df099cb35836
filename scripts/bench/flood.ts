import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { post, type Posted } from '../load/posting.ts';
import { paymentsIn } from '../load/real-callbacks.ts';
import { startReceiving } from '../load/receiving.ts';
import { atLeast, atMost, missing, type Row } from './measure.ts';

const connections = 32;
const password = 'a password';
/** Uncounted warm-up: a receiver that runs all day is warm. */
const warmUpMs = 3_000;
/**
 * The rates that every machine so far has reached, with a fifth of room. The goals are 1 and 0.3: see
 * docs/build/benchmarks.md.
 */
const leastOfWebhook = 0.6;
const leastOfBare = 0.12;
/**
 * Limit of the 99th percentile, times the reference: with as many connections, an eighth of the reference's rate means
 * answers that take eight times as long on average.
 */
const maxSlowest = 12;
/** Limits: milliseconds until the list is complete, and bytes of memory. */
const levelMs = 2_000;
const maxMemory = 450_000_000;

const perSecond = ({ answered, durationMs }: Posted): number => (answered / durationMs) * 1_000;

type Webhook = { url: string; rest: () => Promise<void>; stop: () => void };

/**
 * Debian's `webhook` with an empty hook, if installed: its address, a pause (it still starts hooks after its
 * response), and its end.
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

/** Callbacks prepared per second of load: more than the console answers; the references do not read them. */
const preparedForApp = 10_000;
const preparedForReference = 500;

/** Loads a receiver several times without sending a callback twice. */
const loader = (url: string, maxPerSecond = preparedForReference) => {
  let first = 0;
  let payments = 0;
  return {
    post: async (milliseconds: number): Promise<Posted> => {
      const posted = await post({ url, connections, milliseconds, password, first, maxPerSecond });
      // The last callback of each connection may have no answer yet.
      const end = first + posted.answered - connections;
      payments += Math.max(0, paymentsIn(end) - paymentsIn(first));
      first += posted.answered + connections;
      return posted;
    },
    /** A lower bound of the payments that were reported. */
    payments: (): number => payments,
  };
};

const inFolder = async <T>(work: (folder: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** A warm receiver under load for the given time. */
const loadWarm = async (kind: 'journal', milliseconds: number): Promise<Posted> =>
  inFolder(async folder => {
    const receiving = await startReceiving(kind, folder);
    try {
      const load = loader(receiving.url);
      await load.post(warmUpMs);
      return await load.post(milliseconds);
    } finally {
      await receiving.kill();
    }
  });

type Flooded = { posted: Posted; levelAfterMs: number; peakMemory: number };

/**
 * The console, warm and with a current list, under load for the given time; and the time until its list was current
 * again.
 */
const floodApp = async (milliseconds: number): Promise<Flooded> =>
  inFolder(async folder => {
    const app = await startReceiving('app', folder, password);
    try {
      const load = loader(app.url, preparedForApp);
      await load.post(warmUpMs);
      await app.settle(load.payments());
      const posted = await load.post(milliseconds);
      const ended = performance.now();
      await app.settle(load.payments());
      const levelAfterMs = performance.now() - ended;
      return { posted, levelAfterMs, peakMemory: await app.peakMemory() };
    } finally {
      await app.kill();
    }
  });

/** `milliseconds`: how long webhook is loaded. Null if it is not installed. */
const loadWebhook = async (milliseconds: number): Promise<Posted | null> =>
  inFolder(async folder => {
    const webhook = await startWebhook(folder);
    if (!webhook) return null;
    try {
      const load = loader(webhook.url);
      await load.post(1_000);
      await webhook.rest();
      return await load.post(milliseconds);
    } finally {
      await webhook.rest();
      webhook.stop();
    }
  });

/**
 * Signed callbacks as varied as a gateway's, posted from a separate process and answered once they are on disk: a burst,
 * and a sustained load. `burstMs`, `sustainedMs`: their durations.
 */
export const flood = async ({ burstMs = 10_000, sustainedMs = 60_000 } = {}): Promise<Row[]> => {
  const seconds = (milliseconds: number): string => `${milliseconds / 1_000} s`;
  const burstName = `burst of ${seconds(burstMs)}, ${connections} connections, varied callbacks`;
  const sustainedName = `flood of ${seconds(sustainedMs)}`;
  const webhookName = `${burstName}, acknowledged per second / webhook with an empty hook`;
  const hooks = await loadWebhook(burstMs);
  const burst = await floodApp(burstMs);
  const journal = await loadWarm('journal', burstMs);
  const sustained = await floodApp(sustainedMs);
  const longJournal = await loadWarm('journal', sustainedMs);
  return [
    hooks
      ? atLeast(webhookName, perSecond(burst.posted), perSecond(hooks), leastOfWebhook)
      : missing(webhookName, 'webhook is not installed', leastOfWebhook),
    atMost(
      'the same, 99th percentile of an answer / bare server that flushes a journal (ms)',
      burst.posted.p99,
      journal.p99,
      maxSlowest,
    ),
    atLeast(
      `${sustainedName}, acknowledged per second / bare server that flushes a journal`,
      perSecond(sustained.posted),
      perSecond(longJournal),
      leastOfBare,
    ),
    atMost(`${sustainedName}, until the list is level / 2,000 (ms)`, sustained.levelAfterMs, levelMs, 1),
    atMost(`${sustainedName}, peak memory / 450 (MB)`, sustained.peakMemory / 1e6, maxMemory / 1e6, 1),
  ];
};
