import diagnostics from 'node:diagnostics_channel';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import type { PaymentDetail } from '../../../shared/contract/contract.ts';
import type { SandboxFault } from '../../../shared/sandbox-faults.ts';
import { inState, newPayment, press, value } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** The main job without a window: real log, real HTTP, real sandbox gateway, real receiver. */

const app = useApp();

const raise = (changes: Parameters<typeof newPayment>[0] = {}): Promise<PaymentDetail> =>
  app.value('payments.create', newPayment(changes));

const callbacksOf = (file: PaymentDetail): string[] =>
  file.events.flatMap(event => {
    if (event.kind !== 'callback.received') return [];
    const of = (name: string) => event.body.fields.find(([field]) => field === name)?.[1] ?? '';
    return [`${of('type')} ${of('status')} ${event.body.verification.verdict}`];
  });

test('the request is stored before the gateway answers, and the link is valid for an hour', async () => {
  const { payment, events } = await raise();
  const kinds = events.map(event => event.kind);
  expect(kinds[0]).toBe('session.requested');
  // The redirect callback is sent with the answer, and may be stored before it.
  expect(kinds.slice(1).filter(kind => kind !== 'callback.received')).toEqual(['session.accepted']);
  expect(payment.state).toBe('waiting');
  expect(payment.link?.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  expect((payment.link?.expiresAt ?? 0) - (payment.link?.issuedAt ?? 0)).toBe(3_600_000);
});

test('a payment becomes paid by callback and is confirmed by an automatic look-up', async () => {
  const file = await raise();
  await press(file.payment);
  const paid = await app.until(file.payment.orderNumber, inState('paid-confirmed'));
  expect(callbacksOf(paid)).toEqual(['redirect success verified', 'sale success verified']);
  expect(paid.events.some(event => event.kind === 'status.observed' && event.agent === 'console')).toBe(true);
  expect(paid.payment.linkUsable).toBe(false);
});

test('a status look-up works by payment id and by order number, and its answer is stored', async () => {
  const file = await raise();
  const { payment } = await app.until(file.payment.orderNumber, one => one.paymentIds.length > 0);
  for (const key of [
    { by: 'payment-id', value: payment.paymentIds[0] ?? '' },
    { by: 'order-number', value: payment.orderNumber },
  ] as const) {
    const { event } = await app.value('payments.lookUp', { profileId: 'sandbox', key });
    expect(event).toMatchObject({
      kind: 'status.observed',
      body: { answers: [{ order: { number: payment.orderNumber } }] },
    });
  }
  const { events } = await app.read(payment.orderNumber);
  expect(events.filter(({ kind }) => kind === 'status.observed')).toHaveLength(2);
});

test('the sandbox says of a payment of an earlier start that it has forgotten it', async () => {
  const observed = await app.request('payments.lookUp', {
    profileId: 'sandbox',
    key: { by: 'payment-id', value: crypto.randomUUID() },
  });
  expect(observed).toMatchObject({ ok: false, error: { code: 'gateway.sandbox-forgot' } });
});

test('two forms with one order number, submitted at once, make one request', async () => {
  const orderNumber = `T-${crypto.randomUUID().slice(0, 8)}`;
  const both = await Promise.all(
    [1, 2].map(() => app.request('payments.create', newPayment({ orderNumber }))),
  );
  expect(both.map(result => (result.ok ? 'raised' : result.error.code)).sort()).toEqual([
    'payment.duplicate',
    'raised',
  ]);
});

test('an order number in use requires a confirmation, which creates a second link', async () => {
  const file = await raise();
  const { orderNumber } = file.payment;
  expect(await app.request('payments.create', newPayment({ orderNumber }))).toMatchObject({
    ok: false,
    error: { code: 'payment.duplicate', details: { orderNumber } },
  });
  const again = await raise({ orderNumber, allowDuplicate: true });
  expect(again.payment.link?.url).not.toBe(file.payment.link?.url);
});

test('a card number is refused in every text field', async () => {
  for (const changes of [
    { description: 'card 4111 1111 1111 1111' },
    { orderNumber: '4111111111111111' },
    { customer: { name: '4111-1111-1111-1111' } },
  ])
    expect(await app.refusal('payments.create', newPayment(changes))).toBe('input.card-number');
});

describe('a faulty gateway', () => {
  test.each([
    ['http-400', 'gateway.refused', 'refused'],
    ['plain-http-link', 'gateway.unsafe-link', null],
    ['drop', null, 'outcome-unknown'],
  ] as const)('%s is reported clearly and stored as evidence', async (fault, code, state) => {
    await app.request('sandbox.faults', { faults: [fault] });
    const form = newPayment();
    const created = await app.request('payments.create', form);
    await app.request('sandbox.faults', { faults: [] });
    const read = await app.read(form.orderNumber);
    expect(read.events.map(({ kind }) => kind)).toContainEqual(
      expect.stringMatching(/^session\.(refused|unanswered)$/),
    );
    if (!created.ok) {
      expect(inEnglish(created.error.message).length).toBeGreaterThan(20);
      if (code) expect(created.error.code).toBe(code);
    }
    if (state) expect(read.payment.state).toBe(state);
    expect(['refused', 'outcome-unknown']).toContain(read.payment.state);
  });

  test('a callback with a wrong signature is stored and flagged, and changes no state', async () => {
    await app.request('sandbox.faults', { faults: ['callback-wrong-signature'] });
    const file = await raise();
    await press(file.payment);
    const flagged = await app.until(file.payment.orderNumber, payment =>
      payment.flags.some(flag => flag.kind === 'unverified-evidence'),
    );
    await app.request('sandbox.faults', { faults: [] });
    expect(callbacksOf(flagged)).toContain('redirect success invalid');
    expect(flagged.payment.state).not.toMatch(/^paid/);
  });

  test('callbacks that arrive twice and out of order still make one paid payment', async () => {
    await app.request('sandbox.faults', { faults: ['callback-twice', 'callback-out-of-order'] });
    const file = await raise();
    await press(file.payment);
    const paid = await app.until(file.payment.orderNumber, inState('paid-confirmed'));
    await app.request('sandbox.faults', { faults: [] });
    expect(paid.payment.attempts).toHaveLength(1);
  });
});

test('a copy of the link is recorded with the agent', async () => {
  const file = await raise();
  const { orderNumber, link } = file.payment;
  await app.value('payments.shareLink', { profileId: 'sandbox', orderNumber, channel: 'copy' });
  expect(app.copied.at(-1)).toBe(link?.url);
  const { events } = await app.read(orderNumber);
  expect(events.find(({ kind }) => kind === 'link.shared')).toMatchObject({
    agent: 'anna',
    body: { channel: 'copy' },
  });
});

test('a used link cannot be shared again', async () => {
  const file = await raise();
  await press(file.payment);
  await app.until(file.payment.orderNumber, inState('paid-unconfirmed', 'paid-confirmed'));
  expect(
    await app.refusal('payments.shareLink', {
      profileId: 'sandbox',
      orderNumber: file.payment.orderNumber,
      channel: 'copy',
    }),
  ).toBe('payment.link-unusable');
});

describe('a person who stops waiting for the gateway', () => {
  const faults = (...names: SandboxFault[]) => app.value('sandbox.faults', { faults: names });
  beforeAll(() => faults('delay'));
  afterAll(() => faults());

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
  const lastFailure = async () => (await app.value('profiles.health', { id: 'sandbox' })).lastFailure;

  test('a cancelled request that may have arrived has an unknown outcome, and is no failure of the profile', async () => {
    const failure = await lastFailure();
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
    expect(await lastFailure()).toEqual(failure);
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
    await faults();
    const { payment } = await app.value('payments.create', newPayment());
    await faults('delay');
    const failure = await lastFailure();
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
    expect(await lastFailure()).toEqual(failure);
  });

  test('an answered look-up can no longer be cancelled', async () => {
    await faults();
    const form = newPayment();
    await app.value('payments.create', form);
    expect(await app.value('payments.cancelWait', { requestId: form.idempotencyKey })).toEqual({
      stopped: false,
    });
  });
});
