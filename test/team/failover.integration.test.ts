import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PaymentLog } from '../../main/payment-log/payment-log.ts';
import type { SharedLog } from '../../main/payment-log/postgres/open-shared-log.ts';
import type { SharedLogSettings } from '../../main/payment-log/postgres/connection-settings.ts';
import { startShipping, type Shipping } from '../../main/team/ship.ts';
import { startWitness } from '../../main/team/witness.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { logFolder } from '../../tools/app-harness/running-payment-log.ts';
import { note, requested } from '../../tools/evidence/evidence.ts';
import { isPostgresMissing, startStandby } from '../../tools/postgres-harness/cluster.ts';
import { startProxy } from '../../tools/postgres-harness/proxy.ts';
import { must } from '../../tools/postgres-harness/shared-log.ts';
import { useTeam } from '../../tools/postgres-harness/use-team.ts';

/** Events before the standby falls behind, and after it. */
const part = 100;
const timeout = 20_000;

type Installed = { journal: PaymentLog; shared: SharedLog; write(): Promise<void>; shipping: Shipping };

describe.skipIf(isPostgresMissing)('a failover to a standby (needs PostgreSQL)', () => {
  const { cluster, team, closing } = useTeam();

  test('a failover to a standby that lacks acknowledged events is named with numbers, and healed from the journals', async () => {
    const proxy = await startProxy(cluster.host, cluster.port);
    closing.push(() => proxy.close());
    const ship = ({ journal, shared }: Pick<Installed, 'journal' | 'shared'>): Shipping => {
      const shipping = startShipping({ clock: Date.now, journal, shared });
      closing.push(() => shipping.close());
      return shipping;
    };
    const open = async (writer: string, settings: SharedLogSettings): Promise<Installed> => {
      const folder = logFolder();
      closing.push(() => folder.remove());
      const journal = await folder.open(writer);
      const shared = team.open(settings);
      const shipping = ship({ journal, shared });
      const write = async (): Promise<void> => {
        const drafts = Array.from({ length: part }, (_, index) =>
          index === 0 ? requested() : note(index, `${writer} ${index}`),
        ).map(draft => ({ ...draft, orderNumber: `CF-${writer}` }));
        const last = must(await journal.append(drafts)).events.at(-1)?.writerSeq ?? 0;
        expect(await shipping.shipped(last, timeout)).toBe(true);
      };
      return { journal, shared, shipping, write };
    };
    const one = await open('console-1', await team.add('console', 'Counter 1', proxy.port));
    const two = await open('console-2', await team.add('console', 'Counter 2', proxy.port));
    await Promise.all([one.write(), two.write()]);

    const standby = await startStandby(cluster);
    closing.push(() => standby.remove());
    // From now on, nothing reaches the standby.
    await standby.sql("ALTER SYSTEM SET primary_conninfo = ''");
    await standby.sql('SELECT pg_reload_conf()');
    await expect.poll(() => standby.sql('SELECT 1 FROM pg_stat_wal_receiver')).toEqual([]);
    await Promise.all([one.write(), two.write()]);
    const files = newFolder('witness');
    const witness = startWitness({
      file: join(files, 'seen.json'),
      logId: randomUUID(),
      own: 'console-1',
      shared: one.shared,
      onChange: () => undefined,
      everyMs: 500,
    });
    closing.push(() => witness.close());
    must(await witness.look());
    expect(witness.broken()).toEqual([]);
    // The other installation is switched off when the server is lost.
    await two.shipping.close();
    await cluster.kill();
    await standby.sql('SELECT pg_promote()');
    proxy.pointTo(standby.port);
    proxy.cut();

    // Its own events are there again; those of the other one are named.
    const stored = () =>
      standby.sql<{ name: string; last: number }>(
        `SELECT w.name, max(e.writer_seq)::int AS last FROM ${team.schema}.event e
         JOIN ${team.schema}.writer w ON w.id = e.writer GROUP BY 1 ORDER BY 1`,
        team.database,
      );
    await expect.poll(stored).toEqual([
      { name: 'console-1', last: 2 * part },
      { name: 'console-2', last: part },
    ]);
    await expect
      .poll(() => witness.broken())
      .toEqual([{ writer: 'console-2', from: part + 1, to: 2 * part, how: 'gone' }]);
    // It comes back and completes its chain.
    expect(await ship(two).shipped(2 * part, timeout)).toBe(true);
    await expect.poll(() => witness.broken()).toEqual([]);
    const shared = must(await one.shared.chainEnds());
    for (const { journal } of [one, two])
      expect(shared).toEqual(expect.arrayContaining([...(await journal.chainEnds())]));
    const verified = must(await one.shared.verify());
    expect(verified).toMatchObject({ events: 4 * part, problems: [] });
  }, 90_000);
});
