import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../tools/app-harness/use-app.ts';
import { filterOf } from '../../../renderer/stores/payments/filters.ts';
import type { View } from '../../../renderer/routes.ts';
import type { PaymentDetail } from '../../../shared/contract/contract.ts';
import type { BulkLookUp } from '../../../shared/look-ups/bulk-look-up.ts';
import { lookUpKeyOf } from '../../../shared/look-ups/look-up-key.ts';
import { openLinksIn, raisedOf } from '../../../shared/payments/outcomes.ts';
import { addShop, newPayment, press, value } from '../../../tools/app-harness/running-app.ts';
import type { SandboxFault } from '../../../shared/sandbox-faults.ts';

/** Requests and links of one console with the built-in sandbox: not sent, corrected, withdrawn. */

const app = useApp();

const ask = (by: 'order-number' | 'payment-id', text: string) =>
  app.request('payments.lookUp', { profileId: 'sandbox', key: { by, value: text } });

test(
  'a look-up of an unknown number creates no payment, and is shown among the inquiries at once',
  { timeout: 10_000 },
  async () => {
    const unknownId = crypto.randomUUID();
    expect(await ask('order-number', 'com')).toMatchObject({ ok: false });
    expect(await ask('payment-id', unknownId)).toMatchObject({ ok: false });
    const counted = await app.request('payments.count', { filter: {} });
    expect(counted).toMatchObject({ ok: true, value: { count: 0 } });
    const queue = await app.request('payments.reconcile', { profileId: 'sandbox' });
    expect(queue).toMatchObject({ ok: true, value: { rows: [], counts: [] } });
    const read = await app.request('payments.read', { profileId: 'sandbox', orderNumber: 'com' });
    expect(read).toMatchObject({ ok: false, error: { code: 'payment.missing' } });
    const listed = await app.request('lookUps.inquiries', { profileId: 'sandbox' });
    expect(listed).toMatchObject({
      ok: true,
      value: {
        inquiries: [
          { asked: { by: 'payment-id', value: unknownId }, problem: { code: 'gateway.sandbox-forgot' } },
          { asked: { by: 'order-number', value: 'com' } },
        ],
      },
    });
  },
);

test('a request that was not sent is in no count of the day’s links, of unpaid payments, of a customer’s links, and of the overview', async () => {
  // Port 1 of this PC has no listener.
  const profileId = await addShop(app, { baseUrl: 'https://127.0.0.1:1' });
  const customer = { name: 'Ada Lovelace', email: 'ada@example.test', phone: '' };
  const form = newPayment({ profileId, customer });
  expect(await app.refusal('payments.create', form)).toBe('gateway.unreachable');
  const { orderNumber } = form;
  const { payment, events } = await app.read(orderNumber, profileId);
  expect(payment.state).toBe('refused');
  expect(events.at(-1)).toMatchObject({ kind: 'session.refused', body: { sent: false } });

  const now = Date.now();
  const listed = async (view: View) => {
    const filter = filterOf({ view, words: '' }, profileId, now);
    const counted = await app.value('payments.count', { filter });
    const { rows } = await app.value('payments.list', { filter, limit: 20 });
    expect(counted.count).toBe(rows.length);
    return rows.map(row => row.orderNumber);
  };
  expect(await listed('unpaid-today')).toEqual([]);
  expect(await listed('open')).toEqual([]);
  expect(await listed('today')).toEqual([]);
  // The request itself is still listed, but no sum of links contains it.
  expect(await listed('all')).toEqual([orderNumber]);
  const filter = filterOf({ view: 'all', words: '' }, profileId, now);
  const totals = await app.value('payments.totals', { filter });
  expect(totals).toMatchObject({ count: 1, sums: [{ amount: '0.00' }] });
  expect((await app.value('payments.knownCustomer', { profileId, ...customer })).customer).toBeNull();

  const hour = 3_600_000;
  const { currencies } = await app.value('payments.overview', {
    profileId,
    from: now - hour,
    until: now + hour,
    timeZone: 'UTC',
  });
  expect(currencies.map(({ figures }) => [raisedOf(figures.outcomes), figures.refused])).toEqual([[0, 1]]);
  expect(currencies[0]?.figures.raisedAmount).toBe('0.00');
});

const faults = async (...names: SandboxFault[]) => await app.value('sandbox.faults', { faults: names });

test('the corrected request is another one: all that is shown and sent is its own', async () => {
  const refused = newPayment({ amount: '25', description: 'One chair', customer: { name: 'Anna Nowak' } });
  await faults('http-400');
  expect(await app.refusal('payments.create', refused)).toBe('gateway.refused');
  await faults();
  const corrected = { ...refused, amount: '2525', description: 'Chairs', customer: { name: 'Elif Brown' } };
  // With the key of the refused request nothing is sent.
  expect(await app.refusal('payments.create', corrected)).toBe('input.invalid');
  const { payment, events } = await app.value('payments.create', {
    ...corrected,
    idempotencyKey: crypto.randomUUID(),
  });
  expect(payment).toMatchObject({
    state: 'waiting',
    amount: '2525.00',
    description: 'Chairs',
    customer: { name: 'Elif Brown' },
    links: [{ amount: '2525.00' }],
  });
  const sent = events.filter(event => event.kind === 'session.requested').map(({ body }) => body.request);
  expect(sent).toHaveLength(2);
  expect(sent.at(-1)).toContain('"2525.00"');
  const { orderNumber, profileId } = refused;
  const { rows } = await app.value('payments.list', { filter: { profileId, words: orderNumber }, limit: 5 });
  expect(rows).toMatchObject([{ amount: '2525.00', description: 'Chairs' }]);
});

const profileId = 'sandbox';
const raise = async (changes: Parameters<typeof newPayment>[0] = {}) =>
  (await app.value('payments.create', newPayment(changes))).payment;
const withdraw = (orderNumber: string, idempotencyKey: string, text = '') =>
  app.request('payments.withdrawLink', {
    profileId,
    orderNumber,
    idempotencyKey,
    reason: 'wrong-amount',
    text,
  });

test('a withdrawn link is not shared, can still be paid, and then needs review', async () => {
  const raised = await raise();
  const { orderNumber, links } = raised;
  const key = links[0]?.idempotencyKey ?? '';
  const { payment, events } = value(await withdraw(orderNumber, key, 'typing error'));
  expect(payment.linkUsable).toBe(false);
  expect(events.at(-1)).toMatchObject({
    kind: 'link.withdrawn',
    agent: 'anna',
    body: { reason: 'wrong-amount', text: 'typing error' },
  });
  for (const channel of ['copy', 'email', 'qr'] as const)
    expect(await app.refusal('payments.shareLink', { profileId, orderNumber, channel })).toBe(
      'payment.link-unusable',
    );
  await press(raised);
  const paid = await app.until(orderNumber, ({ state }) => state === 'paid-confirmed');
  expect(paid.payment.flags.map(({ kind }) => kind)).toContain('paid-after-withdrawal');
  const { rows } = await app.value('payments.reconcile', { profileId });
  const row = rows.find(one => one.orderNumber === orderNumber);
  expect(row?.findings[0]).toMatchObject({ cause: 'paid-after-withdrawal', action: 'hand-to-finance' });
});

test('a declined link is an open one as long as it can be paid, and a status check finds another attempt', async () => {
  const open = { ...filterOf({ view: 'open', words: '' }, profileId, Date.now()) };
  const listed = async (): Promise<string[]> => {
    const { rows } = await app.value('payments.list', { filter: open, limit: 50 });
    return rows.map(row => row.orderNumber);
  };
  await app.value('sandbox.faults', { faults: ['callback-none'] });
  const payment = await raise();
  const { orderNumber } = payment;
  const check = async () => {
    const { payment: before } = await app.read(orderNumber);
    await app.value('payments.lookUp', { profileId, key: lookUpKeyOf(before) });
    return (await app.read(orderNumber)).payment.state;
  };
  const before = await app.value('payments.counts', { profileId });
  await press(payment, 'decline');
  expect(await check()).toBe('declined');
  expect(await listed()).toContain(orderNumber);
  expect(openLinksIn(await app.value('payments.counts', { profileId }))).toBe(openLinksIn(before));
  const note = await app.value('payments.handoverNote', { profileId, since: 0 });
  expect(note.running.map(row => row.orderNumber)).toContain(orderNumber);
  await press(payment);
  expect(await check()).toMatch(/^paid-/);
  expect(await listed()).not.toContain(orderNumber);
  await app.value('sandbox.faults', { faults: [] });
});

test('the second link of an order leaves the first one open until it is withdrawn', async () => {
  const { orderNumber, links } = await raise();
  const second = await raise({ orderNumber, allowDuplicate: true });
  expect(second.links.map(({ withdrawn }) => withdrawn)).toEqual([null, null]);
  const { payment } = value(await withdraw(orderNumber, links[0]?.idempotencyKey ?? ''));
  expect(payment.linkUsable).toBe(true);
  expect(payment.link?.url).toBe(second.link?.url);
});

test('a link is withdrawn once, only while it is open, and never with a card number', async () => {
  const { orderNumber, links } = await raise();
  const key = links[0]?.idempotencyKey ?? '';
  expect(await withdraw(orderNumber, key, '4111 1111 1111 1111')).toMatchObject({
    ok: false,
    error: { code: 'input.card-number' },
  });
  expect(await withdraw(orderNumber, crypto.randomUUID())).toMatchObject({
    error: { code: 'payment.link-unusable' },
  });
  value(await withdraw(orderNumber, key));
  expect(await withdraw(orderNumber, key)).toMatchObject({ error: { code: 'payment.link-unusable' } });
});

describe('a bulk look-up', () => {
  // Automatic look-ups would be counted as well.
  const lookUpAutomatically = (isOn: boolean) => app.value('settings.change', { lookUpAutomatically: isOn });
  beforeAll(() => lookUpAutomatically(false));
  afterAll(() => lookUpAutomatically(true));

  const create = async (): Promise<PaymentDetail> => {
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
    const waiting = await create();
    const withoutCallback = await create();
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
    const one = await create();
    await app.request('lookUps.start', { payments: [key(one)] });
    await app.request('lookUps.control', { to: 'pause' });
    expect(await app.value('lookUps.control', { to: 'forget' })).toMatchObject({ job: { total: 1 } });
    await app.request('lookUps.control', { to: 'stop' });
    await finished();
    expect(await app.value('lookUps.control', { to: 'forget' })).toEqual({ job: null });
  });
});
