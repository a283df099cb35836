import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openPaymentLog } from '../../main/payment-log/sqlite/open-payment-log.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import { ensureBuilt } from '../../tools/build/build.ts';
import { signedCallbacks } from './callbacks.ts';
import { killUnderLoad, sendMalformed } from './faults.ts';
import { postCallbacks } from './post-callbacks.ts';
import { startReceiving } from './receiving.ts';
import { killAlone } from './refunds/kill-alone.ts';
import { killInTeam } from './refunds/kill-in-team.ts';
import { startRecordingGateway } from './refunds/recording-gateway.ts';
import { floodWithWindow } from './window.ts';
import { drivers } from '../../tools/browser-harness/harness.ts';
import { openKeyring } from '../../tools/keyring/keyring-session.ts';
import { isPostgresMissing, startCluster } from '../../tools/postgres-harness/cluster.ts';

/**
 * Runs load and faults for some minutes, and prints the results: `npm run soak -- --minutes 30` against a console in
 * use, `npm run soak -- receiver` against the receiver, `npm run soak -- team --minutes 20` against consoles and intakes
 * with a shared log, `npm run soak -- refunds` and `-- team-refunds` with kills around refunds. Exits 1 if a guarantee was broken.
 */

const { values, positionals } = parseArgs({
  options: { minutes: { type: 'string' } },
  allowPositionals: true,
});

/** The chosen length, or `otherwise`, in seconds. */
const seconds = (otherwise: number): number => {
  const minutes = Number(values.minutes ?? otherwise);
  if (!(minutes > 0)) throw new Error('--minutes needs a number above 0.');
  return minutes * 60;
};

const password = 'a password for the soak';
const next = signedCallbacks(password);
const minute = 60_000;
const refundKills = 100;
/** From a refund's request to its callback: shorter and longer than a console needs to start again. */
const operationMs = 400;

const inFolder = async (work: (folder: string) => Promise<string>): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-soak-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const percentile = (times: readonly number[], part: number): string =>
  ([...times].sort((one, other) => one - other)[Math.floor((times.length - 1) * part)] ?? 0).toFixed(1);

const memory = (pid: number | undefined): string => {
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return `${Math.round(Number(kilobytes) / 1024)} MB`;
  } catch {
    return 'unknown';
  }
};

/** A minute at the rate that the machine sustains; then every acknowledged callback is searched. */
const load = (folder: string): Promise<string> => sendCallbacks(folder, () => next(), minute);

/** The same with the window open and changing screens. */
const window = async (): Promise<string> => {
  const driver = drivers.find(({ available }) => available);
  if (!driver) return 'skipped: no window can be opened on this machine.';
  await ensureBuilt();
  const flood = await floodWithWindow(driver.name, password, next, minute);
  if (flood.stored < flood.answered) throw new Error(`${flood.answered - flood.stored} events are missing`);
  return `${flood.answered} answered 200 in 60 s, p99 ${percentile(flood.answers, 0.99)} ms; ${flood.screens.length} screens opened meanwhile, p50 ${percentile(flood.screens, 0.5)} ms, p95 ${percentile(flood.screens, 0.95)} ms, longest ${percentile(flood.screens, 1)} ms; the log holds ${flood.stored} events and verifies.`;
};

/** One callback delivered a hundred thousand times; the log keeps only the first ones of the same callback. */
const duplicates = (folder: string): Promise<string> => {
  const body = next();
  let left = 100_000;
  return sendCallbacks(folder, () => (left-- > 0 ? body : null), 30 * minute, 500);
};

const sendCallbacks = async (
  folder: string,
  body: () => string | null,
  limit: number,
  distinct = Number.POSITIVE_INFINITY,
): Promise<string> => {
  const receiving = await startReceiving('app', folder, password);
  const until = performance.now() + limit;
  const times: number[] = [];
  let refused = 0;
  const startedAt = performance.now();
  const broken = await postCallbacks({
    url: receiving.url,
    connections: 32,
    next: () => (performance.now() < until ? body() : null),
    onAnswer: ({ status, milliseconds }) => {
      if (status === 200) times.push(milliseconds);
      else refused += 1;
    },
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  const held = memory(receiving.child.pid);
  await receiving.kill();
  const log = await openPaymentLog({ file: join(folder, 'payments.db'), writer: 'auditor' });
  if (!log.ok) throw new Error(inEnglish(log.error.message));
  const report = await log.value.verify();
  await log.value.close();
  if (broken > 0 || refused > 0) throw new Error(`${refused} refused, ${broken} connections broken`);
  if (report.problems[0]) throw new Error(inEnglish(report.problems[0].message));
  const missing = Math.min(times.length, distinct) - report.events;
  if (missing > 0) throw new Error(`${missing} events are missing`);
  return `${times.length} answered 200 in ${seconds.toFixed(0)} s (${Math.round(times.length / seconds)}/s), p50 ${percentile(times, 0.5)} ms, p99 ${percentile(times, 0.99)} ms, longest ${percentile(times, 1)} ms; memory ${held}; the log holds ${report.events} events and verifies.`;
};

const kills = async (folder: string): Promise<string> => {
  const { acknowledged } = await killUnderLoad(folder, password, next, 30);
  return `30 kills: all ${acknowledged} callbacks that were answered 200 are in the log, and it verifies.`;
};

const malformed = async (folder: string): Promise<string> => {
  const receiving = await startReceiving('app', folder, password);
  await sendMalformed(receiving.url, 1_000);
  const before = memory(receiving.child.pid);
  await sendMalformed(receiving.url, 50_000);
  const after = memory(receiving.child.pid);
  await receiving.kill();
  return `50,000 requests that are none: memory ${before} before, ${after} after.`;
};

const team = async (): Promise<string> => {
  const { soakTeam } = await import('./team-soak.ts');
  // The intakes are processes of the bundled program.
  await (await import('../../tools/app-harness/bundle-workers.ts')).setup({ onTestsRerun: () => undefined });
  const { callbacks, events, erased, faults, attacks, leftOut } = await soakTeam(seconds(20));
  const counts = Object.entries(faults).map(([name, count]) => `${name} ${count}`);
  return `${counts.join(', ')}: all ${callbacks} callbacks that were answered 200 are in the shared log, ${events} events verify, each once; ${erased} erasures reached every journal; ${attacks} attacks of a hostile account changed nothing, and every console leaves out its ${leftOut} events.`;
};

const lasts = (left: Readonly<Record<string, number>>): string =>
  Object.entries(left)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

/** A hundred kills around refunds. */
const refundsAlone = async (folder: string): Promise<string> => {
  const gateway = await startRecordingGateway(operationMs);
  try {
    const { kills, refunds, left, settled } = await killAlone(folder, gateway, refundKills);
    return `${kills} kills, the last step of ${refunds} refunds: ${lasts(left)}: none was sent twice, each is shown and refused when it is sent again, ${settled} ended by a callback.`;
  } finally {
    await gateway.close();
  }
};

/** The same with two consoles on a shared log. */
const refundsInTeam = async (folder: string): Promise<string> => {
  if (isPostgresMissing) return 'skipped: PostgreSQL is not installed.';
  const keyring = await openKeyring();
  process.env['DBUS_SESSION_BUS_ADDRESS'] = keyring.env['DBUS_SESSION_BUS_ADDRESS'];
  const cluster = await startCluster();
  const gateway = await startRecordingGateway(operationMs);
  try {
    const { kills, refunds, left, settled, contested } = await killInTeam(
      folder,
      gateway,
      cluster,
      refundKills,
    );
    return `${kills} kills, the last step of ${refunds} refunds: ${lasts(left)}; of the payments that both refunded at once ${contested.once} were refunded once, ${contested.never} not at all, none twice: each refund is shown at both consoles and refused when it is sent again, ${settled} ended by a callback.`;
  } finally {
    await gateway.close();
    await cluster.remove();
    await keyring.close();
  }
};

const consoleInUse = async (): Promise<string> => {
  const driver = drivers.find(({ available }) => available);
  if (!driver) return 'skipped: no window can be opened on this machine.';
  await ensureBuilt();
  const { soakConsole } = await import('./console-soak.ts');
  const length = seconds(30);
  const { links, notes, callbacks, events, faults, leftOut, longestQuitMs, memoryMb } = await soakConsole(
    driver.name,
    length,
    progress => console.error(progress),
  );
  const counts = Object.entries(faults).map(([name, count]) => `${name} ${count}`);
  const [before, after] = memoryMb.map(megabytes => `${megabytes.toFixed()} MB`);
  const missing = leftOut.length > 0 ? ` (left out on this machine: ${leftOut.join(', ')})` : '';
  return `${counts.join(', ')}${missing}: all ${links} links, ${notes} notes and ${callbacks} callbacks that were acknowledged are in the log, each state follows from its evidence, and its ${events} events verify; memory ${before} before and ${after} after the last third; quitting took at most ${(longestQuitMs / 1_000).toFixed(1)} s.`;
};

const parts = {
  console: { console: consoleInUse },
  receiver: { load, window, duplicates, kills, malformed },
  refunds: { refunds: refundsAlone },
  'team-refunds': { 'team-refunds': refundsInTeam },
  team: { team },
};
const [chosen = 'console'] = positionals;
if (!Object.hasOwn(parts, chosen)) throw new Error(`Choose one of ${Object.keys(parts).join(', ')}.`);

for (const [name, work] of Object.entries<(folder: string) => Promise<string>>(
  parts[chosen as keyof typeof parts],
)) {
  try {
    console.log(`${name}: ${await inFolder(work)}`);
  } catch (error) {
    console.log(`${name}: BROKEN: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
// A browser that waits for the next console would keep this process running.
process.exit();
