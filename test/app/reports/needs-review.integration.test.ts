import { expect, test } from 'vitest';
import {
  needsReviewOf,
  type NeedsReview,
  type ReconciliationCause,
} from '../../../shared/reports/reconcile.ts';
import { moved, attemptHistories } from '../../../tools/evidence/incomplete-payments.ts';
import { writeClosedLog } from '../../../tools/app-harness/closed-log.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** The number of payments to review is the same everywhere. */

const app = useApp({ each: 'test' });

const startWith = async (payments: Partial<Record<ReconciliationCause, number>>): Promise<void> => {
  const histories = Object.entries(payments).flatMap(([cause, count]) =>
    Array.from({ length: count }, (_, index) =>
      moved(attemptHistories[cause as ReconciliationCause], 'sandbox', `${cause}-${index}`),
    ),
  );
  histories.push(moved(attemptHistories.chargeback, 'shop', 'of-another-profile'));
  await app.restart(() => writeClosedLog(app.logFile, histories.flat()));
};

/** The number in the rail, on the reconciliation page and in the overview; in the handover note; in the tray. */
const shown = async (needsReview: NeedsReview) => {
  const queue = await app.value('payments.reconcile', { profileId: 'sandbox', limit: 0 });
  const note = await app.value('payments.handoverNote', { profileId: 'sandbox', since: 0 });
  await expect.poll(() => app.outside.tray).toMatchObject(needsReview);
  expect(needsReviewOf(queue.counts ?? [])).toEqual(needsReview);
  expect(note.needsReview).toEqual(needsReview);
  return { queue, note };
};

test('the window, the handover note and the tray show one number, without causes that need no action', async () => {
  await startWith({
    chargeback: 64,
    'sources-disagree': 121,
    'expired-without-outcome': 52,
    'refund-seen': 12,
  });
  const { queue, note } = await shown({ count: 185, more: false });
  expect(queue.counts?.map(({ cause, count }) => [cause, count])).toEqual([
    ['sources-disagree', 121],
    ['chargeback', 64],
    ['expired-without-outcome', 52],
    ['refund-seen', 12],
  ]);
  expect(note.attention.map(({ cause }) => cause)).toEqual(
    Array.from({ length: 100 }, () => 'sources-disagree'),
  );
  expect(app.outside.tray?.tooltip).toBe('Counterfoil: 185 payments to review');
});

test('if the count stopped early, each count of payments to review shows "at least"', async () => {
  await startWith({ 'record-differs': 501, 'refund-amount-unknown': 3 });
  await shown({ count: 503, more: true });
  expect(app.outside.tray?.tooltip).toBe('Counterfoil: at least 503 payments to review');
});

test('the handover note lists what needs review even if expired links fill a page', async () => {
  await startWith({ 'settled-twice': 2, 'refund-amount-unknown': 5, 'expired-without-outcome': 130 });
  const { note } = await shown({ count: 7, more: false });
  expect(note.attention.map(({ cause }) => cause)).toEqual([
    ...Array.from({ length: 2 }, () => 'settled-twice'),
    ...Array.from({ length: 5 }, () => 'refund-amount-unknown'),
  ]);
});

test('the handover note reports that it lists fewer notes than were written', async () => {
  await startWith({ chargeback: 1 });
  const since = Date.now();
  for (let index = 0; index < 101; index += 1)
    await app.value('payments.note', {
      profileId: 'sandbox',
      orderNumber: 'chargeback-0',
      text: `No. ${index}`,
    });
  const note = await app.value('payments.handoverNote', { profileId: 'sandbox', since });
  expect(note.hasMoreNotes).toBe(true);
  expect(note.notes).toHaveLength(100);
});
