import { afterAll, beforeAll, expect, test } from 'vitest';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import type { PaymentDetail } from '../../../shared/contract/index.ts';
import type { BulkLookUp } from '../../../shared/payments/bulk-look-up.ts';
import { newPayment, startTestApp, type TestApp } from '../../../tools/app-harness/running-app.ts';

/** A bulk look-up on the real desk: real log, real HTTP, the sandbox as the gateway. */

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  // Automatic look-ups would be counted as well.
  await app.request('settings.change', { confirmPaid: false });
});
afterAll(() => app.remove());

const raise = async (): Promise<PaymentDetail> => {
  const created = await app.request('payments.create', newPayment());
  if (!created.ok) throw new Error(inEnglish(created.error.message));
  return app.until(created.value.payment.orderNumber, payment => payment.paymentIds.length > 0);
};
const press = (file: PaymentDetail, scenario: string) =>
  fetch(file.payment.link?.url ?? '', { method: 'POST', body: new URLSearchParams({ scenario }) });
const key = ({ payment: { profileId, orderNumber } }: PaymentDetail) => ({ profileId, orderNumber });
const over = async (): Promise<BulkLookUp> => {
  let round: BulkLookUp | null = null;
  await expect
    .poll(
      async () => {
        const read = await app.request('lookUps.read', {});
        round = read.ok ? read.value.round : null;
        return round?.phase;
      },
      { timeout: 20_000 },
    )
    .toBe('over');
  if (round === null) throw new Error('no round');
  return round;
};
const ordersOf = async (outcome: 'paid-now' | 'changed' | 'unchanged' | 'failed') => {
  const read = await app.request('lookUps.payments', { outcome });
  if (!read.ok) throw new Error(inEnglish(read.error.message));
  return { orders: read.value.rows.map(row => row.orderNumber), failures: read.value.failures };
};

test('a payment whose callbacks never came is found paid; one that was begun has changed; every answer is evidence', async () => {
  const waiting = await raise();
  const silent = await raise();
  await app.request('sandbox.faults', { faults: ['callback-none'] });
  await press(silent, 'pay');
  await app.request('sandbox.faults', { faults: [] });
  const started = await app.request('lookUps.start', {
    // Named twice, asked about once.
    payments: [
      key(waiting),
      key(silent),
      key(waiting),
      { profileId: 'sandbox', orderNumber: 'unknown-order' },
    ],
  });
  expect(started).toMatchObject({ ok: true, value: { round: { phase: 'running', total: 3, done: 0 } } });
  const round = await over();
  expect(round).toMatchObject({
    total: 3,
    done: 3,
    outcomes: { 'paid-now': 1, changed: 1, unchanged: 0, failed: 1 },
  });
  expect((await ordersOf('paid-now')).orders).toEqual([silent.payment.orderNumber]);
  expect((await ordersOf('changed')).orders).toEqual([waiting.payment.orderNumber]);
  expect(await ordersOf('failed')).toEqual({
    orders: [],
    failures: [{ code: 'payment.missing', count: 1 }],
  });
  for (const file of [waiting, silent]) {
    const read = await app.request('payments.read', key(file));
    const observed = read.ok ? read.value.events.filter(event => event.kind === 'status.observed') : [];
    // By the console, for the person who chose them.
    expect(observed.map(event => [event.body.requestedBy, event.agent])).toEqual([['console', 'anna']]);
  }
});

test('a row of the result holds no link', async () => {
  const read = await app.request('lookUps.payments', { outcome: 'changed' });
  expect(JSON.stringify(read)).not.toContain('http');
});

test('if the gateway fails it pauses automatically, and continues on the user’s request', async () => {
  const files = [];
  for (let index = 0; index < 6; index += 1) files.push(await raise());
  await app.request('sandbox.faults', { faults: ['http-500'] });
  await app.request('lookUps.start', { payments: files.map(key) });
  await expect
    .poll(async () => {
      const read = await app.request('lookUps.read', {});
      return read.ok && read.value.round?.phase;
    })
    .toBe('paused');
  const held = await app.request('lookUps.read', {});
  expect(held).toMatchObject({ ok: true, value: { round: { problem: { code: 'gateway.server-error' } } } });
  await app.request('sandbox.faults', { faults: [] });
  // One round at a time.
  expect(await app.request('lookUps.start', { payments: files.map(key) })).toMatchObject({
    ok: false,
    error: { code: 'input.invalid' },
  });
  await app.request('lookUps.control', { to: 'go-on' });
  const round = await over();
  expect(round.done).toBe(6);
  expect(round.outcomes.changed + round.outcomes.unchanged).toBeGreaterThanOrEqual(2);
  const { orders, failures } = await ordersOf('failed');
  expect(orders).toHaveLength(round.outcomes.failed);
  expect(failures).toEqual([{ code: 'gateway.server-error', count: orders.length }]);
});

test('a round that is over can be forgotten, and one under way cannot', async () => {
  const file = await raise();
  await app.request('lookUps.start', { payments: [key(file)] });
  await app.request('lookUps.control', { to: 'pause' });
  expect(await app.request('lookUps.control', { to: 'forget' })).toMatchObject({
    ok: true,
    value: { round: { total: 1 } },
  });
  await app.request('lookUps.control', { to: 'stop' });
  await over();
  expect(await app.request('lookUps.control', { to: 'forget' })).toEqual({
    ok: true,
    value: { round: null },
  });
});
