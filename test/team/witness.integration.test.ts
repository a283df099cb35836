import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { PaymentLog } from '../../main/payment-log/payment-log.ts';
import type { SharedLogSettings } from '../../main/payment-log/postgres/connection-settings.ts';
import type { ChainEnd, HeadFile } from '../../main/payment-log/answers.ts';
import { newHeadKey, signHead } from '../../main/payment-log/heads/signed-head.ts';
import { startShipping } from '../../main/team/ship.ts';
import { type Witness, startWitness } from '../../main/team/witness.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { logFolder } from '../../tools/app-harness/running-payment-log.ts';
import { note, requested } from '../../tools/evidence/evidence.ts';
import { isPostgresMissing, startStandby } from '../../tools/postgres-harness/cluster.ts';
import { must } from '../../tools/postgres-harness/shared-log.ts';
import { useTeam } from '../../tools/postgres-harness/use-team.ts';

describe.skipIf(isPostgresMissing)('a witness of the shared log (needs PostgreSQL)', () => {
  const { team, closing, ship: shipped } = useTeam();
  let journal: PaymentLog;
  let settings: SharedLogSettings;
  let other: SharedLogSettings;
  let files: string;
  const logId = randomUUID();

  beforeEach(async () => {
    const folder = logFolder();
    closing.push(() => folder.remove());
    files = newFolder('witness');
    journal = await folder.open('console-1', { hasList: false });
    settings = await team.add('console', 'Counter 1');
    other = await team.add('console', 'Counter 2');
  });

  const ship = async (): Promise<void> => {
    const shipping = startShipping({ clock: Date.now, journal, shared: team.open(settings) });
    const last = (await journal.chainEnds())[0]?.seq ?? 0;
    expect(await shipping.shipped(last, 10_000)).toBe(true);
    await shipping.close();
  };
  const write = async (count: number): Promise<void> => {
    must(await journal.append(Array.from({ length: count }, (_, at) => note(at, `Note ${at}`))));
    await ship();
  };
  const witness = async (
    onWhole: (ends: readonly ChainEnd[]) => void = () => undefined,
  ): Promise<Witness> => {
    const started = startWitness({
      file: join(files, 'witness.json'),
      logId,
      own: 'console-2',
      shared: team.open(other),
      onChange: () => undefined,
      onWhole,
    });
    closing.push(() => started.close());
    must(await started.look());
    return started;
  };
  /** As after restoring a backup of the database that ends at a number. */
  const cutTo = async (last: number): Promise<void> => {
    await team.sql(`DELETE FROM event WHERE writer_seq > ${last};
      UPDATE writer SET last_seq = ${last}, last_hash = (SELECT hash FROM event WHERE writer_seq = ${last})
        WHERE name = 'console-1'`);
  };

  test('a restored backup of the database is named with its numbers, also after a restart, until it is healed; one that only grew is not', async () => {
    await write(20);
    const first = await witness();
    expect(first.broken()).toEqual([]);
    await cutTo(12);
    const second = await witness();
    const gone = [{ writer: 'console-1', from: 13, to: 20, how: 'gone' }];
    expect(second.broken()).toEqual(gone);
    must(await first.look());
    expect(first.broken()).toEqual(gone);

    await ship();
    must(await second.look());
    expect(second.broken()).toEqual([]);
    // A chain that only grew is no problem.
    await write(5);
    must(await second.look());
    expect(second.broken()).toEqual([]);
  });

  test('a chain that was written again is named', async () => {
    await write(5);
    const watching = await witness();
    await team.sql(`UPDATE event SET hash = sha256(hash) WHERE writer_seq = 5;
      UPDATE writer SET last_hash = (SELECT hash FROM event WHERE writer_seq = 5)`);
    must(await watching.look());
    expect(watching.broken()).toEqual([{ writer: 'console-1', from: 1, to: 5, how: 'rebuilt' }]);
  });

  test('a signed head proves that a consistent chain was cut or written again', async () => {
    await write(5);
    const shared = team.open(other);
    const head = signHead(newHeadKey(), Date.now(), must(await shared.chainEnds()));
    const signed = { source: { kind: 'head-file', name: 'today.json' } as const, head };
    const forged = { ...signed, head: { ...head, chains: head.chains.map(end => ({ ...end, seq: 3 })) } };
    const findings = async (...heads: HeadFile[]): Promise<string[]> =>
      must(await shared.verify(undefined, heads)).problems.map(({ message }) => message.key);
    expect(await findings(signed)).toEqual([]);
    await cutTo(3);
    expect(await findings(signed)).toEqual(['integrity.head.event-missing']);
    // An administrator who rewrites it cannot sign it.
    expect(await findings(forged)).toEqual(['integrity.head.changed']);
    // What is whole again is no problem.
    await ship();
    expect(await findings(signed)).toEqual([]);
    await team.sql('UPDATE event SET hash = sha256(hash) WHERE writer_seq = 5');
    expect(await findings(signed)).toContain('integrity.head.event-other');
  });

  test('a broken chain keeps no other one out of the heads that a witness signs', async () => {
    await write(5);
    const second = await shipped('console-3', { settings: other });
    await second.write(note(0, 'whole'));
    let ends: readonly ChainEnd[] = [];
    const watching = await witness(found => (ends = found));
    expect(ends.map(({ writer }) => writer)).toEqual(['console-1', 'console-3']);
    await cutTo(3);
    must(await watching.look());
    expect(ends.map(({ writer }) => writer)).toEqual(['console-3']);
  });
});

/** Events before the standby falls behind, and after it. */
const part = 100;

describe.skipIf(isPostgresMissing)('a failover to a standby (needs PostgreSQL)', () => {
  const { cluster, team, closing, ship, proxied } = useTeam();

  test('a failover to a standby that lacks acknowledged events is named with numbers, and healed from the journals', async () => {
    const proxy = await proxied();
    const open = async (writer: string) =>
      ship(writer, { settings: await team.add('console', writer, proxy.port) });
    const [one, two] = [await open('console-1'), await open('console-2')];
    const writeBoth = () =>
      Promise.all(
        [one, two].map(({ account: { role }, write }) =>
          write(
            ...Array.from({ length: part }, (_, index) =>
              index === 0 ? requested() : note(index, `${role} ${index}`),
            ).map(draft => ({ ...draft, orderNumber: `CF-${role}` })),
          ),
        ),
      );
    await writeBoth();

    const standby = await startStandby(cluster);
    closing.push(() => standby.remove());
    // From now on, nothing reaches the standby.
    await standby.sql("ALTER SYSTEM SET primary_conninfo = ''");
    await standby.sql('SELECT pg_reload_conf()');
    await expect.poll(() => standby.sql('SELECT 1 FROM pg_stat_wal_receiver')).toEqual([]);
    await writeBoth();
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
    const again = startShipping({ ...two, clock: Date.now });
    closing.push(() => again.close());
    expect(await again.shipped(2 * part, 20_000)).toBe(true);
    await expect.poll(() => witness.broken()).toEqual([]);
    const shared = must(await one.shared.chainEnds());
    for (const { journal } of [one, two])
      expect(shared).toEqual(expect.arrayContaining([...(await journal.chainEnds())]));
    const verified = must(await one.shared.verify());
    expect(verified).toMatchObject({ events: 4 * part, problems: [] });
  }, 90_000);
});
