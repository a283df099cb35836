import { setTimeout as wait } from 'node:timers/promises';
import { password, type RunningIntake } from '../../../tools/intake-harness/running-intake.ts';
import type { Cluster } from '../../../tools/postgres-harness/cluster.ts';
import type { Team } from '../../../tools/postgres-harness/shared-log.ts';
import { signedCallbacks } from '../../load/callbacks.ts';
import { atMost, type Row } from '../measure.ts';
import { addIntake } from './intake.ts';

const senders = 16;
/** Load before each kill. */
const loadMs = 400;
const settleMs = 120_000;

/**
 * Kills PostgreSQL, the intake, and both in turn with SIGKILL under load. Each callback is posted once: one that was
 * answered 200 must be in the shared log at the end, and none twice.
 */
export const killsUnderLoad = async (cluster: Cluster, team: Team, kills: number): Promise<Row[]> => {
  const folder = await addIntake(team, 'Bench with kills');
  const acknowledged = new Set<string>();
  const next = signedCallbacks(password, 10_000_000);
  let intake: RunningIntake | null = await folder.start();
  const over = new AbortController();
  const send = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const body = next();
      const id = new URLSearchParams(body).get('id') ?? '';
      const status = await (intake?.post(body) ?? Promise.resolve(0)).catch(() => 0);
      if (status === 200) acknowledged.add(id);
      else await wait(20);
    }
  };
  try {
    const sending = Array.from({ length: senders }, send);
    for (let kill = 0; kill < kills; kill += 1) {
      await wait(loadMs);
      const ends = kill % 3;
      if (ends !== 0) {
        const killed: RunningIntake | null = intake;
        intake = null;
        await killed?.end('SIGKILL');
      }
      if (ends !== 1) {
        await cluster.kill();
        await wait(50);
        await cluster.start();
      }
      intake ??= await folder.start();
    }
    over.abort();
    await Promise.all(sending);
    let lost = acknowledged.size;
    let doubled = 0;
    for (const until = performance.now() + settleMs; lost > 0 && performance.now() < until;) {
      await wait(500);
      const stored = await team.sql<{ id: string; times: string }>(
        `SELECT payment_id AS id, count(*) AS times FROM event WHERE kind = 'callback.received'
          AND payment_id >= '6f1d2c3b-0000-4000-8000-000010000000' GROUP BY payment_id`,
      );
      const ids = new Set(stored.map(({ id }) => id));
      lost = [...acknowledged].filter(id => !ids.has(id)).length;
      doubled = stored.filter(({ times }) => Number(times) > 1).length;
    }
    const after = `after ${kills} kills of PostgreSQL, the intake and both, of ${acknowledged.size} acknowledged callbacks`;
    return [atMost(`lost ${after}`, lost, 1, 0), atMost(`twice ${after}`, doubled, 1, 0)];
  } finally {
    over.abort();
    await folder.remove();
  }
};
