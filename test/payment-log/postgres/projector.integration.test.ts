import { hash } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { packRow } from '../../../main/payment-log/projection/packed-row.ts';
import { project, projectionVersion } from '../../../main/payment-log/projection/project.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { filter } from '../../../tools/app-harness/running-payment-log.ts';
import { evidence } from '../../../tools/evidence/arbitrary-evidence.ts';
import { asEvent, requested } from '../../../tools/evidence/evidence.ts';
import { attemptHistories, moved } from '../../../tools/evidence/incomplete-payments.ts';
import { borrowCluster } from '../../../tools/postgres-harness/borrowed-cluster.ts';
import { isPostgresMissing, type Cluster } from '../../../tools/postgres-harness/cluster.ts';
import { createTeam, must, type Team } from '../../../tools/postgres-harness/shared-log.ts';
import { openInstallation, type Installation } from '../../../tools/postgres-harness/team-log.ts';

/** The list of payments in the shared log follows the evidence of all installations. */

test('a change of the projection raises its version', () => {
  // Ids of events are random.
  const text = JSON.stringify(
    Object.values(attemptHistories).map(drafts => {
      const { review: _review, ...projected } = project(drafts.map(asEvent)) ?? { review: null };
      return projected;
    }),
  ).replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id');
  // If this fails, raise projectionVersion and note the new hash: shared lists are built again then.
  expect([projectionVersion, hash('sha256', text)]).toEqual([
    2,
    '5f87208484cd2a9ba86e9f4f26eb51a34df086f6759d6d3a7def09bcf0d2a053',
  ]);
});

describe.skipIf(isPostgresMissing)('the list of a shared log (needs PostgreSQL)', () => {
  let cluster: Cluster;
  let team: Team;
  const open: Installation[] = [];

  beforeAll(async () => {
    cluster = await borrowCluster();
  }, 60_000);
  afterAll(() => cluster?.remove());
  beforeEach(async () => {
    team = await createTeam(cluster);
  });
  afterEach(async () => {
    for (const one of open.splice(0)) await one.remove();
    await team.close();
  });

  const installation = async (writer: string, leftoversMs?: number): Promise<Installation> => {
    const one = await openInstallation(team, writer, leftoversMs === undefined ? {} : { leftoversMs });
    open.push(one);
    return one;
  };
  const writeTo = async (one: Installation, drafts: readonly EventDraft[]): Promise<void> => {
    must(await one.journal.append(drafts));
  };
  /** Waits until the list shows everything that these installations wrote. */
  const settled = async (...some: readonly Installation[]): Promise<void> => {
    for (const { journal, shared, shipping } of some) {
      const own = (await journal.chainEnds()).find(end => end.writer === journal.ownChain.writer);
      expect(await shipping.shipped(own?.seq ?? 0, 20_000)).toBe(true);
      expect(await shared.listed(journal.ownChain.writer, own?.seq ?? 0, 20_000)).toBe(true);
    }
  };

  /** Random evidence of some orders, mixed. */
  const mixed = (orders: number, seed: number): EventDraft[] => {
    const histories = fc
      .sample(evidence, { numRuns: orders, seed })
      .map((events, index) => moved(events, 'shop', `CF-${index}`));
    const longest = Math.max(...histories.map(({ length }) => length));
    return Array.from({ length: longest }, (_, at) =>
      histories.flatMap(history => history.slice(at, at + 1)),
    ).flat();
  };

  /** The rows are those of the reduced evidence, and the counts those of the rows. */
  const expectComplete = async ({ shared }: Installation, orders: number): Promise<void> => {
    const rows = await team.sql<{ order: string; row: string }>(
      'SELECT p.order_number AS order, l."row" FROM listed l JOIN payment p ON p.id = l.payment',
    );
    expect(rows.length).toBeLessThanOrEqual(orders);
    for (const { order, row } of rows) {
      const events = await shared.reader.events('shop', order);
      expect(row).toBe(packRow(reducePayment(events)));
    }
    expect(
      await team.sql(`SELECT facet, sum(n)::int AS n FROM facet_count GROUP BY 1 HAVING sum(n) <> 0
        EXCEPT SELECT facet, count(*)::int FROM listed GROUP BY 1`),
    ).toEqual([]);
    expect(await shared.reader.count(filter({}))).toEqual({ count: rows.length, more: false });
    expect(must(await shared.verify())).toMatchObject({ payments: rows.length, problems: [] });
  };

  test('is right if several installations write about the same orders at the same time', async () => {
    const three = await Promise.all(['desk-1', 'desk-2', 'desk-3'].map(writer => installation(writer)));
    const drafts = mixed(40, 3);
    for (let first = 0; first < drafts.length; first += 15)
      await Promise.all(
        three.map((one, index) =>
          writeTo(
            one,
            drafts.slice(first, first + 15).filter((_, at) => at % 3 === index),
          ),
        ),
      );
    await settled(...three);
    const [one] = three;
    if (one) await expectComplete(one, 40);
  });

  test('is complete although connections are lost while it is written', async () => {
    const one = await installation('desk-1');
    const drafts = mixed(60, 5);
    for (let first = 0; first < drafts.length; first += 40) {
      await writeTo(one, drafts.slice(first, first + 40));
      await team.sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'counterfoil project'",
      );
    }
    await settled(one);
    await expectComplete(one, 60);
  });

  test('shows what an installation left behind that no longer runs', async () => {
    const gone = await installation('desk-1');
    await writeTo(gone, mixed(20, 7));
    await settled(gone);
    await gone.shipping.close();
    await gone.shared.close();
    await team.sql(
      "DELETE FROM listed; DELETE FROM facet_count; UPDATE projected SET through = 0, moved_at = now() - interval '1 hour'",
    );
    const other = await installation('desk-2', 100);
    await writeTo(other, [requested(0, {}, { profileId: 'shop', orderNumber: 'CF-NEW' })]);
    await settled(other);
    await expect
      .poll(
        () =>
          team.sql('SELECT 1 FROM projected p JOIN writer w ON w.id = p.writer WHERE p.through < w.last_seq'),
        {
          timeout: 10_000,
        },
      )
      .toEqual([]);
    await expectComplete(other, 21);
  });

  test('is built again from the evidence after its tables were damaged', async () => {
    const one = await installation('desk-1');
    await writeTo(one, mixed(30, 11));
    await settled(one);
    const tables = `SELECT
      (SELECT json_agg(l ORDER BY payment) FROM (SELECT payment, facet, first_at, agent, amount, paid, "row" FROM listed) l) AS listed,
      (SELECT json_agg(s ORDER BY payment) FROM searched s) AS searched,
      (SELECT json_agg(f ORDER BY flag, payment) FROM payment_flag f) AS flags,
      (SELECT json_agg(i ORDER BY payment_id, payment) FROM payment_id i) AS ids,
      (SELECT json_agg(m ORDER BY at, payment) FROM movement m) AS movements,
      (SELECT json_agg(c ORDER BY facet) FROM (SELECT facet, sum(n) AS n FROM facet_count GROUP BY 1 HAVING sum(n) <> 0) c) AS counts`;
    const before = await team.sql(tables);
    await team.sql(`UPDATE listed SET amount = 1, "row" = replace("row", 'CF-1', 'CF-X'); DELETE FROM payment_flag;
      INSERT INTO payment_flag SELECT 'raised-twice', payment FROM listed; DELETE FROM movement; DELETE FROM payment_id;
      UPDATE searched SET words = ' nothing '; UPDATE facet_count SET n = n + 5`);
    must(await one.shared.rebuildList());
    await expect
      .poll(
        () =>
          team.sql('SELECT 1 FROM projected p JOIN writer w ON w.id = p.writer WHERE p.through < w.last_seq'),
        {
          timeout: 10_000,
        },
      )
      .toEqual([]);
    expect(await team.sql(tables)).toEqual(before);
  });

  test('is verified against the evidence, table by table', async () => {
    const one = await installation('desk-1');
    const names = Array.from({ length: 13 }, (_, index) => `CF-${index}`);
    await writeTo(
      one,
      names.flatMap((name, index) =>
        moved(attemptHistories[index === 8 ? 'chargeback' : 'sources-disagree'], 'shop', name),
      ),
    );
    await settled(one);
    const all = { payments: names.length, problems: [] };
    expect(must(await one.shared.verify())).toMatchObject(all);
    const of = (index: number): string =>
      `payment = (SELECT id FROM payment WHERE order_number = 'CF-${index}')`;
    const idOf = (index: number): string => `(SELECT id FROM payment WHERE order_number = 'CF-${index}')`;
    await team.sql(`
      UPDATE listed SET amount = 1 WHERE ${of(0)};
      UPDATE listed SET "row" = replace("row", 'EUR', 'USD') WHERE ${of(1)};
      UPDATE listed SET first_at = first_at + 1, agent = 'Eve', checked_days = 7 WHERE ${of(2)};
      UPDATE searched SET words = ' other ' WHERE ${of(3)};
      DELETE FROM searched WHERE ${of(4)};
      DELETE FROM payment_flag WHERE ${of(5)};
      INSERT INTO payment_flag VALUES ('raised-twice', ${idOf(6)});
      UPDATE payment_id SET payment_id = 'another' WHERE ${of(7)};
      UPDATE movement SET at = at + 1 WHERE ${of(8)};
      INSERT INTO review (payment, profile_id, assignee) VALUES (${idOf(9)}, 'shop', 'Eve');
      DELETE FROM listed WHERE ${of(10)};
      DELETE FROM payment WHERE order_number = 'CF-11';
      UPDATE facet_count SET n = n + 1;
      INSERT INTO movement VALUES (1, 1);`);
    const { problems } = must(await one.shared.verify());
    const found = problems.map(({ kind, at, message }) => {
      expect(kind).toBe('projection');
      const place = at.kind === 'order' ? at.order : at.kind === 'table' ? at.name : at.kind;
      return [
        place,
        message.key.replace('integrity.', ''),
        JSON.stringify(message.values?.['fields'] ?? ''),
      ].join(' ');
    });
    expect(found.toSorted()).toEqual([
      'CF-0 payment.differs "amount"',
      'CF-1 payment.differs "row"',
      'CF-10 payment.unlisted ""',
      'CF-11 payment.unlisted ""',
      'CF-2 payment.differs "first_at, agent, checked_days"',
      'CF-3 payment.differs "words"',
      'CF-4 payment.differs "words"',
      'CF-5 payment.differs "payment_flag"',
      'CF-6 payment.differs "payment_flag"',
      'CF-7 payment.differs "payment_id"',
      'CF-8 payment.differs "movement"',
      'CF-9 payment.differs "review"',
      'facet_count list.counts ""',
      'listed orphans.listed ""',
      'movement orphans.movement ""',
      'payment_flag orphans.flag ""',
      'payment_id orphans.payment-id ""',
      'searched orphans.words ""',
    ]);
    // Only the program that writes the list knows how it has to be.
    await team.sql(`UPDATE list SET version = ${projectionVersion + 1}`);
    expect(must(await one.shared.verify())).toMatchObject({ payments: 0, problems: [] });
  });

  test('is verified while installations write', async () => {
    const two = [await installation('desk-1'), await installation('desk-2')] as const;
    const drafts = mixed(40, 17);
    const over = new AbortController();
    const writing = (async () => {
      for (let first = 0; first < drafts.length; first += 8)
        await Promise.all(
          two.map((one, index) => writeTo(one, drafts.slice(first + 4 * index, first + 4 * index + 4))),
        );
      over.abort();
    })();
    do expect(must(await two[0].shared.verify()).problems).toEqual([]);
    while (!over.signal.aborted);
    await writing;
    await settled(...two);
    await expectComplete(two[0], 40);
  });

  test('is written by the newest program only', async () => {
    const one = await installation('desk-1');
    await writeTo(one, mixed(5, 13));
    await settled(one);
    await team.sql(`UPDATE list SET version = ${projectionVersion + 1}`);
    await writeTo(one, [requested(0, {}, { profileId: 'shop', orderNumber: 'CF-NEW' })]);
    const own = (await one.journal.chainEnds())[0]?.seq ?? 0;
    expect(await one.shipping.shipped(own, 20_000)).toBe(true);
    expect(await one.shared.listed('desk-1', own, 300)).toBe(false);
    // The evidence is there; only the list waits for the newer program.
    expect((await one.shared.reader.payment('shop', 'CF-NEW'))?.orderNumber).toBe('CF-NEW');
    expect(await one.shared.reader.orderRecord('shop', 'CF-NEW')).toBeNull();
  });
});
