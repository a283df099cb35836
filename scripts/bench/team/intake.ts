import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  intakeFolder,
  password,
  type IntakeFolder,
  type RunningIntake,
} from '../../../tools/intake-harness/running-intake.ts';
import type { Cluster } from '../../../tools/postgres-harness/cluster.ts';
import type { Team } from '../../../tools/postgres-harness/shared-log.ts';
import { post } from '../../load/posting.ts';
import { median } from '../../load/percentile.ts';
import { root } from '../../../tools/build/steps.ts';
import { atLeast, atMost, type Row } from '../measure.ts';
import { cpuOf, cpuOfClosed, cpuOfOpen } from './cpu-of-server.ts';
import { insertSingly, prepareInserts } from './pgbench.ts';

/** The intake as it is shipped. */
const program = join(root, 'out', 'intake', 'index.js');

/** Adds an intake to a shared log: a folder with its configuration. */
export const addIntake = async (team: Team, label: string): Promise<IntakeFolder> => {
  const { host, port, database, schema, role, password: secret } = await team.add('intake', label);
  const folder = intakeFolder(undefined, program);
  writeFileSync(join(folder.folder, 'database.password'), secret ?? '');
  folder.configure({
    database: { host, port, name: database, schema, role, password: { file: 'database.password' } },
  });
  return folder;
};

/** `cpu`: of the server, microseconds per event. */
type Load = { perSecond: number; cpu: number };

/** How long an intake may be busy after a round, and the interval of looking. */
const settleMs = 60_000;
const lookMs = 250;

/** Resolves when the intake is idle: what it puts off under load must not slow the reference down. */
const settled = async (intake: RunningIntake): Promise<void> => {
  for (const until = performance.now() + settleMs; performance.now() < until;) {
    const used = cpuOf(intake.child.pid ?? 0);
    await wait(lookMs);
    if (cpuOf(intake.child.pid ?? 0) - used < lookMs / 5) return;
  }
  throw new Error('The intake does not become idle.');
};

/** Seconds of one round of each side, and rounds. */
const seconds = 4;
const rounds = 7;

const loadIntake = async (
  intake: RunningIntake,
  cluster: Cluster,
  connections: number,
  first: number,
): Promise<Load & { last: number }> => {
  const before = await cpuOfOpen(cluster, 'write');
  const { answered, durationMs } = await post({
    url: intake.url,
    connections,
    milliseconds: seconds * 1_000,
    password,
    first,
    maxPerSecond: 12_000,
  });
  await settled(intake);
  return {
    perSecond: (answered / durationMs) * 1_000,
    cpu: (((await cpuOfOpen(cluster, 'write')) - before) / answered) * 1_000,
    last: first + answered + connections,
  };
};

const loadTable = async (cluster: Cluster, database: string, clients: number): Promise<Load> => {
  const before = cpuOfClosed(cluster);
  const done = await insertSingly(cluster, database, { clients, seconds });
  // The server accounts for a connection once its process has ended.
  await wait(500);
  return {
    perSecond: done / seconds,
    cpu: ((cpuOfClosed(cluster) - before) / done) * 1_000,
  };
};

/**
 * One intake over HTTP, which verifies, journals and commits each callback in the shared log before it answers,
 * compared with PostgreSQL's load generator inserting into the same table, one event a transaction.
 */
export const intakeRate = async (cluster: Cluster, team: Team): Promise<Row[]> => {
  await prepareInserts(cluster, team.database, team.schema);
  const folder = await addIntake(team, 'Bench');
  try {
    const intake = await folder.start();
    let last = (await loadIntake(intake, cluster, 32, 0)).last;
    const rows: Row[] = [];
    for (const [connections, target] of [
      [32, 0.3],
      [128, 0.6],
    ] as const) {
      const ours: Load[] = [];
      const bare: Load[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const loaded = await loadIntake(intake, cluster, connections, last);
        ({ last } = loaded);
        ours.push(loaded);
        bare.push(await loadTable(cluster, team.database, connections));
      }
      const of = (loads: Load[], key: keyof Load): number => median(loads.map(load => load[key]));
      rows.push(
        atLeast(
          `an intake over HTTP, ${connections} connections, callbacks committed per second / pgbench, single inserts into the same table`,
          of(ours, 'perSecond'),
          of(bare, 'perSecond'),
          target,
        ),
        atMost(
          'the same, CPU of the server per event / per insert (µs)',
          of(ours, 'cpu'),
          of(bare, 'cpu'),
          0.4,
        ),
        atMost('the same, CPU of the server per event / 80 (µs)', of(ours, 'cpu'), 80, 1),
      );
    }
    return rows;
  } finally {
    await folder.remove();
  }
};
