import { beforeAll, expect, test } from 'vitest';
import { note as writtenNote } from '../../../tools/evidence/evidence.ts';
import { moved, attemptHistories } from '../../../tools/evidence/incomplete-payments.ts';
import { newPayment } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** The content of the handover note, and what it must not contain. */

const startedAt = Date.now();
const app = useApp({
  evidence: [
    ...moved(attemptHistories['sources-disagree'], 'sandbox', 'WAITS-1'),
    ...moved(attemptHistories['expired-without-outcome'], 'sandbox', 'RAN-OUT'),
    ...moved(attemptHistories['no-outcome-yet'], 'sandbox', 'AT-THE-BANK'),
    ...moved(attemptHistories.chargeback, 'shop', 'ELSEWHERE'),
    // Written yesterday, stored here only now.
    {
      ...writtenNote(0, 'Of the day before', { orderNumber: 'WAITS-1' }),
      happenedAt: startedAt - 86_400_000,
    },
  ],
});
const customer = { name: 'Jane van Doe', email: 'jane.doe@shop.example' };
const noted = async (orderNumber: string, text: string): Promise<void> => {
  await app.value('payments.note', { profileId: 'sandbox', orderNumber, text });
};
const note = (profileId: string | null = 'sandbox') =>
  app.value('payments.handoverNote', { profileId, since: startedAt });

beforeAll(async () => {
  for (const orderNumber of ['FIRST-1', 'SECOND-1']) {
    const made = await app.request(
      'payments.create',
      newPayment({ orderNumber, customer, allowSameIntent: true }),
    );
    expect(made).toMatchObject({ ok: true });
  }
  await noted(
    'FIRST-1',
    'Promised jane a call about FIRST-1 at 16:00 on 24.12.2026, 123.40 EUR, +49 30 1234567',
  );
  await noted('WAITS-1', 'See https://pay.example/auth/secret or jane.doe@shop.example');
});

test('the handover note contains the open payments, earliest expiry first, and the payments to review', async () => {
  const { running, inFlight, open, attention, needsReview, createdBy } = await note();
  expect(createdBy).toBe('anna');
  expect(running.map(({ orderNumber }) => orderNumber)).toEqual(['FIRST-1', 'SECOND-1']);
  expect(running[0]).toMatchObject({ amount: '123.40', currency: 'EUR' });
  expect(inFlight.map(({ orderNumber }) => orderNumber)).toEqual(['AT-THE-BANK']);
  expect(open).toBe(3);
  expect(attention.map(({ orderNumber, cause }) => [orderNumber, cause])).toEqual([
    ['WAITS-1', 'sources-disagree'],
    ['AT-THE-BANK', 'no-outcome-yet'],
  ]);
  expect(needsReview).toEqual({ count: 2, more: false });
});

test('the handover note contains the notes of the day, without names', async () => {
  const { notes } = await note();
  expect(notes.map(({ orderNumber, text, agent }) => [orderNumber, text, agent])).toEqual([
    ['FIRST-1', 'Promised ••• a call about FIRST-1 at 16:00 on 24.12.2026, 123.40 EUR, •••', 'anna'],
    ['WAITS-1', 'See ••• or •••', 'anna'],
  ]);
});

test('the handover note contains no link, no customer and no description', async () => {
  const text = JSON.stringify(await note(null));
  expect(text).toContain('ELSEWHERE');
  expect(text).not.toMatch(/https?:|jane|doe|Two nights|Blue chair/i);
});

test('the handover note of one profile contains nothing of another', async () => {
  expect(JSON.stringify(await note('sandbox'))).not.toContain('ELSEWHERE');
  expect(await note('shop')).toMatchObject({ open: 0, running: [], notes: [] });
});

test('the overview requires an existing time zone and a valid time', async () => {
  const day = 86_400_000;
  const ask = (from: number, until: number, timeZone: string) =>
    app.request('payments.overview', { profileId: 'sandbox', from, until, timeZone });
  const wrong = { ok: false, error: { code: 'input.invalid' } };
  expect(await ask(0, day, 'Mars/Olympus')).toMatchObject(wrong);
  expect(await ask(day, day, 'UTC')).toMatchObject(wrong);
  expect(await ask(0, 500 * day, 'UTC')).toMatchObject(wrong);
  const counted = await ask(startedAt - day, startedAt + day, 'Europe/Berlin');
  expect(counted).toMatchObject({
    ok: true,
    value: { currencies: [{ currency: 'EUR', figures: { outcomes: { open: 3, expired: 1, unclear: 1 } } }] },
  });
});
