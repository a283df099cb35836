import { describe, expect, test } from 'vitest';
import { neededVersion } from '../../main/payment-log/postgres/schema/versions.ts';
import { accepted, requested } from '../../tools/evidence/evidence.ts';
import { filter } from '../../tools/app-harness/running-payment-log.ts';
import { isPostgresMissing } from '../../tools/postgres-harness/cluster.ts';
import { must } from '../../tools/postgres-harness/shared-log.ts';
import { useTeam } from '../../tools/postgres-harness/use-team.ts';
import { openInstallation, type Installation } from '../../tools/postgres-harness/team-log.ts';

describe.skipIf(isPostgresMissing)('versions side by side on one shared log (needs PostgreSQL)', () => {
  const { team, closing } = useTeam();

  const raise = async ({ log }: Installation, orderNumber: string): Promise<void> => {
    must(await log.append([requested(0), accepted()].map(draft => ({ ...draft, orderNumber }))));
  };
  test('a program works with the oldest tables that it needs, and says what they lack', async () => {
    // As a program of that time has created them.
    await team.sql(
      `DROP TABLE head, presence, replica, shared_views; DROP FUNCTION witness_1, presence_1, replica_1, replicas_1, shared_views_put_1; UPDATE log SET schema_version = ${neededVersion}`,
    );
    const one = await openInstallation(team, 'console-1');
    closing.push(() => one.remove());
    await raise(one, 'A-1');
    expect(await one.shipping.shipped(2, 5_000)).toBe(true);
    expect((await one.log.list(filter({ words: 'A-1' }), null, 10)).rows).toHaveLength(1);
    expect(must(await one.shared.people.read(null))).toMatchObject({
      profiles: [],
      agents: [],
      views: null,
    });
    expect(must(await one.shared.people.claim('task', 'console-1', 1_000))).toBe(true);
    expect(must(await one.shared.verify())).toMatchObject({ payments: 1, problems: [] });
    const payment = { profileId: 'sandbox', orderNumber: 'A-1' };
    expect(await one.shared.installations.look('console-1', payment, 'Ada', 1_000)).toMatchObject({
      ok: false,
    });
    expect(await one.shared.installations.unconfirmed(0)).toMatchObject({ ok: false });
    await one.level();
    expect(one.shipping.standing().state).toBe('connected');
    // Of the version before, people are missing.
    await team.sql(`UPDATE log SET schema_version = ${neededVersion - 1}`);
    const older = team.open(await team.add('console', 'Counter 2'));
    expect(await older.people.read(null)).toMatchObject({ ok: false, error: { code: 'log.outdated' } });
  });

  test('a program works with tables that are newer, until they say that it is too old', async () => {
    await team.sql('UPDATE log SET schema_version = 99');
    const older = await openInstallation(team, 'console-1');
    closing.push(() => older.remove());
    await raise(older, 'A-1');
    expect(await older.shipping.shipped(2, 5_000)).toBe(true);
    // Committed first: the program connects again at once.
    await team.sql('UPDATE log SET oldest_program = 99');
    await team.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name LIKE 'counterfoil %' AND datname = current_database()`,
    );
    await raise(older, 'A-2');
    await expect
      .poll(() => older.shipping.standing(), { timeout: 10_000 })
      .toMatchObject({ state: 'refused', problem: { code: 'log.older' } });
    // What it does is kept, and passed on after the update.
    expect((await older.journal.chainEnds())[0]?.seq).toBe(4);
  });
});
