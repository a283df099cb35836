import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { note, requested } from '../../tools/evidence/evidence.ts';
import { startCluster, type Cluster } from '../../tools/postgres-harness/cluster.ts';
import { followTeam } from '../../tools/postgres-harness/replica.ts';
import { createTeam, must, type Team } from '../../tools/postgres-harness/shared-log.ts';
import { openInstallation, type Installation } from '../../tools/postgres-harness/team-log.ts';
import { percentile } from '../percentile.ts';

/** Simulations for docs/build/scale.md: many installations that listen, and months that are dropped under load. */

const dayMs = 86_400_000;

const setUp = async (): Promise<{ cluster: Cluster; team: Team; writing: Installation }> => {
  const cluster = await startCluster({ max_connections: '600', shared_buffers: '256MB', fsync: 'on' });
  const team = await createTeam(cluster);
  const settings = await team.add('desk', 'Desk 1', undefined, ['keeper']);
  return { cluster, team, writing: await openInstallation(team, 'desk-1', { settings, waitMs: 100 }) };
};

/** CPU time of the server's processes so far, seconds. */
const serverCpu = (cluster: Cluster): number => {
  const pids = readFileSync(`/proc/${cluster.pid()}/task/${cluster.pid()}/children`, 'utf8')
    .trim()
    .split(' ');
  const ticks = [String(cluster.pid()), ...pids].map(pid => {
    try {
      // User, system, and those of ended children.
      return (
        readFileSync(`/proc/${pid}/stat`, 'utf8')
          .split(') ')[1]
          ?.split(' ')
          .slice(11, 15)
          .reduce((sum, one) => sum + Number(one), 0) ?? 0
      );
    } catch {
      return 0;
    }
  });
  return ticks.reduce((sum, one) => sum + one, 0) / 100;
};

const append = async ({ journal, shipping }: Installation, text: string): Promise<number> => {
  const startedAt = performance.now();
  const last = must(await journal.append([note(Date.now(), text)])).events.at(-1)?.writerSeq ?? 0;
  await shipping.shipped(last, 10_000);
  return performance.now() - startedAt;
};

const inWords = (times: readonly number[]): string =>
  `p50 ${percentile(times, 0.5).toFixed(0)} ms, p95 ${percentile(times, 0.95).toFixed(0)} ms, longest ${percentile(times, 1).toFixed(0)} ms`;

/** So many installations listen while one writes; the listeners share this process. */
export const simulateListeners = async (
  count: number,
  perSecond: number,
  seconds: number,
): Promise<string> => {
  const { cluster, team, writing } = await setUp();
  const listeners = [];
  try {
    const sentAt = new Map<string, number>();
    const delays: number[] = [];
    const settings = await team.add('desk', 'Listener');
    await team.sql(`ALTER ROLE ${settings.role} CONNECTION LIMIT -1`);
    for (let number = 0; number < count; number += 1) {
      listeners.push(
        followTeam(settings, `listener-${number}`, events => {
          for (const event of events) {
            const at = event.kind === 'note.added' ? sentAt.get(event.body.text) : undefined;
            if (at !== undefined) delays.push(performance.now() - at);
          }
        }),
      );
      if (number % 50 === 49) await delay(500);
    }
    await delay(6_000);
    const idleFrom = serverCpu(cluster);
    await delay(5_000);
    const idle = (serverCpu(cluster) - idleFrom) / 5;
    const from = serverCpu(cluster);
    const commits: number[] = [];
    const sent = perSecond * seconds;
    for (let number = 0; number < sent; number += 1) {
      const text = `Event ${number}`;
      sentAt.set(text, performance.now());
      commits.push(await append(writing, text));
      await delay(1_000 / perSecond);
    }
    await delay(3_000);
    const used = (serverCpu(cluster) - from - idle * (seconds + 3)) / sent;
    return `${count} listeners, ${sent} events at about ${perSecond}/s: ${delays.length} of ${sent * count} received; from the append to a listener ${inWords(delays)}; commit ${inWords(commits)}; server ${(idle * 100).toFixed(0)} % of a core while nothing happens, ${(used * 1_000).toFixed(0)} ms for each event.`;
  } finally {
    for (const listener of listeners) await listener.close();
    await writing.remove();
    await team.close();
    await cluster.remove();
  }
};

/** Old months, each with values, are erased and dropped while an installation appends without a pause. */
export const simulateRetention = async (months: number, valuesPerMonth: number): Promise<string> => {
  const { cluster, team, writing } = await setUp();
  const { startKeeper } = await import('../../main/team/keeper.ts');
  try {
    must(await writing.journal.append([requested(0, { customer: { email: 'a@example.com' } })]));
    await append(writing, 'first');
    const oldest = Date.now() - (months + 13) * 30 * dayMs;
    await team.sql(`SELECT months_1(${oldest}, ${Date.now()})`);
    // A chain of another installation, months old: values without content, for the drops alone.
    await team.sql(
      `INSERT INTO installation (role, kind, label) VALUES ('old', 'intake', 'Old');
       INSERT INTO writer (name, kind, label, role, last_seq) VALUES ('old', 'intake', 'Old', 'old', ${months * valuesPerMonth});
       INSERT INTO event SELECT (SELECT id FROM writer WHERE name = 'old'), n, gen_random_uuid(), 'sandbox', 'OLD-' || n / 5, NULL,
         ${oldest}, ${oldest} + n * ${Math.floor((months * 30 * dayMs) / (months * valuesPerMonth))}::bigint, 'Ada', 'note.added', NULL,
         (SELECT id FROM shape LIMIT 1), '["x"]', sha256('x'), sha256('x') FROM generate_series(1, ${months * valuesPerMonth}) n;
       INSERT INTO personal SELECT writer, writer_seq, recorded_at, sha256('s'), '["someone@example.com"]' FROM event
         WHERE writer = (SELECT id FROM writer WHERE name = 'old');
       ANALYZE event; ANALYZE personal`,
    );
    await team.administer(async administration => must(await administration.setRetention(365)));
    const other = await openInstallation(team, 'desk-2', {
      settings: await team.add('desk', 'Desk 2'),
      waitMs: 100,
    });
    const load = { isOver: false };
    const times: { quiet: number[]; keeping: number[] } = { quiet: [], keeping: [] };
    let phase: keyof typeof times = 'quiet';
    const appending = (async () => {
      while (!load.isOver) times[phase].push(await append(other, 'load'));
    })();
    await delay(5_000);
    phase = 'keeping';
    const keeper = startKeeper({ ...writing, intervalMs: 3_600_000 });
    const startedAt = performance.now();
    const done = must(await keeper.round());
    const took = (performance.now() - startedAt) / 1_000;
    load.isOver = true;
    await appending;
    keeper.close();
    await other.remove();
    return `${done.erased} values of ${months} months erased and ${done.months.length} months dropped in ${took.toFixed(0)} s (${Math.round(done.erased / took)}/s) under load; commits of another installation before ${inWords(times.quiet)}, meanwhile ${inWords(times.keeping)}.`;
  } finally {
    await writing.remove();
    await team.close();
    await cluster.remove();
  }
};
