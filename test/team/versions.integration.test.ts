import { describe, expect, test, vi } from 'vitest';
import type * as Projector from '../../main/payment-log/postgres/list/projector.ts';
import type * as Projection from '../../main/payment-log/projection/project.ts';
import { neededVersion } from '../../main/payment-log/postgres/schema/versions.ts';
import type { SharedLogSettings } from '../../main/payment-log/postgres/settings.ts';
import type { SharedLog } from '../../main/payment-log/postgres/open-shared-log.ts';
import { accepted, requested } from '../../tools/evidence/evidence.ts';
import { filter } from '../../tools/app-harness/running-payment-log.ts';
import { isPostgresMissing } from '../../tools/postgres-harness/cluster.ts';
import { must } from '../../tools/postgres-harness/shared-log.ts';
import { useTeam } from '../../tools/postgres-harness/use-team.ts';
import { openInstallation, type Installation } from '../../tools/postgres-harness/team-log.ts';

const projection = '../../main/payment-log/projection/project.ts';
const projector = '../../main/payment-log/postgres/list/projector.ts';

/** A program whose projection is one version newer: it adds a word to every payment. */
const openNewer = async (settings: SharedLogSettings): Promise<SharedLog> => {
  vi.resetModules();
  vi.doMock(projection, async original => {
    const module = await original<typeof Projection>();
    return {
      ...module,
      projectionVersion: module.projectionVersion + 1,
      project: (events: Parameters<typeof module.project>[0]) => {
        const row = module.project(events);
        return row && { ...row, words: `${row.words} newer` };
      },
    };
  });
  // What the older program leaves behind is looked for often, so that the test is short.
  vi.doMock(projector, async original => {
    const module = await original<typeof Projector>();
    return {
      ...module,
      startProjector: (...[open, channel]: Parameters<typeof module.startProjector>) =>
        module.startProjector(open, channel, { leftoversMs: 500 }),
    };
  });
  const { openSharedLog } = await import('../../main/payment-log/postgres/open-shared-log.ts');
  vi.doUnmock(projection);
  vi.doUnmock(projector);
  return must(openSharedLog(settings));
};

describe.skipIf(isPostgresMissing)('versions side by side on one shared log (needs PostgreSQL)', () => {
  const { team, closing } = useTeam();

  const raise = async ({ log }: Installation, orderNumber: string): Promise<void> => {
    must(await log.append([requested(0), accepted()].map(draft => ({ ...draft, orderNumber }))));
  };
  /** The order numbers in the list, those of the newer program with a mark. */
  const listed = async (): Promise<string[]> =>
    (
      await team.sql<{ row: string }>(
        `SELECT order_number || CASE WHEN words LIKE '% newer' THEN ' newer' ELSE '' END AS row
         FROM payment JOIN searched ON searched.payment = payment.id ORDER BY 1`,
      )
    ).map(({ row }) => row);

  test('only the newest program writes the list; the older one raises links and reads', async () => {
    const older = await openInstallation(team, 'desk-1', { waitMs: 100 });
    closing.push(() => older.remove());
    await raise(older, 'A-1');
    await expect.poll(listed, { timeout: 10_000 }).toEqual(['A-1']);
    const newer = await openNewer(await team.add('desk', 'Desk 2'));
    closing.push(() => newer.close());
    const join = () => newer.join('desk-2', () => undefined);
    expect(must(await join()).end.seq).toBe(0);
    // Everything is projected again by the newer program.
    await expect.poll(listed, { timeout: 30_000 }).toEqual(['A-1 newer']);
    await raise(older, 'A-2');
    const seen = new Set<string>();
    await expect
      .poll(
        async () => {
          const now = await listed();
          for (const row of now) seen.add(row);
          return now;
        },
        { timeout: 40_000 },
      )
      .toEqual(['A-1 newer', 'A-2 newer']);
    // No row was written by the older program in between.
    expect([...seen].filter(row => !row.endsWith('newer'))).toEqual([]);
    expect((await older.log.payment('sandbox', 'A-2'))?.state).toBe('waiting');
    const page = await older.log.list(filter({ words: 'A-2' }), null, 10);
    expect(page.rows.map(({ orderNumber }) => orderNumber)).toEqual(['A-2']);
  }, 90_000);

  test('a program works with the oldest tables that it needs, and says what they lack', async () => {
    // As a program of that time has created them.
    await team.sql(
      `DROP TABLE head, presence; DROP FUNCTION witness_1, presence_1; UPDATE log SET schema_version = ${neededVersion}`,
    );
    const one = await openInstallation(team, 'desk-1');
    closing.push(() => one.remove());
    await raise(one, 'A-1');
    expect(await one.shipping.shipped(2, 5_000)).toBe(true);
    expect((await one.log.list(filter({ words: 'A-1' }), null, 10)).rows).toHaveLength(1);
    expect(must(await one.shared.people.read(null))).toMatchObject({ profiles: [], agents: [] });
    expect(must(await one.shared.people.claim('task', 'desk-1', 1_000))).toBe(true);
    expect(must(await one.shared.verify())).toMatchObject({ payments: 1, problems: [] });
    const payment = { profileId: 'sandbox', orderNumber: 'A-1' };
    expect(await one.shared.desks.look('desk-1', payment, 'Ada', 1_000)).toMatchObject({ ok: false });
    expect(one.shipping.standing().state).toBe('connected');
    // Of the version before, people are missing.
    await team.sql(`UPDATE log SET schema_version = ${neededVersion - 1}`);
    const older = team.open(await team.add('desk', 'Desk 2'));
    expect(await older.people.read(null)).toMatchObject({ ok: false, error: { code: 'log.outdated' } });
  });

  test('a program works with tables that are newer, until they say that it is too old', async () => {
    await team.sql('UPDATE log SET schema_version = 99');
    const older = await openInstallation(team, 'desk-1');
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
