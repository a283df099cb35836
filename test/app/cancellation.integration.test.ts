import diagnostics from 'node:diagnostics_channel';
import { beforeAll, expect, test } from 'vitest';
import { newPayment, value } from '../../tools/app-harness/running-app.ts';
import { useApp } from '../../tools/app-harness/use-app.ts';

/** A user stops waiting for the gateway. */

const app = useApp();
beforeAll(async () => {
  await app.request('sandbox.faults', { faults: ['delay'] });
});

/** Resolves when the client has written a request's head: from then on it may have arrived. */
const sent = (): Promise<void> =>
  new Promise(resolve => {
    const channel = 'undici:client:sendHeaders';
    const onSent = (): void => {
      diagnostics.unsubscribe(channel, onSent);
      resolve();
    };
    diagnostics.subscribe(channel, onSent);
  });
const health = async () => await app.value('profiles.health', { id: 'sandbox' });

test('a cancelled request that may have arrived has an unknown outcome, and is no failure of the profile', async () => {
  const form = newPayment();
  const leaves = sent();
  const creating = app.request('payments.create', form);
  await leaves;
  expect(await app.value('payments.cancelWait', { requestId: form.idempotencyKey })).toEqual({
    stopped: true,
  });
  const { payment, events } = value(await creating);
  expect(payment.state).toBe('outcome-unknown');
  expect(events.map(({ kind }) => kind)).toEqual(['session.requested', 'session.unanswered']);
  expect(events.at(-1)).toMatchObject({ body: { code: 'gateway.cancelled' } });
  expect((await health()).lastFailure).toBeNull();
});

test('a request that was cancelled before it was sent is reported to have no link', async () => {
  const form = newPayment();
  const creating = app.request('payments.create', form);
  await app.value('payments.cancelWait', { requestId: form.idempotencyKey });
  expect(await creating).toMatchObject({ ok: false, error: { code: 'gateway.cancelled' } });
  const read = await app.read(form.orderNumber);
  expect(read.payment.state).toBe('refused');
  expect(read.events.at(-1)).toMatchObject({ kind: 'session.refused', body: { sent: false } });
});

test('a look-up can be cancelled by its id; it is stored as sent, and changes no state', async () => {
  await app.request('sandbox.faults', { faults: [] });
  const { payment } = await app.value('payments.create', newPayment());
  await app.request('sandbox.faults', { faults: ['delay'] });
  const request = crypto.randomUUID();
  const leaves = sent();
  const asking = app.request('payments.lookUp', {
    profileId: 'sandbox',
    key: { by: 'order-number', value: payment.orderNumber },
    requestId: request,
  });
  await leaves;
  expect(await app.value('payments.cancelWait', { requestId: crypto.randomUUID() })).toEqual({
    stopped: false,
  });
  await app.request('payments.cancelWait', { requestId: request });
  expect(await asking).toMatchObject({ ok: false, error: { code: 'gateway.cancelled' } });
  const after = await app.read(payment.orderNumber);
  expect(after.payment.flags).toEqual([]);
  expect(after.events.at(-1)).toMatchObject({
    kind: 'status.observed',
    body: { answers: [], problem: { code: 'gateway.cancelled' } },
  });
  expect((await health()).lastFailure).toBeNull();
});

test('an answered look-up can no longer be cancelled', async () => {
  await app.request('sandbox.faults', { faults: [] });
  const form = newPayment();
  await app.value('payments.create', form);
  expect(await app.value('payments.cancelWait', { requestId: form.idempotencyKey })).toEqual({
    stopped: false,
  });
});
