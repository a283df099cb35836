import { beforeAll, expect, test } from 'vitest';
import type { PaymentDetail } from '../../../shared/contract/contract.ts';
import type { BulkLookUp } from '../../../shared/look-ups/bulk-look-up.ts';
import { newPayment, press } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** A bulk look-up in the real application: real log, real HTTP, the sandbox as the gateway. */

const app = useApp();
beforeAll(async () => {
  // Automatic look-ups would be counted as well.
  await app.request('settings.change', { lookUpAutomatically: false });
});

const raise = async (): Promise<PaymentDetail> => {
  const created = await app.value('payments.create', newPayment());
  return app.until(created.payment.orderNumber, payment => payment.paymentIds.length > 0);
};
const key = ({ payment: { profileId, orderNumber } }: PaymentDetail) => ({ profileId, orderNumber });
const finished = async (): Promise<BulkLookUp> => {
  const read = async () => (await app.value('lookUps.read', {})).job;
  await expect.poll(async () => (await read())?.phase).toBe('over');
  const job = await read();
  if (job === null) throw new Error('no job');
  return job;
};
const ordersOf = async (outcome: 'paid-now' | 'changed' | 'unchanged' | 'failed') => {
  const read = await app.value('lookUps.payments', { outcome });
  return read.rows.map(row => row.orderNumber);
};

test('a payment without callbacks is found paid; one whose page is only prepared has not changed; every answer is stored as evidence', async () => {
  const waiting = await raise();
  const withoutCallback = await raise();
  await app.request('sandbox.faults', { faults: ['callback-none'] });
  await press(withoutCallback.payment);
  await app.request('sandbox.faults', { faults: [] });
  const started = await app.request('lookUps.start', {
    // Listed twice, looked up once.
    payments: [
      key(waiting),
      key(withoutCallback),
      key(waiting),
      { profileId: 'sandbox', orderNumber: 'unknown-order' },
    ],
  });
  expect(started).toMatchObject({ ok: true, value: { job: { phase: 'running', total: 3, done: 0 } } });
  const job = await finished();
  expect(job).toMatchObject({
    total: 3,
    done: 3,
    outcomes: { 'paid-now': 1, changed: 0, unchanged: 1, failed: 1 },
    failures: [{ code: 'payment.missing', count: 1 }],
  });
  expect(await ordersOf('paid-now')).toEqual([withoutCallback.payment.orderNumber]);
  expect(await ordersOf('unchanged')).toEqual([waiting.payment.orderNumber]);
  expect(await ordersOf('failed')).toEqual([]);
  for (const one of [waiting, withoutCallback]) {
    const { events } = await app.value('payments.read', key(one));
    const observed = events.filter(event => event.kind === 'status.observed');
    // Requested by the console, for the user who chose the payments.
    expect(observed.map(event => [event.body.requestedBy, event.agent])).toEqual([['console', 'anna']]);
  }
});

test('a finished bulk look-up can be removed, one in progress cannot', async () => {
  const one = await raise();
  await app.request('lookUps.start', { payments: [key(one)] });
  await app.request('lookUps.control', { to: 'pause' });
  expect(await app.value('lookUps.control', { to: 'forget' })).toMatchObject({ job: { total: 1 } });
  await app.request('lookUps.control', { to: 'stop' });
  await finished();
  expect(await app.value('lookUps.control', { to: 'forget' })).toEqual({ job: null });
});
