import { fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { hasWrk, post, type Posted } from './posting.ts';
import { paymentsIn } from './real-callbacks.ts';
import { startReceiving } from '../load/console-process.ts';
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
const reference = { connections, password, first: 0, maxPerSecond: 500 };

const inFolder = async <T>(work: (folder: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** The bare server that flushes a journal, warm, under load for the given time. */
const loadJournal = (milliseconds: number): Promise<Posted> =>
  inFolder(async folder => {
    const child = fork(join(import.meta.dirname, 'journal-child.ts'), [join(folder, 'journal')]);
    try {
      const [url] = (await once(child, 'message')) as [string];
      await post({ ...reference, url, milliseconds: warmUpMs });
      return await post({ ...reference, url, milliseconds });
    } finally {
      child.kill();
    }
  });

type Flooded = { posted: Posted; levelAfterMs: number; peakMemory: number };

/**
 * The console, warm and with a current list, under load for the given time; and the time until its list was current
 * again.
 */
const floodApp = (milliseconds: number): Promise<Flooded> =>
  inFolder(async folder => {
    const receiving = await startReceiving(folder, password);
    const { url } = receiving;
    let first = 0;
    let payments = 0;
    /** Sends no callback twice, and resolves when the list shows at least what was reported. */
    const load = async (duration: number): Promise<Omit<Flooded, 'peakMemory'>> => {
      const posted = await post({
        ...reference,
        url,
        milliseconds: duration,
        first,
        maxPerSecond: preparedForApp,
      });
      const ended = performance.now();
      // The last callback of each connection may have no answer yet.
      const end = first + posted.answered - connections;
      payments += Math.max(0, paymentsIn(end) - paymentsIn(first));
      first += posted.answered + connections;
      await receiving.settle(payments);
      return { posted, levelAfterMs: performance.now() - ended };
    };
    try {
      await load(warmUpMs);
      return { ...(await load(milliseconds)), peakMemory: await receiving.peakMemory() };
    } finally {
      await receiving.kill();
    }
  });

/** `milliseconds`: how long webhook is loaded. Null if it is not installed. */
const loadWebhook = async (milliseconds: number): Promise<Posted | null> =>
  inFolder(async folder => {
    const webhook = await startWebhook(folder);
    if (!webhook) return null;
    const { url, rest, stop } = webhook;
    try {
      await post({ ...reference, url, milliseconds: 1_000 });
      await rest();
      return await post({ ...reference, url, milliseconds });
    } finally {
      await rest();
      stop();
    }
  });

/**
 * Signed callbacks as varied as a gateway's, posted for `milliseconds` from a separate process and answered once they
 * are on disk.
 */
export const flood = async (milliseconds: number): Promise<Row[]> => {
  const name = `flood of ${milliseconds / 1_000} s, ${connections} connections, varied callbacks`;
  if (!hasWrk) return [missing(name, 'wrk is not installed', leastOfWebhook)];
  const webhookName = `${name}, acknowledged per second / webhook with an empty hook`;
  const hooks = await loadWebhook(Math.min(milliseconds, 10_000));
  const { posted, levelAfterMs, peakMemory } = await floodApp(milliseconds);
  const journal = await loadJournal(milliseconds);
  return [
    hooks
      ? atLeast(webhookName, perSecond(posted), perSecond(hooks), leastOfWebhook)
      : missing(webhookName, 'webhook is not installed', leastOfWebhook),
    atLeast(
      'the same / bare server that flushes a journal',
      perSecond(posted),
      perSecond(journal),
      leastOfBare,
    ),
    atMost(
      'the same, 99th percentile of an answer / bare server that flushes a journal (ms)',
      posted.p99,
      journal.p99,
      maxSlowest,
    ),
    atMost('the same, until the list is level / 2,000 (ms)', levelAfterMs, levelMs, 1),
    atMost('the same, peak memory / 450 (MB)', peakMemory / 1e6, maxMemory / 1e6, 1),
  ];
};
