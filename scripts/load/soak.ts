import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { setup as bundleWorkers } from '../../tools/app-harness/bundle-workers.ts';
import { openTeamErasures } from '../../main/team/team-erasures.ts';
import { startKeeper } from '../../main/team/keeper.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import type { Event } from '../../shared/payments/evidence.ts';
import { note, requested } from '../../tools/evidence/evidence.ts';
import {
  intakeFolder,
  password,
  type IntakeFolder,
  type RunningIntake,
} from '../../tools/intake-harness/running-intake.ts';
import { isPostgresMissing, startCluster, type Cluster } from '../../tools/postgres-harness/cluster.ts';
import { startProxy, type Proxy } from '../../tools/postgres-harness/proxy.ts';
import { hostileChain, startHostileAccount } from '../../tools/postgres-harness/hostile-account.ts';
import { createTeam, must, type Team } from '../../tools/postgres-harness/shared-log.ts';
import { openInstallation, type Installation } from '../../tools/postgres-harness/team-log.ts';
import { signedCallbacks } from './callbacks.ts';

/**
 * `npm run soak -- --minutes 30`: three consoles and two intakes on one shared log, with random faults: processes are
 * killed, networks are cut, answers are lost, a standby does not confirm, copies begin again, and people erase, while one
 * more account is hostile. Afterwards everything that was acknowledged must be in the shared log, once, and every console
 * must show the same, without anything that the hostile account wrote. Exits 1 if a guarantee was broken.
 */

const consoles = 3;
const intakes = 2;
/** Time that everything may take to be passed on after the last fault. */
const settleMs = 120_000;

/** Limit of one fault with its recovery, milliseconds. */
const maxFaultMs = 120_000;

const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(Math.random() * from.length)];
/** Waits for a random time, milliseconds. */
const someTime = (least: number, most: number): Promise<unknown> =>
  delay(least + Math.random() * (most - least));

/** Each kind once in its turn, then at random; returns how often each happened. */
const runFaults = async (
  kinds: Readonly<Record<string, () => Promise<unknown>>>,
  milliseconds: number,
): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  const until = performance.now() + milliseconds;
  const names = Object.keys(kinds);
  for (let round = 0; performance.now() < until; round += 1) {
    const name = names[round] ?? pick(names) ?? '';
    const late = AbortSignal.timeout(maxFaultMs);
    const isLate = new Promise<never>((_, reject) => {
      late.addEventListener('abort', () => reject(new Error(`"${name}" did not end`)));
    });
    await Promise.race([kinds[name]?.(), isLate]);
    counts[name] = (counts[name] ?? 0) + 1;
    await someTime(500, 4_000);
  }
  return counts;
};

type Console = Installation & { proxy: Proxy };
type Intake = { folder: IntakeFolder; proxy: Proxy; running: RunningIntake | null };

const openConsole = async (team: Team, cluster: Cluster, number: number): Promise<Console> => {
  const proxy = await startProxy(cluster.host, cluster.port);
  const rights = number === 1 ? (['keeper'] as const) : [];
  const settings = await team.add('console', `Till ${number}`, proxy.port, rights);
  const installation = await openInstallation(team, `console-${number}`, { settings, waitMs: 100 });
  return { ...installation, proxy };
};

const openIntake = async (team: Team, cluster: Cluster, number: number): Promise<Intake> => {
  const proxy = await startProxy(cluster.host, cluster.port);
  const account = await team.add('intake', `Intake ${number}`, proxy.port, ['keeper']);
  const folder = intakeFolder();
  writeFileSync(join(folder.folder, 'database.password'), account.password ?? '');
  folder.configure({
    database: {
      host: account.host,
      port: account.port,
      name: account.database,
      schema: account.schema,
      role: account.role,
      password: { file: 'database.password' },
    },
  });
  return { folder, proxy, running: await folder.start() };
};

/**
 * Callbacks of one millisecond are in the order of their arrival at a console: here in that of their ids, and without
 * those of the last millisecond, of which some may be beyond the limit.
 */
const inOneOrder = (callbacks: readonly Event[]): Event[] => {
  const until = callbacks.at(-1)?.recordedAt;
  return callbacks
    .filter(({ recordedAt }) => recordedAt !== until)
    .toSorted((one, other) => one.recordedAt - other.recordedAt || (one.id < other.id ? -1 : 1));
};

/** Runs for `seconds`, and throws at the first broken guarantee. Returns what was found, as text. */
const soak = async (seconds: number): Promise<string> => {
  const cluster = await startCluster({ max_connections: '100' });
  const team = await createTeam(cluster);
  const all = {
    consoles: await Promise.all(
      Array.from({ length: consoles }, (_, at) => openConsole(team, cluster, at + 1)),
    ),
    intakes: await Promise.all(Array.from({ length: intakes }, (_, at) => openIntake(team, cluster, at + 1))),
  };
  const followers = all.consoles.map(installation =>
    openTeamErasures({ clock: Date.now, ...installation, everyMs: 1_000 }),
  );
  const [keeping] = all.consoles;
  const keeper = keeping && startKeeper({ clock: Date.now, ...keeping, intervalMs: 5_000 });
  const hostile = startHostileAccount(await team.add('console', 'Stolen'));
  const proxies = [...all.consoles, ...all.intakes].map(({ proxy }) => proxy);
  const next = signedCallbacks(password);
  const acknowledged: string[] = [];
  let isOver = false;
  let erased = 0;

  const countForged = async (): Promise<number> => {
    const [counted] = await team.sql<{ events: number }>(
      `SELECT count(*)::int AS events FROM event WHERE writer = (SELECT id FROM writer WHERE name = '${hostileChain}')`,
    );
    return counted?.events ?? 0;
  };
  const awaitOver = (): boolean => isOver;

  const sending = all.intakes.map(async intake => {
    while (!awaitOver()) {
      const body = next();
      const status = await (intake.running?.post(body) ?? Promise.resolve(null)).catch(() => null);
      if (status === 200) acknowledged.push(new URLSearchParams(body).get('order_number') ?? '');
      await delay(status === 200 ? 5 : 100);
    }
  });
  const working = all.consoles.map(async ({ journal }, at) => {
    for (let number = 0; !awaitOver(); number += 1) {
      const orderNumber = `CONSOLE-${at % 2}-${number}`;
      const customer = { email: `customer-${number}@example.com` };
      must(
        await journal.append(
          [requested(Date.now(), { customer }), note(Date.now(), 'called')].map(draft => ({
            ...draft,
            orderNumber,
          })),
        ),
      );
      await delay(20);
    }
  });

  const kinds = {
    'kill PostgreSQL': async () => {
      await cluster.kill();
      await someTime(0, 2_000);
      await cluster.start();
    },
    'kill an intake': async () => {
      const intake = pick(all.intakes);
      if (!intake) return;
      await intake.running?.end('SIGKILL');
      intake.running = null;
      await someTime(0, 1_000);
      intake.running = await intake.folder.start();
    },
    'cut a network': async () => {
      const proxy = pick(proxies);
      proxy?.set('hold');
      await someTime(500, 5_000);
      proxy?.set('forward');
      proxy?.cut();
    },
    'lose answers': async () => {
      const proxy = pick(proxies);
      proxy?.set('drop-answers');
      await someTime(100, 1_500);
      proxy?.set('forward');
      proxy?.cut();
    },
    'forget connections': async () => {
      // As a firewall does: the old ones are silent for ever, new ones work.
      pick(proxies)?.forget();
      await someTime(500, 2_000);
    },
    'close connections': async () => {
      await cluster.sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename LIKE '%_for_%'",
      );
    },
    'wait for a standby': async () => {
      await cluster.sql("ALTER SYSTEM SET synchronous_standby_names = 'gone'");
      await cluster.sql('SELECT pg_reload_conf()');
      await someTime(500, 2_000);
      await cluster.sql("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
      await cluster.sql('ALTER SYSTEM RESET synchronous_standby_names');
      await cluster.sql('SELECT pg_reload_conf()');
    },
    'copy everything again': async () => {
      // Further faults interrupt it.
      void pick(all.consoles)?.list.rebuild();
      await someTime(0, 500);
    },
    'erase an order': async () => {
      const done = await followers[0]?.erase({
        reason: 'request',
        agent: 'Ada',
        profileId: 'sandbox',
        orderNumbers: [`CONSOLE-0-${Math.floor(Math.random() * 20)}`],
      });
      if (done?.ok === true) erased += done.value.payments;
    },
  };

  try {
    const faults = await runFaults(kinds, seconds * 1_000);
    // Few faults may have left the hostile account no time.
    for (const deadline = performance.now() + settleMs; (await countForged()) === 0; await delay(100))
      if (performance.now() > deadline) throw new Error('The hostile account has forged nothing.');
    isOver = true;
    await Promise.all([...sending, ...working, hostile.close()]);
    for (const installation of all.consoles) {
      const [end] = await installation.journal.chainEnds();
      if (!(await installation.shipping.shipped(end?.seq ?? 0, settleMs)))
        throw new Error('A console did not pass everything on.');
    }
    for (const { folder, running } of all.intakes) {
      const deadline = performance.now() + settleMs;
      for (;;) {
        const health = (await (await fetch(`${running?.admin ?? ''}/readyz`)).json()) as {
          shared: { state: string; waitingEvents: number };
        };
        if (health.shared.state === 'connected' && health.shared.waitingEvents === 0) break;
        if (performance.now() > deadline) throw new Error('An intake did not pass everything on.');
        await delay(200);
      }
      const verified = await folder.command('verify');
      if (verified.code !== 0) throw new Error(`An intake's journal: ${verified.stdout}`);
    }
    // What was erased is erased in every journal.
    await keeper?.round();
    for (const follower of followers) must(await follower.follow());
    for (const { journal } of all.consoles) {
      const [problem] = (await journal.verify()).problems;
      if (problem) throw new Error(`A console's journal: ${inEnglish(problem.message)}`);
    }
    // Every console shows the same, and nothing is left out but what the hostile account wrote, which is all of it.
    const forged = await countForged();
    for (const installation of all.consoles) {
      await installation.level(settleMs);
      const leftOut = installation.list.standing().others?.leftOut ?? [];
      const honest = leftOut.find(({ writer }) => writer !== hostileChain);
      if (honest)
        throw new Error(
          `A console leaves out ${honest.events} events of ${honest.writer}: ${honest.problem}`,
        );
      const count = leftOut.reduce((sum, { events }) => sum + events, 0);
      if (count !== forged) throw new Error(`A console leaves out ${count} of ${forged} forged events.`);
    }
    const show = async ({ log }: Console): Promise<string> =>
      JSON.stringify({
        counts: await log.counts(null),
        callbacks: inOneOrder(await log.recentCallbacks(50)),
      });
    // A console also copies what it wrote last, and is level without that.
    for (const deadline = performance.now() + settleMs; ; await delay(200)) {
      const [one, ...others] = await Promise.all(all.consoles.map(show));
      const other = others.find(text => text !== one);
      if (other === undefined) break;
      if (performance.now() > deadline)
        throw new Error(`The consoles show different things:\n${one}\n${other}`);
    }
    const [shared] = all.consoles;
    const named = shared && must(await shared.shared.verify());
    if (named?.problems.length === 0) throw new Error('The verification does not name the forged events.');
    await team.sql(
      `WITH gone AS (DELETE FROM writer WHERE name = '${hostileChain}' RETURNING id)
       DELETE FROM event WHERE writer IN (SELECT id FROM gone)`,
    );
    const report = shared && must(await shared.shared.verify());
    const [problem] = report?.problems ?? [];
    if (problem) throw new Error(`The shared log: ${inEnglish(problem.message)}`);
    const stored = await team.sql<{ order: string }>(
      "SELECT order_number AS order FROM event WHERE kind = 'callback.received'",
    );
    const orders = new Set(stored.map(({ order }) => order));
    const lost = acknowledged.filter(order => !orders.has(order));
    if (lost.length > 0) throw new Error(`${lost.length} acknowledged callbacks are missing`);
    const [counted] = await team.sql<{ doubled: number; late: number }>(
      `SELECT (SELECT count(*) FROM (SELECT id FROM event GROUP BY id HAVING count(*) > 1) d)::int AS doubled,
         (SELECT count(*) FROM erasure_request r JOIN event e ON e.order_number = r.order_number
           AND e.profile_id = r.profile_id AND e.recorded_at < r.requested_at
           JOIN personal p ON p.writer = e.writer AND p.writer_seq = e.writer_seq)::int AS late`,
    );
    if (counted?.doubled !== 0) throw new Error(`${counted?.doubled ?? 0} events are there twice`);
    if (counted.late !== 0) throw new Error(`${counted.late} values were erased and are still there`);
    const counts = Object.entries(faults).map(([name, count]) => `${name} ${count}`);
    return `${counts.join(', ')}: all ${acknowledged.length} callbacks that were answered 200 are in the shared log, ${report?.events ?? 0} events verify, each once; ${erased} erasures reached every journal; ${hostile.attacks()} attacks of a hostile account changed nothing, and every console leaves out its ${forged} events.`;
  } finally {
    isOver = true;
    await hostile.close();
    await keeper?.close();
    for (const follower of followers) await follower.close();
    for (const proxy of proxies) await proxy.close();
    for (const { folder } of all.intakes) await folder.remove();
    for (const installation of all.consoles) await installation.remove();
    await team.close();
    await cluster.remove();
  }
};

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error('--minutes needs a number above 0.');
if (isPostgresMissing) console.log('soak: skipped: PostgreSQL is not installed.');
else
  try {
    // The intakes are processes of the bundled program.
    await bundleWorkers({ onTestsRerun: () => undefined });
    console.log(`soak: ${await soak(minutes * 60)}`);
  } catch (error) {
    console.log(`soak: BROKEN: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
process.exit();
