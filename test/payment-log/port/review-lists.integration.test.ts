import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { useLog } from '../../../tools/app-harness/use-log.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { fingerprintOf } from '../../../shared/payment-reducer/fingerprint.ts';
import { type ReconciliationRow, isAtRest, needsReviewOf } from '../../../shared/reports/reconcile.ts';
import { type ReviewList, isSetAside } from '../../../shared/review/review.ts';
import { evidence } from '../../../tools/evidence/arbitrary-evidence.ts';
import { callback, draft, hour, lookUp, order, requested } from '../../../tools/evidence/evidence.ts';
import { moved, raised } from '../../../tools/evidence/incomplete-payments.ts';
import { everyPage, everyRow } from './every-row.ts';
import { runs } from '../../../tools/app-harness/runs.ts';
import { filter } from '../../../tools/app-harness/running-payment-log.ts';

const day = 86_400_000;

/** About every third payment is resolved, assigned or snoozed, some of them until the same time. */
const reviewSome = (rows: readonly PaymentRow[]): EventDraft[] => {
  const now = Date.now();
  return rows.flatMap((row, index) => {
    const frame = { profileId: row.profileId, orderNumber: row.orderNumber };
    const facts = fingerprintOf(row);
    const until = now + Math.floor(index / 14) * 60_000 + day;
    return [
      ...(index % 3 === 0
        ? [draft('review.resolved', day + index, { reason: 'nothing-to-do', text: '', facts }, frame)]
        : []),
      ...(index % 5 === 0
        ? [draft('review.assigned', 1, { assignee: index % 2 === 0 ? 'Ada' : 'Grace' }, frame)]
        : []),
      ...(index % 7 === 0 ? [draft('review.snoozed', 2, { until, facts }, frame)] : []),
    ];
  });
};

/** The lists of the review page that people make. */
describe('the lists of the review page', () => {
  const used = useLog('file');
  const append = (drafts: readonly EventDraft[]) => used.append(...drafts);
  const walk = async (list: ReviewList | null, limit: number, profileId = 'shop'): Promise<string[]> => {
    const pages = await everyPage(cursor =>
      used.log.reconcile(profileId, null, cursor, limit, { list, agent: 'Ada' }),
    );
    return pages.flatMap(({ rows }) => rows.map(({ orderNumber }) => orderNumber));
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

/** A look-up is an inquiry until the gateway or other evidence shows that there is a payment. */
const used = useLog('file');

const refusedLookUp = (at: number, asked: string): EventDraft =>
  draft('status.observed', at, {
    asked: { by: 'order-number', value: asked },
    answers: [],
    problem: { code: 'gateway.signature-refused', message: 'Hash is not valid.' },
    answer: null,
    requestedBy: 'person',
  });
const ofOrder = (one: EventDraft, orderNumber: string): EventDraft =>
  ({
    ...one,
    id: crypto.randomUUID(),
    orderNumber,
    // A look-up by order number has no payment id.
    paymentId: one.kind === 'status.observed' ? null : one.paymentId,
    dedupeKey: one.dedupeKey === null ? null : `${one.dedupeKey} ${orderNumber}`,
    body:
      one.kind === 'status.observed'
        ? {
            ...one.body,
            answers: one.body.answers.map(answer => ({
              ...answer,
              order: {
                ...answer.order,
                number: answer.order.number === order.number ? orderNumber : answer.order.number,
              },
            })),
          }
        : one.body,
  }) as EventDraft;

const failures = [
  (at: number) => refusedLookUp(at, 'X'),
  (at: number) => lookUp(at, 'settled', { order: { ...order, number: 'ANOTHER' } }),
  (at: number) => lookUp(at, 'not found', { paymentId: null, order: { ...order, number: null } }),
];
const autoConfirm = [
  (at: number) => lookUp(at, 'settled'),
  (at: number) => lookUp(at, 'prepare', { order: { ...order, number: null } }),
  (at: number) => callback(at, 'sale', 'success'),
  (at: number) => requested(at),
];

test('a payment with only failed look-ups stays out of lists until other evidence confirms it, and then has its whole history', async () => {
  let made = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          { weight: 3, arbitrary: fc.constantFrom(...failures).map(make => ({ make, confirms: false })) },
          { weight: 1, arbitrary: fc.constantFrom(...autoConfirm).map(make => ({ make, confirms: true })) },
        ),
        { minLength: 1, maxLength: 5 },
      ),
      async steps => {
        made += 1;
        const orderNumber = `INQ-${made}`;
        const before = await used.log.count(filter({}));
        let confirmed = false;
        for (const [index, { make, confirms }] of steps.entries()) {
          const written = await used.log.append([ofOrder(make(index * 1000), orderNumber)]);
          expect(written.ok).toBe(true);
          confirmed ||= confirms;
          const payment = await used.log.payment('sandbox', orderNumber);
          expect(payment === null).toBe(!confirmed);
          if (payment) expect(payment.events).toBe(index + 1);
        }
        const after = await used.log.count(filter({}));
        expect(after.count - before.count).toBe(confirmed ? 1 : 0);
        const inquiries = await used.log.inquiries('sandbox', 1_000);
        const here = inquiries.filter(event => event.orderNumber === orderNumber).length;
        expect(here).toBe(confirmed ? 0 : steps.length);
      },
    ),
    { numRuns: runs(15) },
  );
  const { currencies, elsewhere } = await used.log.overview(null, [0, Number.MAX_SAFE_INTEGER]);
  const { rows } = await used.log.list(filter({}), null, 1_000);
  expect(currencies.length + elsewhere).toBeGreaterThan(0);
  expect(rows.every(({ paymentIds, raisedHere }) => raisedHere || paymentIds.length > 0)).toBe(true);
  expect((await used.log.verify(() => undefined)).problems).toEqual([]);
});

test('a payment is found by its id in any letter case, so a look-up with another spelling is no inquiry', async () => {
  const id = '6F1D2C3B-00AB-4000-8000-00000000C0DE';
  const spelled = { given: id.toLowerCase(), typed: id };
  const sale = callback(0, 'sale', 'success', { id: spelled.given });
  const asked: EventDraft = {
    ...lookUp(1000, 'not found', { paymentId: null, order: { ...order, number: null } }),
    orderNumber: null,
    paymentId: spelled.typed,
  };
  await used.log.append([asked]);
  const about = async (paymentIds?: string[]) =>
    (await used.log.inquiries('sandbox', 1_000, paymentIds)).filter(one => one.paymentId === spelled.typed)
      .length;
  expect(await about()).toBe(1);
  await used.log.append([{ ...ofOrder(sale, 'SPELLED'), paymentId: spelled.given }]);
  expect(await about()).toBe(0);
  for (const one of Object.values(spelled)) {
    expect(await used.log.ordersOf(one)).toEqual([{ profileId: 'sandbox', orderNumber: 'SPELLED' }]);
    expect(await about([one])).toBe(1);
  }
});
