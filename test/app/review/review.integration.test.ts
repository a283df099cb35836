import { afterEach, beforeEach, expect, test } from 'vitest';
import { fingerprintOf } from '../../../shared/payment-reducer/fingerprint.ts';
import { needsReviewOf, type ReconciliationRow } from '../../../shared/reports/reconcile.ts';
import type { ReviewList } from '../../../shared/review/review.ts';
import { callback, hour } from '../../../tools/evidence/evidence.ts';
import { attemptHistories, moved } from '../../../tools/evidence/incomplete-payments.ts';
import { writeClosedLog } from '../../../tools/app-harness/closed-log.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** Resolving, assigning and snoozing payments in the running application. */

/** A profile for each test, with four payments to review. The tray shows the first one, the active profile. */
const profiles = ['sandbox', ...Array.from({ length: 12 }, (_, at) => `shop-${at}`)];
let unused = profiles.slice(1);
let profileId = '';

const app = useApp({
  evidence: profiles.flatMap(profile => [
    ...moved(attemptHistories['sources-disagree'], profile, 'A-1'),
    ...moved(attemptHistories.chargeback, profile, 'A-2'),
    ...moved(attemptHistories['refund-amount-unknown'], profile, 'A-3'),
    ...moved(attemptHistories['expired-without-outcome'], profile, 'A-4'),
  ]),
});
beforeEach(() => {
  [profileId = '', ...unused] = unused;
});
afterEach(() => app.backToFirst());

const read = async (list: ReviewList | null = null): Promise<readonly ReconciliationRow[]> =>
  (await app.value('payments.reconcile', { profileId, list })).rows;
const orders = async (list: ReviewList | null = null): Promise<string[]> =>
  (await read(list)).map(({ orderNumber }) => orderNumber);
const keyOf = (row: ReconciliationRow) => ({ profileId: row.profileId, orderNumber: row.orderNumber });
const seen = (rows: readonly ReconciliationRow[]) =>
  rows.map(row => ({ ...keyOf(row), facts: fingerprintOf(row) }));
const signInAs = async (name: string, role: 'agent' | 'supervisor'): Promise<void> => {
  const { id } = await app.addPerson(name, role);
  await app.value('agents.signIn', { id, pin: null });
};

test('a queue is resolved to zero in one request, and nothing stays for ever', async () => {
  profileId = 'sandbox';
  const rows = await read();
  expect(rows).toHaveLength(4);
  const done = await app.value('review.resolve', {
    payments: seen(rows),
    reason: 'nothing-to-do',
    text: 'Ticket 7',
  });
  expect(done).toEqual({ recorded: rows.map(keyOf), changed: [] });
  const page = await app.value('payments.reconcile', { profileId });
  expect(page.rows).toEqual([]);
  expect(needsReviewOf(page.counts ?? [])).toEqual({ count: 0, more: false });
  expect((await read('resolved')).map(({ review }) => review?.resolved)).toEqual(
    Array.from({ length: 4 }, () => expect.objectContaining({ reason: 'nothing-to-do', text: 'Ticket 7' })),
  );
  await expect.poll(() => app.outside.tray).toMatchObject({ count: 0 });
});

test('who resolved a payment, when and why is in its history', async () => {
  const [row] = await read();
  if (!row) throw new Error('The queue is empty.');
  await app.value('review.resolve', { payments: seen([row]), reason: 'other', text: 'Paid in cash' });
  await app.value('review.reopen', { payments: [keyOf(row)] });
  const { events, payment } = await app.value('payments.read', keyOf(row));
  expect(events.slice(-2).map(({ kind, agent, body }) => ({ kind, agent, body }))).toEqual([
    {
      kind: 'review.resolved',
      agent: 'anna',
      body: { reason: 'other', text: 'Paid in cash', facts: fingerprintOf(row) },
    },
    { kind: 'review.reopened', agent: 'anna', body: { resolutions: [events.at(-2)?.id] } },
  ]);
  expect(payment.review).toBeNull();
  expect(await orders()).toContain(row.orderNumber);
});

test('what changed after a person saw it is not resolved or snoozed unseen', async () => {
  const rows = await read();
  const evidence = moved([callback(2 * hour, 'chargeback', 'success')], profileId, 'A-3');
  await app.restart(() => writeClosedLog(app.logFile, evidence));
  const changed = [{ profileId, orderNumber: 'A-3' }];
  expect(await app.value('review.resolve', { payments: seen(rows), reason: 'passed-on' })).toMatchObject({
    changed,
  });
  expect(await orders()).toEqual(['A-3']);
  const until = Date.now() + hour;
  const old = rows.filter(({ orderNumber }) => orderNumber === 'A-3');
  expect(await app.value('review.snooze', { payments: seen(old), until })).toEqual({
    recorded: [],
    changed,
  });
});

test('a snoozed payment is in its own list until it is shown again', async () => {
  const rows = (await read()).filter(({ orderNumber }) => orderNumber === 'A-2');
  await app.value('review.snooze', { payments: seen(rows), until: Date.now() + hour });
  expect(await orders()).toEqual(['A-1', 'A-3', 'A-4']);
  expect(await orders('snoozed')).toEqual(['A-2']);
  await app.value('review.snooze', { payments: seen(rows), until: null });
  expect(await orders('snoozed')).toEqual([]);
  expect(await app.refusal('review.snooze', { payments: seen(rows), until: 1 })).toBe('input.invalid');
});

test('an agent takes payments and releases their own, but takes no other person’s away', async () => {
  const [first, second] = (await read()).map(keyOf);
  if (!first || !second) throw new Error('The queue is empty.');
  await app.value('review.assign', { payments: [second], assignee: 'anna' });
  await signInAs('Grace', 'agent');
  expect(await app.value('review.assign', { payments: [first, second], assignee: 'Grace' })).toEqual({
    recorded: [first],
    changed: [second],
  });
  expect(await orders('mine')).toEqual([first.orderNumber]);
  expect(await orders('unassigned')).not.toContain(first.orderNumber);
  expect(await app.value('review.assign', { payments: [first, second], assignee: null })).toEqual({
    recorded: [first],
    changed: [second],
  });
  expect(await app.refusal('review.assign', { payments: [first], assignee: 'anna' })).toBe(
    'agent.not-allowed',
  );
});

test('the handover note names who has each payment that needs review', async () => {
  const [first] = await read();
  if (!first) throw new Error('The queue is empty.');
  await app.value('review.assign', { payments: [keyOf(first)], assignee: 'anna' });
  const note = await app.value('payments.handoverNote', { profileId, since: 0 });
  expect(note.attention.map(({ orderNumber, assignee }) => [orderNumber, assignee])).toEqual([
    [first.orderNumber, 'anna'],
    ['A-2', null],
    ['A-3', null],
  ]);
});

test.each([
  ['another reason without a text', { reason: 'other', text: ' ' }],
  ['a card number', { reason: 'nothing-to-do', text: 'Card 4111111111111111' }],
] as const)('a resolution is refused with %s', async (_what, resolution) => {
  const rows = await read();
  expect(await app.request('review.resolve', { payments: seen(rows), ...resolution })).toMatchObject({
    ok: false,
    error: { fields: [{ path: 'text' }] },
  });
  expect(await orders()).toHaveLength(rows.length);
});
