import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PaymentLog, PaymentLogReader } from '../../main/payment-log/payment-log.ts';
import type { EventDraft } from '../../shared/payments/evidence.ts';
import type { PaymentKey } from '../../shared/payments/payment-key.ts';
import type { Overview } from '../../shared/reports/overview.ts';
import { reconciliationCauses } from '../../shared/reports/reconcile.ts';
import { reviewLists } from '../../shared/review/review.ts';
import { connect } from '../../main/payment-log/postgres/connection.ts';
import { sharedSource } from '../../main/payment-log/replica/shared-source.ts';
import { filter, logFolder, type LogFolder } from '../../tools/app-harness/running-payment-log.ts';
import { evidence, raised } from '../../tools/evidence/arbitrary-evidence.ts';
import { filters, profiles } from '../../tools/evidence/arbitrary-filters.ts';
import { draft, hour, start } from '../../tools/evidence/evidence.ts';
import { moved } from '../../tools/evidence/incomplete-payments.ts';
import { reviewSome } from '../../tools/evidence/reviewed-payments.ts';
import { borrowCluster } from '../../tools/postgres-harness/borrowed-cluster.ts';
import { isPostgresMissing, type Cluster } from '../../tools/postgres-harness/cluster.ts';
import { copyReplica, type CopiedReplica } from '../../tools/postgres-harness/replica.ts';
import { createTeam, must, type Team } from '../../tools/postgres-harness/shared-log.ts';
import { openInstallation, type Installation } from '../../tools/postgres-harness/team-log.ts';

/** The journal of an installation and the replica of another one answer every question alike. */

const day = 24 * hour;
/** Some orders differ only in case, or contain what SQL treats specially. */
const oddOrders = ['100%_A', 'a\\b', "O'Hara", 'Ünïcode-7', '注文番号-9', 'x\u0000y', 'CF-1 CF-2', 'null'];

const historyOf = (index: number, events: readonly EventDraft[]): EventDraft[] => {
  const orderNumber = oddOrders[index] ?? `CF-${1000 + index * 37}`;
  const profileId = profiles[index % 3] ?? 'shop';
  const frame = { profileId, orderNumber };
  const shift = (index % 40) * 6 * hour;
  return [
    ...moved(events, profileId, orderNumber).map(event => ({
      ...event,
      happenedAt: event.happenedAt + shift,
      agent: index % 4 === 0 ? 'Grace' : event.agent,
    })),
    ...(index % 9 === 0 ? [draft('note.added', shift, { text: `Łódź & 50% of ${orderNumber}` }, frame)] : []),
    ...(index % 11 === 0
      ? [draft('review.assigned', shift + 1, { assignee: index % 2 === 0 ? 'Ada' : 'ada' }, frame)]
      : []),
  ] as EventDraft[];
};

/** Agents with the same number of links have no order, and a name is that of any of its payments. */
const inOneOrder = ({ elsewhere, currencies }: Overview) => ({
  elsewhere,
  currencies: currencies.map(({ agents, ...rest }) => ({
    ...rest,
    agents: sorted(agents.map(one => ({ ...one, agent: one.agent.toLowerCase() }))),
  })),
});

const sorted = (list: readonly unknown[]): string[] => list.map(one => JSON.stringify(one)).toSorted();

describe.skipIf(isPostgresMissing)('a journal and a replica of its chain (needs PostgreSQL)', () => {
  let cluster: Cluster;
  let team: Team;
  let installation: Installation;
  let folder: LogFolder;
  let journal: PaymentLog;
  let replica: CopiedReplica;
  const orders: PaymentKey[] = [];

  beforeAll(async () => {
    cluster = await borrowCluster();
    team = await createTeam(cluster);
    folder = logFolder();
    installation = await openInstallation(team, 'console-1');
    journal = installation.journal;
    const histories = fc
      .sample(fc.oneof(evidence, raised), { numRuns: 240, seed: 7 })
      .map((events, index) => {
        const drafts = historyOf(index, events);
        const [first] = drafts;
        if (first?.orderNumber) orders.push({ profileId: first.profileId, orderNumber: first.orderNumber });
        return drafts;
      });
    // Evidence of the orders arrives mixed.
    for (const part of [0, 1, 2])
      for (const drafts of histories)
        must(await journal.append(drafts.filter((_, index) => index % 3 === part)));
    must(await journal.append(reviewSome((await journal.list(filter({}), null, 200)).rows)));
    must(
      await journal.append(
        Array.from({ length: 12 }, (_, index) =>
          draft(
            'activity.recorded',
            index * hour,
            { action: 'signed-in', details: {} },
            { profileId: '', orderNumber: null, agent: index % 2 === 0 ? 'Ada' : 'Grace' },
          ),
        ),
      ),
    );
    const [end] = await journal.chainEnds();
    expect(await installation.shipping.shipped(end?.seq ?? 0, 20_000)).toBe(true);
    const { folder: host, port, superuser: user } = cluster;
    const connection = must(await connect({ host, port, user, database: team.database }));
    await connection.query(`SET search_path = ${team.schema}, pg_temp`);
    replica = await copyReplica([await sharedSource(connection, 'console-2')], 'console-2');
    await connection.close();
    expect(replica.writer.leftOut()).toEqual([]);
  }, 120_000);
  afterAll(async () => {
    replica?.close();
    await installation?.remove();
    await folder?.remove();
    await team?.close();
    await cluster?.remove();
  });

  /** Every page of a list, cut into pages of this length. */
  const pages = async <P extends { next: string | null }>(
    read: (cursor: string | null) => Promise<P>,
  ): Promise<Omit<P, 'next'>[]> => {
    const found: Omit<P, 'next'>[] = [];
    let cursor: string | null = null;
    do {
      const { next, ...page }: P = await read(cursor);
      found.push(page);
      cursor = next;
    } while (cursor !== null && found.length < 200);
    return found;
  };

  test('a journal and a replica of its chain list the same payments, page by page, and count and add up the same', async () => {
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(filters, fc.constantFrom(3, 17, 50), async (wanted, limit) => {
        const [expected, found] = await Promise.all(
          ([journal, replica.reader] as const).map(async (log: PaymentLogReader) => ({
            pages: await pages(cursor => log.list(wanted, cursor, limit)),
            count: await log.count(wanted),
            totals: await log.totals(wanted),
          })),
        );
        seen.add(expected?.count.count ?? 0);
        expect(found).toEqual(expected);
      }),
      { numRuns: 150 },
    );
    expect(seen.size).toBeGreaterThan(20);
  });

  test('a journal and a replica of its chain answer the same about every order', async () => {
    for (const { profileId, orderNumber } of orders.filter((_, index) => index < 8 || index % 8 === 0)) {
      const [expected, found] = await Promise.all(
        ([journal, replica.reader] as const).map(async (log: PaymentLogReader) => ({
          payment: await log.payment(profileId, orderNumber),
          record: await log.orderRecord(profileId, orderNumber),
          events: await log.events(profileId, orderNumber),
          page: await log.eventPage(profileId, orderNumber, null),
          proof: await log.proof(profileId, orderNumber),
          change: await log.change(profileId, orderNumber, { writer: 'console-1', writerSeq: 300 }),
          orders: await log.ordersOf('gone'),
        })),
      );
      expect(found).toEqual(expected);
      for (const { dedupeKey, writerSeq } of expected?.events.slice(0, 2) ?? []) {
        if (dedupeKey !== null)
          expect(await replica.reader.hasEvent(profileId, orderNumber, dedupeKey)).toBe(true);
        expect(
          await replica.reader.proofPath(profileId, orderNumber, 'console-1', writerSeq, writerSeq + 40),
        ).toEqual(await journal.proofPath(profileId, orderNumber, 'console-1', writerSeq, writerSeq + 40));
      }
    }
    expect(await replica.reader.payment('shop', 'nothing')).toBeNull();
    expect(await replica.reader.hasEvent('shop', 'CF-1', 'nothing')).toBe(false);
  });

  test('a journal and a replica of its chain answer the same about profiles', async () => {
    for (const profileId of [null, ...profiles]) {
      const days = Array.from({ length: 12 }, (_, index) => start + index * day);
      const before = { dayBoundaries: days.map(at => at - 5 * day), until: start + 2 * day };
      const both = await Promise.all(
        ([journal, replica.reader] as const).map(async (log: PaymentLogReader) => {
          return {
            counts: await log.counts(profileId),
            overview: inOneOrder(await log.overview(profileId, days, before)),
            moved: await pages(cursor => log.moved(profileId, start, start + 20 * day, cursor, 25)),
            expiring: await log.expiringSoon(profileId, 20),
            notes: sorted(await log.notesSince(profileId, 0, 50)),
          };
        }),
      );
      expect(both[1]).toEqual(both[0]);
    }
    for (const profileId of profiles) {
      const both = await Promise.all(
        ([journal, replica.reader] as const).map(async (log: PaymentLogReader) => ({
          recent: await log.recentGatewayActivity(profileId),
          types: await log.callbackTypes(profileId),
          comes: await log.hasCallbacks(profileId),
          inquiries: await log.inquiries(profileId, 30),
          recheck: await log.paymentsToRecheck([profileId], [1, 7, 30], start + 40 * day, 20),
        })),
      );
      expect(both[1]).toEqual(both[0]);
    }
    expect(await replica.reader.recentCallbacks(20)).toEqual(await journal.recentCallbacks(20));
    expect(await replica.reader.chainEnds()).toEqual(
      (await journal.chainEnds()).filter(({ seq }) => seq > 0),
    );
    expect(await replica.reader.lastRecordedAt()).toBe(await journal.lastRecordedAt());
  });

  test('a journal and a replica of its chain have the same queue of payments to review, in any list, for any cause', async () => {
    const seen = { rows: new Set<number>(), lists: new Set<string>() };
    const lists = [null, ...reviewLists];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(null, ...profiles, 'gone'),
        fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, fc.constantFrom(...reconciliationCauses)),
        fc.constantFrom(...lists),
        fc.constantFrom('Ada', 'ada', 'Grace', 'Zoe'),
        fc.constantFrom(7, 100),
        async (profileId, cause, list, agent, limit) => {
          const [expected, found] = await Promise.all(
            ([journal, replica.reader] as const).map((log: PaymentLogReader) =>
              pages(cursor => log.reconcile(profileId, cause, cursor, limit, { list, agent })),
            ),
          );
          const rows = expected?.flatMap(page => page.rows) ?? [];
          seen.rows.add(rows.length);
          if (rows.length > 0) seen.lists.add(`${list}`);
          expect(found).toEqual(expected);
        },
      ),
      { numRuns: 40, examples: lists.map(list => [null, null, list, 'Ada', 7]) },
    );
    expect(seen.rows.size).toBeGreaterThan(4);
    expect(seen.lists.size).toBe(lists.length);
  });

  test('a journal and a replica of its chain count and add up the same days', async () => {
    // `moved` dates evidence three hours ago.
    const begin = Date.now() - 3 * hour;
    const instants = fc.integer({ min: -hour, max: 12 * day }).map(at => begin + at);
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(null, ...profiles, 'gone'),
        fc.uniqueArray(instants, { minLength: 2, maxLength: 15 }),
        fc.uniqueArray(instants, { minLength: 2, maxLength: 15 }),
        instants,
        async (profileId, days, before, until) => {
          const inOrder = (some: readonly number[]): number[] => some.toSorted((one, other) => one - other);
          const [expected, found] = await Promise.all(
            ([journal, replica.reader] as const).map(async (log: PaymentLogReader) =>
              inOneOrder(
                await log.overview(profileId, inOrder(days), { dayBoundaries: inOrder(before), until }),
              ),
            ),
          );
          seen.add(expected?.currencies.length ?? 0);
          expect(found).toEqual(expected);
        },
      ),
      { numRuns: 60 },
    );
    expect(seen.size).toBeGreaterThan(1);
  });

  test('a journal and a replica of its chain have the same activities, page by page', async () => {
    const read = async (log: PaymentLogReader, person: string | null): Promise<unknown[]> => {
      const events: unknown[] = [];
      let before: number | null = null;
      do {
        const page: Awaited<ReturnType<PaymentLog['activities']>> = await log.activities(
          { person, group: null },
          before,
          3,
        );
        events.push(...page.events);
        before = page.earlier;
      } while (before !== null);
      return events;
    };
    for (const person of [null, 'Ada', 'Zoe'])
      expect(await read(replica.reader, person)).toEqual(await read(journal, person));
    expect(await read(replica.reader, 'Ada')).toHaveLength(6);
  });
});
