import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { schemaVersions } from '../../../main/payment-log/postgres/schema/versions.ts';
import { filter } from '../../../tools/app-harness/running-payment-log.ts';
import { accepted, requested } from '../../../tools/evidence/evidence.ts';
import { isPostgresMissing } from '../../../tools/postgres-harness/cluster.ts';
import { must } from '../../../tools/postgres-harness/shared-log.ts';
import { openInstallation } from '../../../tools/postgres-harness/team-log.ts';
import { useTeam } from '../../../tools/postgres-harness/use-team.ts';

/** The tables of the list that version 2 made, byte for byte as databases were created with it. */
const listSql = readFileSync(join(import.meta.dirname, 'samples', '0002-list.sql'), 'utf8');
/** What consoles of that time wrote to the list of one payment. */
const listedPayment = `
  INSERT INTO list VALUES (true, 2, 0) ON CONFLICT DO NOTHING;
  INSERT INTO payment VALUES (1, 'sandbox', 'FORGED-1');
  INSERT INTO facet (profile_id, state, currency, flagged, timed, resolved) VALUES ('sandbox', 'paid-confirmed', 'EUR', 0, 0, 0);
  INSERT INTO facet_count VALUES (1, 0, 1);
  INSERT INTO listed (payment, facet, first_at, "row", made_in) VALUES (1, 1, 1, '[]', 0);
  INSERT INTO searched VALUES (1, 'forged');
  INSERT INTO projected (writer, through) SELECT id, last_seq FROM writer`;

describe.skipIf(isPostgresMissing)('a shared log of an earlier version (needs PostgreSQL)', () => {
  const { team, closing } = useTeam();

  test('a shared log of an earlier version loses its list with the upgrade, and no event; consoles work before and after it', async () => {
    await team.sql(listSql.replaceAll(':schema', team.schema));
    await team.sql(
      'DROP TABLE operation, shared_views; DROP FUNCTION operation_begin_1, operation_rival_1, operation_spent_1, operation_end_1; DROP FUNCTION shared_views_put_1; DROP INDEX event_payment_id; DROP FUNCTION replica_1; DROP TABLE agent_attempt, replica; UPDATE log SET schema_version = 5',
    );
    const one = await openInstallation(team, 'console-1');
    closing.push(() => one.remove());
    const two = await openInstallation(team, 'console-2');
    closing.push(() => two.remove());
    must(await one.log.append([requested(0), accepted(1)]));
    expect(await one.shipping.shipped(2, 10_000)).toBe(true);
    // An account could write what others took for their list.
    await team.sql(listedPayment);
    await two.level();
    const orders = async () =>
      (await two.log.list(filter({}), null, 10)).rows.map(({ orderNumber }) => orderNumber);
    expect(await orders()).toEqual(['CF-1001']);

    const upgraded = await team.administer(async opened => must(await opened.upgrade()));
    expect(upgraded).toMatchObject({ from: 5, to: schemaVersions.at(-1)?.version });
    const tables = await team.sql<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = '${team.schema}'::regnamespace
         AND relname IN ('list', 'projected', 'payment', 'facet', 'facet_count', 'listed', 'searched', 'payment_flag',
           'payment_id', 'movement', 'review', 'day')`,
    );
    expect(tables).toEqual([]);
    must(await one.log.append([{ ...requested(2), orderNumber: 'CF-AFTER' }]));
    await expect.poll(orders, { timeout: 10_000 }).toEqual(['CF-AFTER', 'CF-1001']);
    expect(must(await two.shared.verify())).toMatchObject({ events: 3, payments: 2, problems: [] });
  });

  test('a shared log of version 8 keeps events, people and profiles with the upgrade, and has room for saved views', async () => {
    await team.sql(
      "DROP TABLE operation, shared_views; DROP FUNCTION operation_begin_1, operation_rival_1, operation_spent_1, operation_end_1; DROP FUNCTION shared_views_put_1; DELETE FROM revision WHERE kind = 'view'; UPDATE log SET schema_version = 8",
    );
    const one = await openInstallation(team, 'console-1');
    closing.push(() => one.remove());
    must(await one.log.append([requested(0), accepted(1)]));
    expect(await one.shipping.shipped(2, 10_000)).toBe(true);
    const admin = team.open(await team.add('console', 'Counter 2', undefined, ['admin']));
    const ada = { id: randomUUID(), name: 'Ada', role: 'administrator', pin: null };
    must(await admin.people.importPeople([ada]));
    must(await admin.people.putProfile({ id: 'shop', body: '{}', callbackPath: '/p' }, null, 'Ada'));
    const before = must(await admin.people.read(null));
    expect(before).toMatchObject({ views: null, agents: [{ name: 'Ada' }] });

    const upgraded = await team.administer(async opened => must(await opened.upgrade()));
    expect(upgraded).toMatchObject({ from: 8, to: 10 });
    // Consoles that were connected meanwhile read it at once.
    expect(must(await admin.people.read(before?.revision ?? null))).toMatchObject({
      agents: before?.agents,
      profiles: before?.profiles,
      views: { body: '[]', version: 0 },
    });
    expect(must(await admin.people.putViews({ body: '[]', version: 0 }, 'Ada'))).toBe(1);
    expect(must(await one.shared.verify())).toMatchObject({ events: 2, payments: 1, problems: [] });
  });
});
