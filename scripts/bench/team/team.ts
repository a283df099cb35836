import { isPostgresMissing, startCluster } from '../../../tools/postgres-harness/cluster.ts';
import { createTeam, type Team } from '../../../tools/postgres-harness/shared-log.ts';
import { buildIntake } from '../../../tools/build/build.ts';
import { missing, type Row } from '../measure.ts';
import { callbackToRow } from './drawn.ts';
import { intakeRate } from './intake.ts';
import { joinRate } from './join.ts';
import { killsUnderLoad } from './kills.ts';
import { firstCopy } from './replica.ts';

/** As an administrator would run it: what was committed is on the disk. */
const settings = { fsync: 'on', shared_buffers: '512MB', max_connections: '300' };

/**
 * The rows of the shared payment log, on a PostgreSQL that is started for them. `isFull`: with a million events and a
 * hundred kills.
 */
export const teamRows = async ({
  isFull,
  only,
}: {
  isFull: boolean;
  only?: string | undefined;
}): Promise<Row[]> => {
  if (isPostgresMissing) return [missing('the shared payment log', 'PostgreSQL is not installed', 1)];
  if (!(await buildIntake())) throw new Error('the intake cannot be built');
  const cluster = await startCluster(settings);
  const rows: Row[] = [];
  const measure: Readonly<Record<string, (team: Team) => Promise<Row[]>>> = {
    intake: team => intakeRate(cluster, team),
    drawn: team => callbackToRow(team),
    join: team => joinRate(team, isFull ? 1_000_000 : 100_000),
    replica: team => firstCopy(team, isFull ? 1_000_000 : 50_000),
    kills: team => killsUnderLoad(cluster, team, isFull ? 100 : 12),
  };
  try {
    for (const [name, of] of Object.entries(measure)) {
      if (only !== undefined && only !== name) continue;
      process.stderr.write(`measuring ${name}\n`);
      const team = await createTeam(cluster);
      try {
        rows.push(...(await of(team)));
      } finally {
        await team.close();
      }
    }
    return rows;
  } finally {
    await cluster.remove();
  }
};
