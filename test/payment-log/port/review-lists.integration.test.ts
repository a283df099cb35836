import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { useLog } from '../../../tools/app-harness/use-log.ts';
import type { PaymentLog } from '../../../main/payment-log/payment-log.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { fingerprintOf } from '../../../shared/payment-reducer/fingerprint.ts';
import { isAtRest, needsReviewOf, type ReconciliationRow } from '../../../shared/reports/reconcile.ts';
import { isSetAside, type ReviewList } from '../../../shared/review/review.ts';
import { evidence } from '../../../tools/evidence/arbitrary-evidence.ts';
import { callback, draft, hour } from '../../../tools/evidence/evidence.ts';
import { moved, raised } from '../../../tools/evidence/incomplete-payments.ts';
import { reviewSome } from '../../../tools/evidence/reviewed-payments.ts';
import { everyRow } from './every-row.ts';

const day = 86_400_000;

/** The lists of the review page that people make. */
describe('the lists of the review page', () => {
  const used = useLog('file');
  const append = (drafts: readonly EventDraft[]) => used.append(...drafts);
  const walk = async (list: ReviewList | null, limit: number, profileId = 'shop'): Promise<string[]> => {
    const orders: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<PaymentLog['reconcile']>> = await used.log.reconcile(
        profileId,
        null,
        cursor,
        limit,
        { list, agent: 'Ada' },
      );
      orders.push(...page.rows.map(({ orderNumber }) => orderNumber));
      cursor = page.next;
    } while (cursor !== null);
    return orders;
  };

  describe('the lists of the review page', () => {
    beforeAll(async () => {
      await append(
        fc
          .sample(evidence, { numRuns: 150, seed: 11 })
          .flatMap((events, index) =>
            moved([...(index % 2 === 0 ? raised : []), ...events], 'shop', `N-${index}`),
          ),
      );
      await append(reviewSome(await everyRow(used.log, 'shop')));
    });

    test('equal a check of every payment, in pages of any size', async () => {
      const rows = await everyRow(used.log, 'shop');
      const listed = rows.filter(({ findings }) => findings.length > 0);
      const now = Date.now();
      const open = listed.filter(({ review }) => !isSetAside(review, now));
      const actionable = open.filter(({ findings: [first] }) => first && !isAtRest(first.cause));
      const expected: Record<ReviewList, ReconciliationRow[]> = {
        all: actionable,
        information: open.filter(({ findings: [first] }) => first && isAtRest(first.cause)),
        unassigned: actionable.filter(({ review }) => (review?.assignee ?? null) === null),
        mine: open.filter(({ review }) => review?.assignee === 'Ada'),
        snoozed: listed.filter(
          ({ review }) => review && !review.resolved && (review.snoozedUntil ?? 0) > now,
        ),
        resolved: rows.filter(({ review }) => review?.resolved),
      };
      for (const list of Object.keys(expected) as ReviewList[]) {
        const orders = expected[list].map(({ orderNumber }) => orderNumber).toSorted();
        expect(orders.length, list).toBeGreaterThan(2);
        expect({ list, orders: (await walk(list, 7)).toSorted() }).toEqual({ list, orders });
        expect(await walk(list, 200)).toEqual(await walk(list, 7));
      }
      const page = await used.log.reconcile('shop', null, null, 0, { list: null, agent: 'ada' });
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
      expect((await used.log.verify()).problems).toEqual([]);
      expect(await used.log.paymentList?.rebuild()).toMatchObject({ ok: true });
      expect(await Promise.all(lists.map(list => walk(list, 200)))).toEqual(before);
      expect((await used.log.verify()).problems).toEqual([]);
    });
  });

  test('a resolved payment leaves the queue, and comes back with new evidence', async () => {
    await append(moved(raised, 'hotel', 'N-1'));
    const [row] = await everyRow(used.log, 'hotel');
    if (!row) throw new Error('The payment is missing.');
    const frame = { profileId: 'hotel', orderNumber: 'N-1' };
    expect(await walk('information', 10, 'hotel')).toEqual(['N-1']);
    await append([
      draft('review.resolved', day, { reason: 'not-wanted', text: '', facts: fingerprintOf(row) }, frame),
    ]);
    expect(await walk('information', 10, 'hotel')).toEqual([]);
    expect(await walk('resolved', 10, 'hotel')).toEqual(['N-1']);
    await append(moved([callback(hour, 'sale', 'success')], 'hotel', 'N-1'));
    expect(await walk(null, 10, 'hotel')).toEqual(['N-1']);
    expect(await walk('resolved', 10, 'hotel')).toEqual([]);
  });
});
