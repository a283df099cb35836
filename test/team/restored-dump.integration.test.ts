import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openAdministration } from '../../main/payment-log/postgres/administer.ts';
import { sharedLogSettingsSchema } from '../../main/payment-log/postgres/connection-settings.ts';
import { startShipping } from '../../main/team/ship.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { logFolder } from '../../tools/app-harness/running-payment-log.ts';
import { note } from '../../tools/evidence/evidence.ts';
import { isPostgresMissing, postgresProgram, startCluster } from '../../tools/postgres-harness/cluster.ts';
import { must } from '../../tools/postgres-harness/shared-log.ts';
import { useTeam } from '../../tools/postgres-harness/use-team.ts';

describe.skipIf(isPostgresMissing)('a backup of the shared log (needs PostgreSQL)', () => {
  const { team, cluster, closing } = useTeam();

  test('a backup of the shared log is restored on another server: init restores roles, owners and rights, and renew the accounts with theirs', async () => {
    const folder = logFolder();
    const journal = await folder.open('console-1');
    const account = await team.add('console', 'Till 1', undefined, ['eraser']);
    const first = startShipping({ clock: Date.now, journal, shared: team.open(account) });
    closing.push(() => folder.remove());
    const written = must(await journal.append([note(0, 'Before the backup')]));
    expect(await first.shipped(written.events.at(-1)?.writerSeq ?? 0, 10_000)).toBe(true);
    await first.close();

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

  test('a database without a shared log is named with the next step', async () => {
    const open = async (schema: string) => {
      const opened = must(
        await openAdministration(
          sharedLogSettingsSchema.parse({
            host: cluster.folder,
            port: cluster.port,
            database: team.database,
            schema,
            role: cluster.superuser,
          }),
        ),
      );
      closing.push(() => opened.close());
      return opened;
    };
    expect(await (await open('elsewhere')).installations()).toMatchObject({
      error: { message: { key: 'intake.schema.missing' } },
    });
  });
});
