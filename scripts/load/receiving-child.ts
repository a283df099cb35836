import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import { loadProfile } from './load-profile.ts';
import { startTestApp, type TestApp } from '../../tools/app-harness/running-app.ts';

/**
 * A receiver in a separate process, for load tests and kills. `app FOLDER PASSWORD` is the whole console without its
 * window, `journal FOLDER` a server that answers 200 once it has appended the body to a file and flushed it, once for all
 * waiting requests. Prints its address.
 */

/**
 * A request to a console in such a process: to answer once its list shows a number of payments, or its peak memory in
 * bytes.
 */
export type ToReceiving = { ask: 'settle'; payments: number } | { ask: 'memory' };

const [kind, folder = '', password = ''] = process.argv.slice(2);

/** Answers 200 once `keep` has called back. */
const bare = (keep: (body: Buffer, stored: () => void) => void): Promise<string> =>
  new Promise(resolve => {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        keep(Buffer.concat(chunks), () => {
          response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 2 });
          response.end('OK');
        });
      });
    });
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/callback`);
    });
  });

/** The minimum of a receiver that answers 200 only after the callback is on disk. */
const journal = async (): Promise<Parameters<typeof bare>[0]> => {
  const file = await open(join(folder, 'journal'), 'a');
  let waiting: { body: Buffer; stored: () => void }[] = [];
  let flushing = false;
  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      const written = waiting;
      waiting = [];
      await file.write(Buffer.concat(written.map(({ body }) => body)));
      await file.datasync();
      for (const { stored } of written) stored();
    }
    flushing = false;
  };
  return (body, stored) => {
    waiting.push({ body, stored });
    if (flushing) return;
    flushing = true;
    setImmediate(() => void flush());
  };
};

const startApp = async (): Promise<string> => {
  const running = await startTestApp(folder);
  // A window would consume the events; here nothing does.
  setInterval(() => running.notices.splice(0), 1_000);
  const read = await running.request('app.read', {});
  if (!read.ok) throw new Error(inEnglish(read.error.message));
  const { settings, profiles } = read.value;
  await running.request('settings.change', {
    lookUpAutomatically: false,
    receiver: { ...settings.receiver, enabled: true, quarantine: 1_000_000 },
  });
  const saved = await running.request('profiles.save', {
    id: profiles.find(({ name }) => name === 'Load')?.id ?? null,
    profile: loadProfile,
    password,
    thisRunOnly: true,
  });
  if (!saved.ok) throw new Error(inEnglish(saved.error.message));
  const now = await running.request('app.read', {});
  if (!now.ok) throw new Error(inEnglish(now.error.message));
  process.on('message', (message: ToReceiving) => {
    if (message.ask === 'settle')
      void settle(running.request, message.payments).then(() => process.send?.('settled'));
    else process.send?.(process.resourceUsage().maxRSS * 1_024);
  });
  return now.value.receiver.addresses.find(one => one.profileId === saved.value.id)?.url ?? '';
};

/** Resolves when the list shows that many payments. */
const settle = async (request: TestApp['request'], payments: number): Promise<void> => {
  for (;;) {
    const app = await request('app.read', {});
    if (app.ok && app.value.log.payments >= payments) return;
    await wait(20);
  }
};

const address = kind === 'app' ? await startApp() : await bare(await journal());
process.stdout.write(`${address}\n`);
