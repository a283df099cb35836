import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Payment } from '../../../shared/payments/payment.ts';
import {
  operationSettingsSchema,
  type OperationLimits,
  type ProfileDraft,
} from '../../../shared/settings/profile.ts';
import {
  shopAccount,
  shopId as profileId,
  startShop,
  type Shop,
} from '../../../tools/app-harness/prepared-shop.ts';
import {
  addShop,
  newPayment,
  press,
  startTestApp,
  value,
  type TestApp,
} from '../../../tools/app-harness/running-app.ts';
import { openForm, sendOperation, type OperationChanges } from '../../../tools/app-harness/send-operation.ts';

/** Operations by the real app in a merchant's profile, with a gateway that runs while the console does not. */

const timeout = 20_000;
/** After this time an operation and a report are looked up. */
const followedMs = 15_000;
const dayMs = 86_400_000;
let shop: Shop;
let app: TestApp;
let aheadMs = 0;
const clock = (): number => Date.now() + aheadMs;
/** Of operations, how many earlier tests sent. */
let earlier = 0;
const sentOperations = () => shop.sandbox.operations().slice(earlier);

beforeAll(async () => {
  // The gateway has carried out each operation before the look-up comes.
  shop = await startShop({ clock, options: { operationDelayMs: 0, faultDelayMs: 1_500 } });
  ({ app } = shop);
  await allow();
});
beforeEach(() => {
  shop.sandbox.setFaults([]);
  earlier = shop.sandbox.operations().length;
});
afterAll(() => shop.remove());

/** What the profile may do from now on. */
const allow = async (
  limits: Partial<OperationLimits> = {},
  changes: Partial<ProfileDraft> = {},
): Promise<void> => {
  const { profiles } = await app.state();
  const found = profiles.find(({ id }) => id === profileId);
  if (!found) throw new Error('no profile');
  const { id: _id, password: _password, ...profile } = found;
  const operations = operationSettingsSchema.parse({ refund: true, void: true, limits });
  const draft = { ...profile, operations, ...changes };
  await app.value('profiles.save', { id: profileId, profile: draft, password: null });
};

const read = async (orderNumber: string): Promise<Payment> =>
  (await app.read(orderNumber, profileId)).payment;
const pay = async (): Promise<Payment> => {
  const { payment } = await app.value('payments.create', newPayment({ profileId }));
  await press(payment);
  await vi.waitFor(async () => expect((await read(payment.orderNumber)).state).toBe('paid-unconfirmed'), {
    timeout,
  });
  return read(payment.orderNumber);
};
/** An order that was paid by two links. */
const payTwice = async (): Promise<Payment> => {
  const { orderNumber } = await pay();
  const again = { profileId, orderNumber, allowDuplicate: true, allowSameIntent: true };
  await press((await app.value('payments.create', newPayment(again))).payment);
  await expect
    .poll(async () => (await read(orderNumber)).flags.map(({ kind }) => kind))
    .toContain('settled-twice');
  return read(orderNumber);
};
const send = (payment: Payment, changes: OperationChanges = {}) => sendOperation(app, payment, changes);
const offer = async ({ orderNumber }: Payment) =>
  (await app.value('operations.offer', { profileId, orderNumber })).payments[0];
const refusalOf = async (payment: Payment, kind: 'refund' | 'void') =>
  (await offer(payment))?.offers.find(one => one.kind === kind)?.refusal?.key ?? null;
/** The provider's answers to look-ups. */
const statusesOf = async ({ orderNumber }: Payment): Promise<string[]> =>
  (await app.read(orderNumber, profileId)).events.flatMap(event =>
    event.kind === 'status.observed' ? event.body.answers.map(({ status }) => status) : [],
  );
const operationsOf = async ({ orderNumber }: Payment) =>
  (await read(orderNumber)).operations.map(({ state, provenBy }) => [state, provenBy]);

test('a refund made elsewhere has no amount, and what is left is not known any longer', async () => {
  const payment = await pay();
  const [paymentId = ''] = payment.paymentIds;
  const form = new URLSearchParams({ action: 'refund', payment_id: paymentId, amount: '20.00' });
  await fetch(shop.sandbox.dashboardUrl, { method: 'POST', body: form });
  const balance = async () => (await offer(payment))?.balance;
  await expect.poll(balance).toMatchObject({ hasUnknownPart: true, returned: '0.00' });
  const { movements, operations } = await read(payment.orderNumber);
  expect(operations).toEqual([]);
  expect(movements).toMatchObject([{ kind: 'paid' }, { kind: 'refund', amount: null }]);
  // The gateway knows; its refusal is no refund.
  expect(await send(payment)).toMatchObject({ ok: false });
  expect(await operationsOf(payment)).toEqual([['refused', null]]);
  expect(sentOperations()).toEqual([]);
});

test('of two forms for the two payments of one order the second is refused once the first is carried out', async () => {
  const payment = await payTwice();
  const form = async (at: number) =>
    value(await openForm(app, payment, { paymentId: payment.paymentIds[at] ?? '' }));
  const [one, other] = [await form(0), await form(1)];
  value(await app.request('operations.send', one));
  await expect.poll(() => operationsOf(payment)).toEqual([['done', 'callback']]);
  expect(await app.request('operations.send', other)).toMatchObject({
    error: { code: 'operation.refused', message: { key: 'operation.money-moved' } },
  });
  expect(sentOperations()).toHaveLength(1);
  // The form that shows it can be sent.
  value(await app.request('operations.send', await form(1)));
});

test('a refund of one of two payments is not sent if the other went back elsewhere and its callback was lost', async () => {
  const payment = await payTwice();
  const [first = '', second = ''] = payment.paymentIds;
  shop.sandbox.setFaults(['callback-none']);
  const form = new URLSearchParams({ action: 'refund', payment_id: first, amount: '123.40' });
  await fetch(shop.sandbox.dashboardUrl, { method: 'POST', body: form });
  expect(await send(payment, { paymentId: second })).toMatchObject({
    error: { code: 'operation.refused', message: { key: 'operation.money-moved' } },
  });
  expect(sentOperations()).toEqual([]);
  expect((await read(payment.orderNumber)).movements).toContainEqual(
    expect.objectContaining({ kind: 'refund', paymentId: first, amount: '123.40', fate: 'proven' }),
  );
});

test('several payments are refunded one after the other, each in whole, and the results outlive a lock', async () => {
  const payments = [await pay(), await pay(), await pay()];
  const started = await app.value('refunds.start', {
    payments: payments.map(({ orderNumber }) => ({ profileId, orderNumber })),
  });
  expect(started.run).toMatchObject({ phase: 'asking', place: 1, total: 3 });
  const refund = { reason: 'goodwill', text: '', typedOrder: '' } as const;
  for (const { paymentIds } of payments.slice(0, 2))
    await app.value('refunds.send', { ...refund, paymentId: paymentIds[0] ?? '' });
  const { agentId } = await app.state();
  await app.value('agents.save', { id: agentId, name: 'anna', pin: '1234' });
  await app.value('agents.signOut', { resume: null });
  expect(await app.request('refunds.control', { to: 'stop' })).toMatchObject({ ok: false });
  await app.value('agents.signIn', { id: agentId, pin: '1234' });
  await app.value('refunds.control', { to: 'stop' });
  await app.value('agents.save', { id: agentId, name: 'anna', pin: null, oldPin: '1234' });
  const { run } = await app.value('refunds.read', {});
  // The callback may be here already.
  const sent = expect.stringMatching(/^(accepted|done)$/) as unknown;
  expect(run?.results.map(({ outcome, amount }) => [outcome, amount])).toEqual([
    [sent, '123.40'],
    [sent, '123.40'],
    ['not-reached', '123.40'],
  ]);
  expect(sentOperations().map(({ amount }) => amount)).toEqual(['123.40', '123.40']);
});

test('what a callback reports about money is looked up, also of a refund made elsewhere, until the look-up proves it', async () => {
  const [refunded, elsewhere] = [await pay(), await pay()];
  value(await send(refunded));
  await expect.poll(() => operationsOf(refunded)).toEqual([['done', 'callback']]);
  const form = new URLSearchParams({
    action: 'refund',
    payment_id: elsewhere.paymentIds[0] ?? '',
    amount: '20.00',
  });
  await fetch(shop.sandbox.dashboardUrl, { method: 'POST', body: form });
  await expect.poll(async () => (await read(elsewhere.orderNumber)).movements.length).toBe(2);
  aheadMs += followedMs;
  await expect.poll(() => statusesOf(refunded)).toEqual(['settled', 'refund']);
  await expect.poll(() => statusesOf(elsewhere)).toEqual(['settled']);
  aheadMs += 3_600_000;
  await expect.poll(() => statusesOf(elsewhere)).toEqual(['settled', 'settled']);
  expect(await statusesOf(refunded)).toEqual(['settled', 'refund']);
});

test('a callback that comes before the answer ends the refund, and the answer changes nothing', async () => {
  const payment = await pay();
  shop.sandbox.setFaults(['delay']);
  value(await send(payment, { amount: '23.40' }));
  const { payment: after, events } = await app.read(payment.orderNumber, profileId);
  expect(events.map(({ kind }) => kind).filter(kind => /^(operation|callback)/.test(kind))).toEqual([
    'callback.received',
    'callback.received',
    'operation.requested',
    'callback.received',
    'operation.answered',
  ]);
  expect(after.operations).toMatchObject([{ state: 'done', provenBy: 'callback' }]);
  shop.sandbox.setFaults([]);
  expect(after.movements).toMatchObject([{ kind: 'paid' }, { kind: 'refund', amount: '23.40' }]);
});

test('a refund that is not sent yet is not sent after a lock or a change of person', async () => {
  const { agentId: anna } = await app.state();
  await app.value('agents.save', { id: anna, name: 'anna', pin: '1234' });
  const payment = await pay();
  const grace = (await app.addPerson('Grace', 'supervisor', null, '1234')).id;
  const otherPerson = { error: { code: 'agent.not-allowed', message: { key: 'agents.changed' } } };
  shop.sandbox.setFaults(['delay']);
  for (const [leave, refusal] of [
    [() => app.request('agents.signIn', { id: grace, pin: null }), otherPerson],
    [() => app.request('agents.signOut', { resume: null }), { error: { code: 'app.locked' } }],
  ] as const) {
    const form = value(await openForm(app, payment, { amount: '10.00' }));
    const sending = app.request('operations.send', form);
    await leave();
    expect(await sending).toMatchObject(refusal);
    await app.value('agents.signIn', { id: anna, pin: '1234' });
  }
  shop.sandbox.setFaults([]);
  expect(sentOperations()).toEqual([]);
  expect(await operationsOf(payment)).toEqual([]);
  await app.value('agents.save', { id: anna, name: 'anna', pin: null, oldPin: '1234' });
});

test('a live profile asks for the order number before anything else of the payment is read', async () => {
  const profile = {
    kind: 'live' as const,
    name: 'Live',
    // Reserved names are refused for live payments.
    baseUrl: 'https://pay.counterfoil-shop.com',
    successUrl: 'https://counterfoil-shop.com/thank-you',
    cancelUrl: 'https://counterfoil-shop.com/cancelled',
    operations: operationSettingsSchema.parse({ refund: true }),
  };
  const id = await addShop(app, profile, shopAccount.merchantPassword);
  // Nothing of it leaves this computer.
  const orderNumber = 'T-100';
  await app.request('payments.create', newPayment({ profileId: id, orderNumber }));
  const live = (typedOrder: string) =>
    sendOperation(app, { profileId: id, orderNumber, paymentIds: ['p'] }, { amount: '1.00', typedOrder });
  for (const wrong of ['', 't-100', 'T-1000', 'T-10'])
    expect(await live(wrong)).toMatchObject({
      error: { code: 'input.invalid', fields: [{ path: 'typedOrder' }] },
    });
  // The next obstacle is that it was not paid.
  expect(await live(' T-100 ')).toMatchObject({ error: { message: { key: 'operation.no.not-paid' } } });
});

test('without its callback, a whole refund is proven by the look-up that follows it, and a part is not', async () => {
  const [whole, part] = [await pay(), await pay()];
  shop.sandbox.setFaults(['callback-none']);
  value(await send(whole));
  value(await send(part, { amount: '23.40' }));
  aheadMs += followedMs;
  await expect.poll(() => operationsOf(whole)).toEqual([['done', 'look-up']]);
  // One before it was sent, one that follows.
  await expect.poll(() => statusesOf(part)).toEqual(['settled', 'settled']);
  expect(await operationsOf(part)).toEqual([['accepted', null]]);
  expect((await offer(part))?.balance).toMatchObject({ onTheWay: '23.40', remaining: '100.00' });
});

test('a refund that a console sent before it ended is looked up after the next start', async () => {
  const payment = await pay();
  shop.sandbox.setFaults(['callback-none']);
  value(await send(payment));
  await app.close();
  aheadMs += followedMs;
  app = await startTestApp(app.folder, { clock });
  Object.assign(shop, { app });
  await expect.poll(() => operationsOf(payment)).toEqual([['done', 'look-up']]);
  expect(sentOperations()).toHaveLength(1);
});

describe('with a limit of a day', () => {
  const overLimit = { ok: false, error: { code: 'operation.limit' } };
  beforeAll(() => allow({ perDay: 'EUR 150.00' }));
  beforeEach(async () => {
    const name = `Ada ${crypto.randomUUID().slice(0, 8)}`;
    const { id } = await app.addPerson(name, 'administrator');
    await app.value('agents.signIn', { id, pin: null });
  });

  test('the limit of a day counts a cancelled payment in whole', async () => {
    const [cancelled, refunded] = [await pay(), await pay()];
    value(await send(cancelled, { operation: 'void' }));
    expect(await send(refunded, { amount: '26.61' })).toMatchObject(overLimit);
    expect(await send(refunded, { operation: 'void' })).toMatchObject(overLimit);
    value(await send(refunded, { amount: '26.60' }));
    expect(sentOperations().map(({ operation }) => operation)).toEqual(['void', 'refund']);
  });

  test('the limit of a day does not count a refund that a callback reports as failed', async () => {
    const [failed, refunded] = [await pay(), await pay()];
    shop.sandbox.setChoices({ refundOutcome: 'fail' });
    value(await send(failed, { amount: '100.00' }));
    await vi.waitFor(async () => expect(await operationsOf(failed)).toEqual([['failed', 'callback']]), {
      timeout,
    });
    shop.sandbox.setChoices({ refundOutcome: 'success' });
    value(await send(refunded, { amount: '120.00' }));
    expect(await send(failed, { amount: '30.01' })).toMatchObject(overLimit);
  });

  test('the limit of a day holds for two payments that are refunded at the same moment', async () => {
    const payments = [await pay(), await pay()];
    const sent = await Promise.all(payments.map(payment => send(payment, { amount: '100.00' })));
    expect(sent).toMatchObject([{ ok: true }, overLimit]);
    expect(sentOperations()).toHaveLength(1);
  });

  test('the limit of a day is that of the person, also under another name', async () => {
    const [one, other] = [await pay(), await pay()];
    value(await send(one, { amount: '100.00' }));
    const { agentId } = await app.state();
    await app.value('agents.save', { id: agentId, name: 'Anna Maria' });
    expect(await send(other, { amount: '50.01' })).toMatchObject(overLimit);
  });
});

test('limits refuse too much at once and in a day, and ask for a second person who may and knows the PIN', async () => {
  await allow({ perOperation: 'EUR 50.00', perDay: 'EUR 80.00', secondPersonFrom: 'EUR 40.00' });
  await app.backToFirst();
  // A person who has sent nothing today.
  const { id: olga } = await app.addPerson('Olga', 'administrator');
  await app.value('agents.signIn', { id: olga, pin: null });
  await app.value('agents.save', { id: olga, name: 'Olga', pin: '1234' });
  const add = async (name: string, role: 'agent' | 'supervisor', pin: string | null): Promise<string> =>
    (await app.value('agents.save', { id: null, name, role, pin, oldPin: '1234' })).id;
  const grace = await add('Grace', 'supervisor', '2468');
  const ada = await add('Ada', 'agent', '1357');
  const noPin = await add('Alan', 'supervisor', null);
  const payment = await pay();
  const refund = (amount: string, agentId?: string, pin = '') =>
    send(payment, { amount, approval: agentId === undefined ? null : { agentId, pin }, insist: true });

  const code = async (sent: ReturnType<typeof refund>): Promise<string> => {
    const result = await sent;
    return result.ok ? 'sent' : result.error.code;
  };
  expect(await code(refund('50.01', grace, '2468'))).toBe('operation.limit');
  expect(await code(refund('45.00'))).toBe('operation.needs-approval');
  expect(await code(refund('45.00', olga, '1234'))).toBe('agent.not-allowed');
  expect(await code(refund('45.00', ada, '1357'))).toBe('agent.not-allowed');
  expect(await code(refund('45.00', noPin, ''))).toBe('agent.not-allowed');
  expect(await code(refund('45.00', grace, '1111'))).toBe('agent.wrong-pin');
  expect(sentOperations()).toEqual([]);
  expect(await operationsOf(payment)).toEqual([]);
  await vi.waitFor(async () => expect(await code(refund('45.00', grace, '2468'))).toBe('sent'), {
    timeout,
  });
  expect((await read(payment.orderNumber)).operations).toMatchObject([
    { agent: 'Olga', approvedBy: 'Grace' },
  ]);
  const { events } = await app.read(payment.orderNumber, profileId);
  expect(events.find(({ kind }) => kind === 'operation.requested')).toMatchObject({
    body: { agentId: olga, approvedById: grace },
  });
  // 35.00 are left of the day.
  expect(await code(refund('35.01'))).toBe('operation.limit');
  expect(await code(refund('35.00'))).toBe('sent');
  expect(await code(refund('0.01'))).toBe('operation.limit');
  expect(sentOperations().map(({ amount }) => amount)).toEqual(['45.00', '35.00']);
  aheadMs += dayMs;
  expect(await code(refund('0.01'))).toBe('sent');
});

test('after midnight in the gateway’s zone a payment is refunded instead of cancelled', async () => {
  const tokyoMs = 9 * 3_600_000;
  const nextMidnight = (Math.floor((clock() + tokyoMs) / dayMs) + 1) * dayMs - tokyoMs;
  aheadMs += nextMidnight - 60_000 - clock();
  await allow({}, { gatewayZone: 'Asia/Tokyo' });
  const payment = await pay();
  expect(await refusalOf(payment, 'void')).toBeNull();
  expect((await offer(payment))?.voidUntil).toBe(nextMidnight);
  aheadMs += 90_000;
  expect(await refusalOf(payment, 'void')).toBe('operation.no.day-over');
  expect(await send(payment, { operation: 'void' })).toMatchObject({
    error: { code: 'operation.refused', message: { key: 'operation.no.day-over' } },
  });
  expect(sentOperations()).toEqual([]);
  expect(await refusalOf(payment, 'refund')).toBeNull();
  value(await send(payment));
  expect(sentOperations()).toMatchObject([{ operation: 'refund', amount: '123.40' }]);
});
