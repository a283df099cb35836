import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PaymentLog } from '../../../main/payment-log/payment-log.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { factsOf } from '../../../shared/payment-reducer/facts.ts';
import {
  isAtRest,
  needsReviewOf,
  reconcile,
  type ReconciliationRow,
} from '../../../shared/reports/reconcile.ts';
import { isSetAside, type ReviewList } from '../../../shared/review/review.ts';
import { evidence } from '../../../tools/evidence/arbitrary-evidence.ts';
import { draft, hour, lookUp } from '../../../tools/evidence/evidence.ts';
import { filter, logFolder, type LogFolder } from '../../../tools/app-harness/running-payment-log.ts';
import { moved, raised } from '../../../tools/evidence/incomplete-payments.ts';

const day = 86_400_000;
let folder: LogFolder;
let log: PaymentLog;

const append = async (drafts: readonly EventDraft[]): Promise<void> => {
  const written = await log.append(drafts);
  if (!written.ok) throw new Error(written.error.code);
};

/** Every payment of a profile, from the list of payments. */
const everyRow = async (profileId: string): Promise<ReconciliationRow[]> => {
  const found: ReconciliationRow[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<PaymentLog['list']>> = await log.list(filter({ profileId }), cursor, 200);
    for (const row of page.rows) found.push({ ...row, findings: reconcile(row, Date.now()) });
    cursor = page.next;
  } while (cursor !== null);
  return found;
};

const walk = async (list: ReviewList | null, limit: number, agent = 'Ada'): Promise<string[]> => {
  const orders: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<PaymentLog['reconcile']>> = await log.reconcile(
      'shop',
      null,
      cursor,
      limit,
      { list, agent },
    );
    orders.push(...page.rows.map(({ orderNumber }) => orderNumber));
    cursor = page.next;
  } while (cursor !== null);
  return orders;
};

/** About every third payment is resolved, assigned or snoozed. */
const reviewSome = async (): Promise<void> => {
  for (const [index, row] of (await everyRow('shop')).entries()) {
    const frame = { profileId: 'shop', orderNumber: row.orderNumber };
    const facts = factsOf(row);
    if (index % 3 === 0)
      await append([
        draft('review.resolved', day + index, { reason: 'nothing-to-do', text: '', facts }, frame),
      ]);
    if (index % 5 === 0)
      await append([draft('review.assigned', 1, { assignee: index % 2 === 0 ? 'Ada' : 'Grace' }, frame)]);
    if (index % 7 === 0)
      await append([draft('review.snoozed', 2, { until: Date.now() + index * 60_000 + day, facts }, frame)]);
  }
};

beforeEach(async () => {
  folder = logFolder();
  log = await folder.open();
});
afterEach(() => folder.remove());

describe('the lists of the review page', () => {
  beforeEach(async () => {
    for (const [index, events] of fc.sample(evidence, { numRuns: 150, seed: 11 }).entries())
      await append(moved([...(index % 2 === 0 ? raised : []), ...events], 'shop', `N-${index}`));
    await reviewSome();
  });

  test('equal a check of every payment, in pages of any size', async () => {
    const rows = await everyRow('shop');
    const listed = rows.filter(({ findings }) => findings.length > 0);
    const now = Date.now();
    const open = listed.filter(({ review }) => !isSetAside(review, now));
    const actionable = open.filter(({ findings: [first] }) => first && !isAtRest(first.cause));
    const expected: Record<ReviewList, ReconciliationRow[]> = {
      all: actionable,
      information: open.filter(({ findings: [first] }) => first && isAtRest(first.cause)),
      unassigned: actionable.filter(({ review }) => (review?.assignee ?? null) === null),
      mine: open.filter(({ review }) => review?.assignee === 'Ada'),
      snoozed: listed.filter(({ review }) => review && !review.resolved && (review.snoozedUntil ?? 0) > now),
      resolved: rows.filter(({ review }) => review?.resolved),
    };
    for (const list of Object.keys(expected) as ReviewList[]) {
      const orders = expected[list].map(({ orderNumber }) => orderNumber).toSorted();
      expect(orders.length, list).toBeGreaterThan(2);
      expect({ list, orders: (await walk(list, 7)).toSorted() }).toEqual({ list, orders });
      expect(await walk(list, 200)).toEqual(await walk(list, 7));
    }
    const page = await log.reconcile('shop', null, null, 0, { list: null, agent: 'ada' });
    expect(needsReviewOf(page.counts ?? [])).toEqual({ count: expected.all.length, more: false });
    expect(page.lists).toEqual({
      mine: { count: expected.mine.length, more: false },
      unassigned: { count: expected.unassigned.length, more: false },
      snoozed: { count: expected.snoozed.length, more: false },
    });
    const information = (page.counts ?? []).filter(({ cause }) => isAtRest(cause));
    expect(information.reduce((sum, { count }) => sum + count, 0)).toBe(expected.information.length);
  });

  test('are the same after the list of payments is rebuilt, and verify', async () => {
    const lists: (ReviewList | null)[] = [null, 'mine', 'snoozed', 'resolved'];
    const before = await Promise.all(lists.map(list => walk(list, 200)));
    expect((await log.verify()).problems).toEqual([]);
    await log.rebuild();
    expect(await Promise.all(lists.map(list => walk(list, 200)))).toEqual(before);
    expect((await log.verify()).problems).toEqual([]);
  });

  test.each([
    ['another person', "UPDATE review SET assignee = 'Eve' WHERE assignee = 'Ada'"],
    ['a review that is missing', 'DELETE FROM review WHERE resolved_at IS NOT NULL'],
    ['a payment that only counts as resolved', 'UPDATE facet SET resolved = 2 WHERE resolved = 0'],
  ])('are verified: %s', async (_what, change) => {
    await log.close();
    folder.tamper(change);
    log = await folder.open();
    expect((await log.verify()).problems.map(({ kind }) => kind)).toContain('projection');
  });
});

test('a resolved payment leaves the queue, and comes back with new evidence', async () => {
  await append(moved(raised, 'shop', 'N-1'));
  const [row] = await everyRow('shop');
  if (!row) throw new Error('The payment is missing.');
  const frame = { profileId: 'shop', orderNumber: 'N-1' };
  expect(await walk('information', 10)).toEqual(['N-1']);
  await append([
    draft('review.resolved', day, { reason: 'not-wanted', text: '', facts: factsOf(row) }, frame),
  ]);
  expect(await walk('information', 10)).toEqual([]);
  expect(await walk('resolved', 10)).toEqual(['N-1']);
  await append(moved([lookUp(hour, 'settled')], 'shop', 'N-1'));
  expect(await walk(null, 10)).toEqual(['N-1']);
  expect(await walk('resolved', 10)).toEqual([]);
});
