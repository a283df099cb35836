import { describe, expect, test } from 'vitest';
import { startShipping } from '../../main/team/ship.ts';
import { logFolder } from '../../tools/app-harness/running-payment-log.ts';
import { note } from '../../tools/evidence/evidence.ts';
import { isPostgresMissing } from '../../tools/postgres-harness/cluster.ts';
import { startProxy } from '../../tools/postgres-harness/proxy.ts';
import { must } from '../../tools/postgres-harness/shared-log.ts';
import { useTeam } from '../../tools/postgres-harness/use-team.ts';

/** A firewall forgets connections: the old ones are silent for ever, and new ones work. */

describe.skipIf(isPostgresMissing)('forgotten connections (needs PostgreSQL)', () => {
  const { team, cluster, closing } = useTeam();
  const opened = async () => {
    const proxy = await startProxy(cluster.host, cluster.port);
    const folder = logFolder();
    const journal = await folder.open('console-1');
    const shared = team.open(await team.add('console', 'Counter 1', proxy.port));
    const shipping = startShipping({ clock: Date.now, journal, shared });
    closing.push(
      () => folder.remove(),
      () => proxy.close(),
      () => shipping.close(),
    );
    await shipping.compared;
    const append = async (): Promise<number> =>
      must(await journal.append([note(0, 'Will call back')])).events.at(-1)?.writerSeq ?? 0;
    return { proxy, shipping, append };
  };
  const backends = async (): Promise<number> =>
    Number(
      (
        await team.sql<{ count: string }>(
          "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'counterfoil write'",
        )
      )[0]?.count,
    );

  test('a forgotten connection that the server is still reading a statement from does not hold the chain', async () => {
    const { proxy, shipping, append } = await opened();
    expect(await shipping.shipped(await append(), 10_000)).toBe(true);
    // The notification about it is answered too.
    await expect
      .poll(() =>
        team.sql(`SELECT 1 FROM pg_stat_activity WHERE application_name LIKE 'counterfoil%'
          AND (state <> 'idle' OR state_change > now() - interval '200 milliseconds')`),
      )
      .toEqual([]);
    proxy.set('hold-ends');
    const last = await append();
    // The server has run the statement, and waits for the rest of the message.
    await expect
      .poll(() =>
        team.sql(
          `SELECT 1 FROM pg_stat_activity WHERE application_name = 'counterfoil write' AND backend_xid IS NOT NULL
               AND wait_event = 'ClientRead'`,
        ),
      )
      .toHaveLength(1);
    proxy.set('forward');
    expect(await shipping.shipped(last, 25_000)).toBe(true);
    await expect.poll(backends).toBe(1);
  });
});
