import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { chmodSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ChainedEvent } from '../../main/payment-log/answers.ts';
import { openPaymentLog } from '../../main/payment-log/list/open-payment-log.ts';
import type { SharedLog } from '../../main/payment-log/postgres/open-shared-log.ts';
import { startShipping } from '../../main/team/ship.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { type LogFolder, logFolder } from '../../tools/app-harness/running-payment-log.ts';
import { mayMount, mountDisk, unmountDisk } from '../../tools/app-harness/small-disk.ts';
import { note } from '../../tools/evidence/evidence.ts';
import { isPostgresMissing, postgresProgram, startCluster } from '../../tools/postgres-harness/cluster.ts';
import { must } from '../../tools/postgres-harness/shared-log.ts';
import { useTeam } from '../../tools/postgres-harness/use-team.ts';
import { openAdministration } from '../../main/payment-log/postgres/administer.ts';
import { sharedLogSettingsSchema } from '../../main/payment-log/postgres/connection-settings.ts';

describe.skipIf(isPostgresMissing)('what the shared log receives of a journal (needs PostgreSQL)', () => {
  const { team, closing } = useTeam();
  let folder: LogFolder;
  let shared: SharedLog;
  beforeEach(async () => {
    folder = logFolder();
    closing.push(() => folder.remove());
    shared = team.open(await team.add('console', 'Counter 1'));
  });

  const storedEvents = async (): Promise<number> =>
    Number((await team.sql<{ events: string }>('SELECT count(*) AS events FROM event'))[0]?.events);
  /** The events of a journal with this number of notes. */
  const written = async (count: number): Promise<readonly ChainedEvent[]> => {
    const journal = await folder.open('console-1', { hasList: false });
    must(await journal.append(Array.from({ length: count }, (_, index) => note(index, `Note ${index}`))));
    return journal.ownChain.events(0, count);
  };
  const takeUp = async () => must(await shared.join('console-1', () => undefined));

  test('events that the server refuses can be stored afterwards', async () => {
    const events = await written(1);
    const chain = await takeUp();
    const wrong = events.map(event => ({ ...event, id: 'no id' }));
    expect(await chain.append(chain.end, wrong)).toMatchObject({ ok: false });
    const again = await takeUp();
    expect(must(await again.append(again.end, events))).toBe('stored');
    expect(await storedEvents()).toBe(1);
  });

  test.skipIf(!mayMount)(
    'a full disk below the journal: the shared log has what the journal has',
    async () => {
      const disk = newFolder('disk');
      mountDisk(disk, 'size=1m');
      try {
        const file = join(disk, 'payments.db');
        const journal = must(await openPaymentLog({ file, writer: 'console-1', hasList: false }));
        const shipping = startShipping({ clock: Date.now, journal, shared });
        await shipping.compared;
        let last = 0;
        let refused = '';
        while (refused === '' && last < 1_000) {
          const appended = await journal.append([note(last, 'x'.repeat(4_000))]);
          if (appended.ok) last = appended.value.events.at(-1)?.writerSeq ?? 0;
          else refused = appended.error.code;
        }
        expect(refused).toBe('log.full');
        expect(await shipping.shipped(last, 10_000)).toBe(true);
        expect(await shipping.shipped(last + 1, 500)).toBe(false);
        expect(await storedEvents()).toBe(last);
        execFileSync('mount', ['-o', 'remount,size=8m', disk]);
        must(await journal.append([note(last, 'there is room again')]));
        expect(await shipping.shipped(last + 1, 10_000)).toBe(true);
        expect(must(await shared.chainEnds())).toEqual(await journal.chainEnds());
        expect(must(await shared.verify()).problems).toEqual([]);
        await shipping.close();
        await journal.close();
      } finally {
        unmountDisk(disk);
      }
    },
  );
});

/** A firewall forgets connections: the old ones are silent for ever, and new ones work. */

describe.skipIf(isPostgresMissing)('forgotten connections (needs PostgreSQL)', () => {
  const { team, ship, proxied } = useTeam();
  const backends = async (): Promise<number> =>
    Number(
      (
        await team.sql<{ count: string }>(
          "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'counterfoil write'",
        )
      )[0]?.count,
    );

  test('a forgotten connection that the server is still reading a statement from does not hold the chain', async () => {
    const proxy = await proxied();
    const settings = await team.add('console', 'Counter 1', proxy.port);
    const { journal, shipping, write } = await ship('console-1', { settings });
    await shipping.compared;
    await write(note(0, 'Will call back'));
    // The notification about it is answered too.
    await expect
      .poll(() =>
        team.sql(`SELECT 1 FROM pg_stat_activity WHERE application_name LIKE 'counterfoil%'
          AND (state <> 'idle' OR state_change > now() - interval '200 milliseconds')`),
      )
      .toEqual([]);
    proxy.set('hold-ends');
    must(await journal.append([note(1, 'Called back')]));
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
    expect(await shipping.shipped(2, 25_000)).toBe(true);
    await expect.poll(backends).toBe(1);
  });
});

describe.skipIf(isPostgresMissing)('a backup of the shared log (needs PostgreSQL)', () => {
  const { team, cluster, closing, ship } = useTeam();

  test('a backup of the shared log is restored on another server: init restores roles, owners and rights, and renew the accounts with theirs', async () => {
    const account = await team.add('console', 'Till 1', undefined, ['eraser']);
    const first = await ship('console-1', { settings: account });
    const { journal } = first;
    await first.write(note(0, 'Before the backup'));
    await first.shipping.close();

    const backup = newFolder('dump');
    chmodSync(backup, 0o777);
    const other = await startCluster();
    closing.push(() => other.remove());
    const dump = join(backup, 'shared.dump');
    const { database, schema } = team;
    const server = (of: { folder: string; port: number }) => [
      '-h',
      of.folder,
      '-p',
      String(of.port),
      '-U',
      'postgres',
    ];
    execFileSync(postgresProgram('pg_dump'), [...server(cluster), '-Fc', '-f', dump, database]);
    await other.sql(`CREATE DATABASE ${database}`);
    // It reports each missing role, and restores the rest.
    try {
      execFileSync(postgresProgram('pg_restore'), [...server(other), '-d', database, dump], {
        stdio: 'ignore',
      });
    } catch {
      // The roles are created below.
    }

    // A database without a shared log is named with the next step.
    const superuser = { host: cluster.folder, port: cluster.port, database, role: cluster.superuser };
    const elsewhere = must(
      await openAdministration(sharedLogSettingsSchema.parse({ ...superuser, schema: 'elsewhere' })),
    );
    closing.push(() => elsewhere.close());
    expect(await elsewhere.installations()).toMatchObject({
      error: { message: { key: 'intake.schema.missing' } },
    });
    const at = { host: other.folder, port: other.port, database, schema };
    const administrator = must(
      await openAdministration(sharedLogSettingsSchema.parse({ ...at, role: other.superuser })),
    );
    closing.push(() => administrator.close());
    expect(must(await administrator.create())).toMatchObject({ isNew: false, missing: [account.role] });
    const { password } = must(await administrator.renew(account.role));
    expect(must(await administrator.create())).toMatchObject({ isNew: false, missing: [] });
    const [rights] = await other.sql<{ foreign: number; open: number }>(
      `SELECT (SELECT count(*) FROM pg_proc WHERE pronamespace = '${schema}'::regnamespace
           AND proowner <> '${schema}_owner'::regrole)::int
         + (SELECT count(*) FROM pg_class WHERE relnamespace = '${schema}'::regnamespace
           AND relowner <> '${schema}_owner'::regrole)::int AS foreign,
         (SELECT count(*) FROM pg_proc WHERE pronamespace = '${schema}'::regnamespace AND prosecdef
           AND has_function_privilege('public', oid, 'EXECUTE'))::int AS open`,
      database,
    );
    expect(rights).toEqual({ foreign: 0, open: 0 });

    const restored = team.open(
      sharedLogSettingsSchema.parse({ ...at, host: other.host, role: account.role, password }),
    );
    expect(must(await restored.people.hasRight('eraser'))).toBe(true);
    expect(must(await restored.people.hasRight('keeper'))).toBe(false);
    const second = startShipping({ clock: Date.now, journal, shared: restored });
    closing.push(() => second.close());
    const later = must(await journal.append([note(1, 'After it was restored')]));
    expect(await second.shipped(later.events.at(-1)?.writerSeq ?? 0, 20_000)).toBe(true);
    expect(must(await restored.chainEnds())).toEqual(await journal.chainEnds());
    expect(must(await restored.verify()).problems).toEqual([]);
  }, 120_000);
});
