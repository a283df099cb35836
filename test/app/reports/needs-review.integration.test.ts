import { expect, test } from 'vitest';
import {
  needsReviewOf,
  type NeedsReview,
  type ReconciliationCause,
} from '../../../shared/reports/reconcile.ts';
import { moved, attemptHistories } from '../../../tools/evidence/incomplete-payments.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** The number of payments to review is the same everywhere. */

const ofProfile = (profileId: string, payments: Partial<Record<ReconciliationCause, number>>) =>
  Object.entries(payments).flatMap(([cause, count]) =>
    Array.from({ length: count }, (_, index) =>
      moved(attemptHistories[cause as ReconciliationCause], profileId, `${cause}-${index}`),
    ).flat(),
  );
const app = useApp({
  evidence: [
    ...ofProfile('sandbox', { 'record-differs': 501, 'refund-amount-unknown': 3 }),
    ...ofProfile('shop', {
      chargeback: 64,
      'sources-disagree': 121,
      'expired-without-outcome': 52,
      'refund-seen': 12,
    }),
    ...ofProfile('hotel', { 'settled-twice': 2, 'refund-amount-unknown': 5, 'expired-without-outcome': 130 }),
  ],
});

/** The number in the rail, on the reconciliation page and in the overview; in the handover note. */
const shown = async (profileId: string, needsReview: NeedsReview) => {
  const queue = await app.value('payments.reconcile', { profileId, limit: 0 });
  const note = await app.value('payments.handoverNote', { profileId, since: 0 });
  expect(needsReviewOf(queue.counts ?? [])).toEqual(needsReview);
  expect(note.needsReview).toEqual(needsReview);
  return { queue, note };
};

test('the window, the handover note and the tray show one number, and if the count stopped early each shows "at least"', async () => {
  const needsReview = { count: 503, more: true };
  await shown('sandbox', needsReview);
  await expect.poll(() => app.outside.tray).toMatchObject(needsReview);
  expect(app.outside.tray?.tooltip).toBe('Counterfoil: at least 503 payments to review');
});

test('the number of payments to review has no causes that need no action', async () => {
  const { queue, note } = await shown('shop', { count: 185, more: false });
  expect(queue.counts?.map(({ cause, count }) => [cause, count])).toEqual([
    ['sources-disagree', 121],
    ['chargeback', 64],
    ['expired-without-outcome', 52],
    ['refund-seen', 12],
  ]);
  expect(note.attention.map(({ cause }) => cause)).toEqual(
    Array.from({ length: 100 }, () => 'sources-disagree'),
  );
});

test('the handover note lists what needs review even if expired links fill a page', async () => {
  const { note } = await shown('hotel', { count: 7, more: false });
  expect(note.attention.map(({ cause }) => cause)).toEqual([
    ...Array.from({ length: 2 }, () => 'settled-twice'),
    ...Array.from({ length: 5 }, () => 'refund-amount-unknown'),
  ]);
});

test('the handover note reports that it lists fewer notes than were written', async () => {
  const since = Date.now();
  for (let index = 0; index < 101; index += 1)
    await app.value('payments.note', {
      profileId: 'sandbox',
      orderNumber: 'record-differs-0',
      text: `No. ${index}`,
    });
  const note = await app.value('payments.handoverNote', { profileId: 'sandbox', since });
  expect(note.hasMoreNotes).toBe(true);
  expect(note.notes).toHaveLength(100);
});
