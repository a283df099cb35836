import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createGateway } from '../../../main/gateway/create-gateway.ts';
import type { Gateway, SessionOutcome } from '../../../main/gateway/gateway.ts';
import type { NewPayment } from '../../../shared/contract/contract.ts';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import { quoted } from '../../../shared/messages/message.ts';
import { requested } from '../../../tools/evidence/evidence.ts';
import { writeClosedLog } from '../../../tools/app-harness/closed-log.ts';
import { addShop, newPayment, shopProfile, value } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** A second link for the same customer and amount needs a confirmation, before anything is sent or recorded. */

const minute = 60_000;
const empty = { httpStatus: 200, contentType: 'application/json', body: '{}', truncated: false };

let now = Date.now();
/** The bodies that were sent, and how the gateway responds. */
const sent: string[] = [];
let respond: () => SessionOutcome | Promise<SessionOutcome>;
const accepting = (): SessionOutcome => ({
  kind: 'accepted',
  link: `https://pay.example/auth/${crypto.randomUUID()}`,
  answer: empty,
});
const failing = (kind: 'refused' | 'not-sent' | 'unknown') => (): SessionOutcome => ({
  kind,
  error: { code: 'gateway.timeout', message: quoted('no answer') },
  answer: null,
});
const paymentIds = new Map<string, string>();
const paymentIdOf = (orderNumber: string): string => {
  const id = paymentIds.get(orderNumber) ?? crypto.randomUUID();
  paymentIds.set(orderNumber, id);
  return id;
};
/** What look-ups answer; null: no answer. */
let reported: string | null;
const real = createGateway({ clock: () => now });
const gateway: Gateway = {
  ...real,
  sendSession: (_profile, { body }) => {
    sent.push(body);
    return Promise.resolve(respond());
  },
  lookUp: async (_profile, _password, { value: number }) => {
    if (reported === null)
      return {
        kind: 'failed',
        error: { code: 'gateway.timeout', message: quoted('no answer') },
        answer: null,
      };
    return {
      kind: 'answered',
      answers: [
        {
          paymentId: paymentIdOf(number),
          date: null,
          status: reported,
          reason: null,
          order: { number, amount: '80.00', currency: 'EUR', description: null },
          customer: null,
          extra: {},
        },
      ],
      answer: empty,
    };
  },
};

afterAll(() => real.close());
const app = useApp({ clock: () => now, gateway });
let profileId: string;
const saveProfile = (intentGuard: { isOn: boolean; paidMinutes: number }): Promise<string> =>
  addShop(app, { name: `Shop ${crypto.randomUUID()}`, merchantKey: crypto.randomUUID(), intentGuard });
beforeEach(async () => {
  sent.length = 0;
  respond = accepting;
  reported = 'settled';
  profileId = await saveProfile({ isOn: true, paidMinutes: 60 });
});

const zoe = { name: 'Zoë O’Brien', email: 'zoe@example.com', phone: '+49 170 1234567' };
const form = (changes: Partial<NewPayment> = {}) =>
  newPayment({ profileId, amount: '80.00', customer: zoe, ...changes });
const create = (changes: Partial<NewPayment> = {}) => app.request('payments.create', form(changes));
/** `sent`, or why it was not sent. */
const outcome = async (changes: Partial<NewPayment> = {}): Promise<unknown> => {
  const before = sent.length;
  const created = await create(changes);
  if (created.ok || sent.length > before) return 'sent';
  return created.error.details?.['kind'] ?? created.error.code;
};
const pay = async (orderNumber: string): Promise<void> => {
  await app.value('payments.lookUp', { profileId, key: { by: 'order-number', value: orderNumber } });
};

test('while a customer has an open link for an amount, a second one names it, and is neither sent nor recorded', async () => {
  const { payment } = value(await create());
  now += 2 * minute;
  const second = form();
  const refused = await app.request('payments.create', second);
  expect(refused).toMatchObject({
    ok: false,
    error: {
      code: 'payment.same-intent',
      details: {
        profileId,
        orderNumber: payment.orderNumber,
        state: 'waiting',
        amount: '80.00',
        currency: 'EUR',
        customer: 'Zoë O’Brien',
        at: payment.link?.issuedAt,
        agent: 'anna',
        kind: 'open',
      },
    },
  });
  expect(!refused.ok && inEnglish(refused.error.message)).toBe('Zoë O’Brien has an open link for EUR 80.00.');
  expect(sent).toHaveLength(1);
  const { orderNumber } = second;
  expect(await app.refusal('payments.read', { profileId, orderNumber })).toBe('payment.missing');
  await app.value('payments.create', { ...second, allowSameIntent: true });
});

describe('with an open link for EUR 80.00', () => {
  beforeEach(async () => {
    value(await create());
  });

  test.each<[string, Partial<NewPayment>, unknown]>([
    ['the same e-mail address in other letters asks', { customer: { email: 'ZOE@Example.com' } }, 'open'],
    ['the same phone number in another spelling asks', { customer: { phone: '+49(170)123-4567' } }, 'open'],
    [
      'the same full name with another address asks',
      { customer: { name: 'zoe o’brien', email: 'z@b.de' } },
      'open',
    ],
    ['a first name alone does not ask', { customer: { name: 'Zoë' } }, 'sent'],
    ['no customer does not ask', { customer: null }, 'sent'],
    ['another customer does not ask', { customer: { email: 'max@example.com' } }, 'sent'],
    ['another amount does not ask', { amount: '80.01' }, 'sent'],
    ['another currency does not ask', { currency: 'USD' }, 'sent'],
  ])('a second link of a customer with an open one: %s', async (_title, changes, expected) => {
    expect(await outcome(changes)).toBe(expected);
  });

  test.each([
    ['was paid', 'settled', ['paid', 'paid']],
    ['was not paid', 'prepare', ['sent', 'open']],
    ['does not answer', null, ['unchecked', 'sent']],
  ])('an expired link is looked up first: one that %s', async (_title, status, expected) => {
    now += 60 * minute;
    reported = status;
    const first = await outcome();
    reported = 'prepare';
    expect([first, await outcome()]).toEqual(expected);
  });

  test('another profile does not ask, and knows no customer of the first', async () => {
    profileId = await saveProfile({ isOn: true, paidMinutes: 60 });
    expect((await app.value('payments.knownCustomer', { profileId, ...zoe })).customer).toBeNull();
    expect(await outcome()).toBe('sent');
  });

  test('a question about the order number comes first, and each is answered separately', async () => {
    const { rows } = await app.value('payments.list', { filter: { profileId } });
    const orderNumber = rows[0]?.orderNumber ?? '';
    value(await create({ allowSameIntent: true, orderNumber: 'OTHER' }));
    const twice = form({ orderNumber });
    expect(await app.refusal('payments.create', twice)).toBe('payment.duplicate');
    expect(await app.request('payments.create', { ...twice, allowDuplicate: true })).toMatchObject({
      error: { code: 'payment.same-intent', details: { orderNumber: 'OTHER' } },
    });
    await app.value('payments.create', { ...twice, allowDuplicate: true, allowSameIntent: true });
  });
});

test('an order of last week with a new link asks, also after a restart', async () => {
  const orderNumber = 'LAST-WEEK';
  value(await create({ orderNumber }));
  now += 7 * 24 * 60 * minute;
  reported = 'prepare';
  expect(await outcome({ orderNumber: 'NEXT', amount: '7.00' })).toBe('sent');
  value(await create({ orderNumber, allowDuplicate: true }));
  await app.restart();
  const profile = { ...shopProfile, name: `Shop ${crypto.randomUUID()}` };
  await app.value('profiles.save', {
    id: profileId,
    profile,
    password: 'correct horse',
    thisRunOnly: true,
  });
  expect(await outcome()).toBe('open');
});

test('a withdrawn link does not ask', async () => {
  const { payment } = value(await create());
  await app.value('payments.withdrawLink', {
    profileId,
    orderNumber: payment.orderNumber,
    idempotencyKey: payment.links[0]?.idempotencyKey ?? '',
    reason: 'replaced',
  });
  expect(await outcome()).toBe('sent');
});

test.each([
  [59, 60, 'paid'],
  [61, 60, 'sent'],
  [1, 0, 'sent'],
])(
  '%i minutes after a payment, with a profile that asks for %i, the result is: %s',
  async (minutes, paidMinutes, expected) => {
    profileId = await saveProfile({ isOn: true, paidMinutes });
    const { payment } = value(await create());
    await pay(payment.orderNumber);
    now += minutes * minute;
    expect(await outcome()).toBe(expected);
  },
);

test('a payment that was cancelled since does not ask', async () => {
  const { payment } = value(await create());
  await pay(payment.orderNumber);
  reported = 'void';
  await pay(payment.orderNumber);
  expect(await outcome()).toBe('sent');
});

test('a profile whose guard is off never asks', async () => {
  profileId = await saveProfile({ isOn: false, paidMinutes: 60 });
  expect(await outcome()).toBe('sent');
  expect(await outcome()).toBe('sent');
});

test('a refused request and one that was not sent do not ask; one with an unknown outcome does until it would expire', async () => {
  for (const kind of ['refused', 'not-sent'] as const) {
    respond = failing(kind);
    await create();
  }
  respond = failing('unknown');
  await create();
  respond = accepting;
  expect(await outcome()).toBe('unknown');
  now += 60 * minute;
  expect(await outcome()).toBe('sent');
});

test('a request is reported as in flight only while its answer can still come', async () => {
  const { promise, resolve } = Promise.withResolvers<SessionOutcome>();
  respond = () => promise;
  const waiting = create();
  await expect.poll(() => sent.length).toBe(1);
  respond = accepting;
  expect(await outcome()).toBe('in-progress');
  // As after Counterfoil was killed.
  now += minute;
  expect(await outcome()).toBe('unknown');
  resolve(failing('unknown')());
  await waiting;
});

test('a joined spelling asks, and no longer after it was separated', async () => {
  const { payment } = value(await create());
  const work = { email: 'z.obrien@work.example' };
  const other = value(await create({ amount: '5.00', customer: work })).payment;
  const key = { profileId, orderNumber: payment.orderNumber };
  await app.value('customers.join', { ...key, otherOrderNumber: other.orderNumber });
  expect(await app.refusal('customers.join', { ...key, otherOrderNumber: other.orderNumber })).toBe(
    'input.invalid',
  );
  expect(await outcome({ customer: work })).toBe('open');
  const { customer } = await app.value('customers.read', key);
  const joined = customer?.spellings.find(one => one.joined !== null)?.joined?.id ?? '';
  expect(customer?.sums).toMatchObject([{ currency: 'EUR', links: 2, open: 2, paid: 0 }]);
  await app.value('customers.separate', { profileId, orderNumber: other.orderNumber, joined });
  expect(await outcome({ customer: work })).toBe('sent');
});

test('a join names what undoes it, also when the other customer had joined spellings before', async () => {
  const raise = async (orderNumber: string, customer: NewPayment['customer']): Promise<string> =>
    value(await create({ orderNumber, customer })).payment.orderNumber;
  const own = await raise('JOIN-1', { email: 'a@example.com', phone: '+49 170 1111111' });
  const first = await raise('JOIN-2', { email: 'b@example.com' });
  now += minute;
  const second = await raise('JOIN-3', { email: 'c@example.com' });
  const spellings = async (orderNumber: string): Promise<number> =>
    (await app.value('customers.read', { profileId, orderNumber })).customer?.spellings.length ?? 0;
  await app.value('customers.join', { profileId, orderNumber: first, otherOrderNumber: second });
  const joining = { profileId, orderNumber: own, otherOrderNumber: first };
  const { joined } = await app.value('customers.join', joining);
  expect(await spellings(own)).toBe(3);
  await app.value('customers.separate', { profileId, orderNumber: own, joined });
  expect([await spellings(own), await spellings(first)]).toEqual([1, 2]);
});

test('of two forms for one customer and amount that are sent at once, one is sent', async () => {
  for (let round = 0; round < 3; round += 1) {
    const customer = { name: `Ada King ${round}`, email: `ada${round}@example.com` };
    const both = await Promise.all([create({ customer }), create({ customer: { email: customer.email } })]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(sent).toHaveLength(round + 1);
  }
});

test('erasing a customer reports its progress, a person can end it and erase the others later, and then nothing finds the details', async () => {
  const many = 250;
  const evidence = Array.from({ length: many }, (_, index) =>
    requested(
      index,
      { customer: zoe, idempotencyKey: crypto.randomUUID() },
      { profileId, orderNumber: `MANY-${index}` },
    ),
  );
  await app.restart(() => writeClosedLog(app.logFile, evidence));
  const key = { profileId, orderNumber: 'MANY-7' };
  const requestId = crypto.randomUUID();
  const erasing = app.request('customers.erase', { ...key, requestId });
  while (!(await app.value('payments.cancelWait', { requestId })).stopped)
    await new Promise(resolve => setImmediate(resolve));
  const first = value(await erasing);
  expect(first.isStopped).toBe(true);
  expect(first.payments).toBeLessThan(many);
  // The payment that was asked for still leads to the others.
  const second = await app.value('customers.erase', key);
  expect(second).toEqual({ payments: many - first.payments, isStopped: false });
  expect(await app.value('customers.erase', key)).toEqual({ payments: 0, isStopped: false });
  expect(await app.value('customers.read', key)).toEqual({ customer: null });
  expect((await app.value('customers.find', { profileId, words: 'zoe', limit: 10 })).customers).toEqual([]);
  expect((await app.value('payments.knownCustomer', { profileId, ...zoe })).customer).toBeNull();
  expect(app.notices).toContainEqual({
    name: 'log.progress',
    notice: { job: 'erase', done: second.payments, total: second.payments },
  });
});
