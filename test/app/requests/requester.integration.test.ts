import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { recordActivities } from '../../../main/app/requests/apply-rules.ts';
import { wrongPin } from '../../../main/credentials/pin-attempts.ts';
import { createGateway } from '../../../main/gateway/create-gateway.ts';
import { openSettings } from '../../../main/settings/settings-store.ts';
import {
  requestNames,
  type Handlers,
  type RequestInput,
  type RequestName,
} from '../../../shared/contract/contract.ts';
import type { Result } from '../../../shared/errors.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { operationSettingsSchema } from '../../../shared/settings/profile.ts';
import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { shopId as profileId, startShop, type Shop } from '../../../tools/app-harness/prepared-shop.ts';
import { newPayment, press, value, type TestApp } from '../../../tools/app-harness/running-app.ts';
import { sendOperation, type OperationChanges } from '../../../tools/app-harness/send-operation.ts';
import { sampleInputs } from '../../../tools/app-harness/sample-inputs.ts';

/** A request runs for the person who was signed in when it arrived: the real app, with a gateway that can be slow. */

const timeout = 10_000;
const pin = '1234';
let shop: Shop;
let app: TestApp;
/** Runs after the gateway has answered a look-up, before the console gets the answer. */
let duringLookUp: () => Promise<unknown>;
/** Runs while a request to the gateway is being recorded. */
let duringRecording: () => Promise<unknown>;
/** People: Anna, an administrator with a PIN, is signed in; Xaver is an agent without one, Grace a supervisor. */
let people: { anna: string; grace: string; xaver: string };
/** Of operations, how many earlier tests sent. */
let earlier = 0;
/** A paid payment, for refunds that are not sent. */
let paid: Payment;

beforeAll(async () => {
  const limits = { perOperation: '', perDay: '', secondPersonFrom: 'EUR 100.00' };
  const operations = operationSettingsSchema.parse({ refund: true, limits });
  const gateway = createGateway({ clock: Date.now });
  shop = await startShop({
    profile: { operations },
    gateway: {
      ...gateway,
      prepareSession: (...asked) => {
        queueMicrotask(() => void duringRecording());
        return gateway.prepareSession(...asked);
      },
      prepareOperation: (...asked) => {
        queueMicrotask(() => void duringRecording());
        return gateway.prepareOperation(...asked);
      },
      lookUp: async (...asked) => {
        const outcome = await gateway.lookUp(...asked);
        await duringLookUp();
        return outcome;
      },
    },
  });
  ({ app } = shop);
  const { agentId: anna } = await app.state();
  const add = async (name: string, role: 'agent' | 'supervisor', ownPin: string | null): Promise<string> =>
    (await app.value('agents.save', { id: null, name, role, pin: ownPin })).id;
  people = {
    anna,
    grace: await add('Grace', 'supervisor', '2468'),
    xaver: await add('Xaver', 'agent', null),
  };
  await app.value('agents.save', { id: anna, name: 'anna', pin });
  duringLookUp = async () => undefined;
  duringRecording = async () => undefined;
  paid = await pay();
});
beforeEach(async () => {
  duringLookUp = async () => undefined;
  duringRecording = async () => undefined;
  await backAsAnna();
  earlier = shop.sandbox.operations().length;
});
afterAll(() => shop.remove());

const sentOperations = () => shop.sandbox.operations().slice(earlier);
const signIn = (id: string, ownPin: string | null = null) =>
  app.request('agents.signIn', { id, pin: ownPin });
const lock = () => app.request('agents.signOut', {});
const backAsAnna = async (): Promise<void> => void value(await signIn(people.anna, pin));
const eventsOf = async (orderNumber: string) => (await app.read(orderNumber, profileId)).events;
const kindsOf = async (orderNumber: string): Promise<string[]> =>
  (await eventsOf(orderNumber)).map(({ kind }) => kind);
const create = async (changes: Parameters<typeof newPayment>[0] = {}): Promise<Payment> =>
  (await app.value('payments.create', newPayment({ profileId, ...changes }))).payment;
const pay = async (): Promise<Payment> => {
  const created = await create();
  await press(created);
  const { orderNumber } = created;
  const read = async () => (await app.read(orderNumber, profileId)).payment;
  await vi.waitFor(async () => expect((await read()).state).toBe('paid-unconfirmed'), { timeout });
  return read();
};
const refund = (payment: Payment, changes: OperationChanges = {}) =>
  sendOperation(app, payment, { amount: '23.40', ...changes });
const wrongPins = async () =>
  (await app.value('activity.list', {})).rows
    .filter(({ action }) => action === 'wrong-pin')
    .map(({ agent, details }) => [agent, details.person]);

test('the second person is another one than the requester, also after a sign-in in the same moment', async () => {
  const approval = { agentId: people.anna, pin };
  const [sent] = await Promise.all([refund(paid, { amount: '123.40', approval }), signIn(people.xaver)]);
  expect(sent).toMatchObject({ ok: false, error: { code: 'agent.not-allowed' } });
  expect(sentOperations()).toEqual([]);
  await backAsAnna();
  expect(await kindsOf(paid.orderNumber)).not.toContain('operation.requested');
});

test('a wrong PIN of the second person is in the activity list, with who asked for it', async () => {
  for (const wrong of ['1111', '2222'])
    await refund(paid, { amount: '123.40', approval: { agentId: people.grace, pin: wrong } });
  expect(await wrongPins()).toEqual([
    ['anna', 'Grace'],
    ['anna', 'Grace'],
  ]);
});

test('a wrong PIN is recorded for any request that asks for one', async () => {
  const settings = openSettings(join(newFolder('requester'), 'other.json'), 'anna');
  const recorded: unknown[] = [];
  const handlers = Object.fromEntries(requestNames.map(name => [name, async () => wrongPin('Grace')]));
  const ruled = recordActivities(
    handlers as unknown as Handlers,
    settings,
    { name: () => 'anna' },
    { record: async activities => void recorded.push(...activities), isFull: () => false },
    () => true,
  );
  for (const name of requestNames) {
    recorded.length = 0;
    await (ruled[name] as (input: unknown) => Promise<unknown>)(sampleInputs('R-1')[name]);
    expect(recorded, name).toContainEqual(
      expect.objectContaining({ action: 'wrong-pin', details: { person: 'Grace' } }),
    );
  }
  await settings.close();
});

const changes: [string, () => Promise<unknown>][] = [
  ['the console was locked', lock],
  ['another person signed in', () => signIn(people.xaver)],
  ['the console was locked, and the same person came back', async () => [await lock(), await backAsAnna()]],
];
test.each(changes)('a refund is neither recorded nor sent after %s during its look-up', async (_, change) => {
  duringLookUp = change;
  expect(await refund(paid)).toMatchObject({ ok: false });
  duringLookUp = async () => undefined;
  await backAsAnna();
  expect(sentOperations()).toEqual([]);
  const events = await eventsOf(paid.orderNumber);
  expect(events.map(({ kind }) => kind)).not.toContain('operation.requested');
  expect(events.findLast(({ kind }) => kind === 'status.observed')).toMatchObject({ agent: 'anna' });
});

test.each(changes)('a link is neither recorded nor requested after %s', async (_, change) => {
  const form = newPayment({ profileId });
  const [created] = await Promise.all([app.request('payments.create', form), change()]);
  expect(created).toMatchObject({ ok: false });
  await backAsAnna();
  const read = await app.request('payments.read', { profileId, orderNumber: form.orderNumber ?? '' });
  expect(read).toMatchObject({ error: { code: 'payment.missing' } });
});

test('a link is not copied any more after a lock', async () => {
  const { orderNumber } = await create();
  const share = app.request('payments.shareLink', { profileId, orderNumber, channel: 'copy' });
  const [shared] = await Promise.all([share, lock()]);
  expect(shared).toMatchObject({ ok: false });
  expect(app.copied).toEqual([]);
});

test('a refund that was recorded is not sent any more after a lock, and the evidence says so', async () => {
  duringRecording = lock;
  expect(await refund(paid)).toMatchObject({ ok: false });
  await backAsAnna();
  expect(sentOperations()).toEqual([]);
  expect((await eventsOf(paid.orderNumber)).slice(-2)).toMatchObject([
    { kind: 'operation.requested', agent: 'anna' },
    { kind: 'operation.refused', agent: 'anna', body: { sent: false, code: 'agent.not-allowed' } },
  ]);
  // Nothing is wrong with the refund itself.
  duringRecording = async () => undefined;
  expect(await refund(paid)).toMatchObject({ ok: true });
});

test('a link that was recorded is not requested any more after another person signed in', async () => {
  const form = newPayment({ profileId });
  duringRecording = () => signIn(people.xaver);
  expect(await app.request('payments.create', form)).toMatchObject({ ok: false });
  expect(await eventsOf(form.orderNumber ?? '')).toMatchObject([
    { kind: 'session.requested', agent: 'anna' },
    { kind: 'session.refused', agent: 'anna', body: { sent: false, code: 'agent.not-allowed' } },
  ]);
});

test('what a person asked for is recorded as theirs, although another one signs in before it is recorded', async () => {
  const customer = { name: 'Maria Schmidt', email: 'maria@secret.example', phone: '' };
  const { orderNumber } = await create({ customer });
  const other = await create({ customer: { ...customer, name: 'Marie Schmidt', email: 'm@secret.example' } });
  const link = (await eventsOf(orderNumber)).find(({ kind }) => kind === 'session.requested');
  const idempotencyKey = link?.kind === 'session.requested' ? link.body.idempotencyKey : '';
  const payment = { profileId, orderNumber };
  const asked: { [N in RequestName]?: RequestInput<N> } = {
    'payments.note': { ...payment, text: 'rang back' },
    'payments.lookUp': { profileId, key: { by: 'order-number', value: orderNumber } },
    'review.assign': { payments: [payment], assignee: 'Grace' },
    'customers.join': { ...payment, otherOrderNumber: other.orderNumber },
    'callbacks.store': {
      text: JSON.stringify({
        order_number: orderNumber,
        order_amount: '1.00',
        order_currency: 'EUR',
        type: 'sale',
        status: 'fail',
        id: '9d1b7a0e-7b50-11f0-8f3a-0242ac120002',
        hash: '0'.repeat(40),
      }),
      via: 'paste',
      profileId,
    },
    'payments.withdrawLink': { ...payment, idempotencyKey, reason: 'replaced' },
    'customers.erase': payment,
  };
  const known = new Set((await eventsOf(orderNumber)).map(({ id }) => id));
  for (const [name, input] of Object.entries(asked) as [RequestName, never][]) {
    const result: Result<unknown>[] = await Promise.all([app.request(name, input), signIn(people.xaver)]);
    expect(result[0], name).toMatchObject({ ok: true });
    await backAsAnna();
    const written = (await eventsOf(orderNumber)).filter(({ id }) => !known.has(id));
    for (const { id } of written) known.add(id);
    expect([name, ...written.map(({ agent }) => agent)]).toEqual([name, 'anna']);
  }
  const activities = (await app.value('activity.list', {})).rows;
  expect(activities.find(({ action }) => action === 'erased')).toMatchObject({ agent: 'anna' });
});
