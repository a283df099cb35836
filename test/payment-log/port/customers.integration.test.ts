import * as fc from 'fast-check';
import { runs } from '../../../tools/app-harness/runs.ts';
import { beforeEach, expect, test } from 'vitest';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { accepted, callback, draft, note, requested, start } from '../../../tools/evidence/evidence.ts';
import { operationAnswered, operationRequested } from '../../../tools/evidence/operation-evidence.ts';
import { must } from '../../../tools/postgres-harness/shared-log.ts';
import { useLog } from '../../../tools/app-harness/use-log.ts';

type Typed = { name?: string; email?: string; phone?: string };

/** Customers, derived from what the merchant typed. */
const used = useLog('file');
/** The profile of a test. */
let shop = '';
beforeEach(() => {
  shop = `shop-${crypto.randomUUID()}`;
});

const of = (orderNumber: string, profileId = shop) => ({ orderNumber, profileId });
const link = (orderNumber: string, at: number, customer: Typed | null, profileId = shop): EventDraft[] => {
  const idempotencyKey = crypto.randomUUID();
  return [
    requested(at, { customer, idempotencyKey }, of(orderNumber, profileId)),
    { ...accepted(at + 1, { idempotencyKey }), ...of(orderNumber, profileId) },
  ];
};
const join = (orderNumber: string, otherOrder: string, at = 50): EventDraft =>
  draft('customer.joined', at, { otherOrder }, of(orderNumber));
const ordersOf = async (orderNumber: string, profileId = shop): Promise<string[] | null> =>
  (await used.log.customer(profileId, orderNumber, 200))?.rows.map(row => row.orderNumber) ?? null;

/** Customers of this test, found in all profiles. */
const findAnywhere = async (words: string) =>
  (await used.log.findCustomers(null, words, 100)).filter(({ profileId }) => profileId === shop);

type Plan = {
  links: [string, Typed][];
  joins: [string, string, boolean][];
};
const zoe = { name: 'Zoë O’Brien', email: 'Zoe@Example.com', phone: '+49 170 1234567' };

test('payments with one e-mail address in any case belong to one customer, whose latest spellings are shown', async () => {
  await used.log.append([
    ...link('A', 0, { email: 'ZOE@example.com ', name: 'Zoe OBrien' }),
    ...link('B', 10, zoe),
    ...link('C', 20, { email: 'other@example.com', name: 'Zoë O’Brien' }),
    ...link('D', 30, zoe, 'other-shop'),
    note(40, 'Called about the invoice', of('A')),
  ]);
  const found = await used.log.customer(shop, 'A', 200);
  expect(found?.rows.map(row => row.orderNumber)).toEqual(['B', 'A']);
  expect(found?.spellings).toEqual([{ orderNumber: 'B', ...zoe, payments: 2, joined: null }]);
  expect(found?.notes.map(({ orderNumber, body }) => [orderNumber, body.text])).toEqual([
    ['A', 'Called about the invoice'],
  ]);
  expect(found?.candidates.map(({ orderNumber, email }) => [orderNumber, email])).toEqual([
    ['C', 'other@example.com'],
  ]);
});

test('without an e-mail address the phone number in any spelling names the customer, without both the full name', async () => {
  await used.log.append([
    ...link('A', 0, { phone: '+49 170 1234567', name: 'Zoe' }),
    ...link('B', 10, { phone: '+49(170)123-4567' }),
    ...link('C', 20, { name: 'zoë  o’brien' }),
    ...link('D', 30, { name: 'Zoe O’Brien' }),
    ...link('E', 40, { name: 'Zoe' }),
    ...link('F', 50, null),
  ]);
  expect(await ordersOf('A')).toEqual(['B', 'A']);
  expect(await ordersOf('C')).toEqual(['D', 'C']);
  expect(await ordersOf('E')).toBeNull();
  expect(await ordersOf('F')).toBeNull();
});

test('details of callbacks and status checks name no customer', async () => {
  await used.log.append([
    ...link('A', 0, zoe),
    {
      ...callback(10, 'sale', 'success', { order_number: 'B', customer_email: 'zoe@example.com' }),
      ...of('B'),
    },
    ...link('C', 20, null),
    {
      ...callback(30, 'sale', 'success', { order_number: 'C', customer_email: 'zoe@example.com' }),
      ...of('C'),
    },
  ]);
  expect(await ordersOf('A')).toEqual(['A']);
  expect(await ordersOf('B')).toBeNull();
  expect(await ordersOf('C')).toBeNull();
});

test('a charge of a series belongs to the customer of the first payment', async () => {
  const first = '6f1d2c3b-58a7-4a0c-9f3c-3b4a55b2f0aa';
  const intent = crypto.randomUUID();
  await used.log.append([
    ...link('A', 0, zoe),
    { ...callback(10, 'sale', 'success', { order_number: 'A', id: first }), ...of('A'), paymentId: first },
    operationRequested(
      20,
      {
        intent,
        operation: 'recurring',
        amount: '10.00',
        charge: { firstPaymentId: first.toUpperCase(), description: 'May', consent: 'Phone' },
      },
      { ...of('A-2'), paymentId: null },
    ),
    { ...operationAnswered(21, {}, intent), ...of('A-2') },
  ]);
  expect(await ordersOf('A')).toEqual(['A-2', 'A']);
  expect(await ordersOf('A-2')).toEqual(['A-2', 'A']);
});

test('joined customers are one from either side, over several joins, and separated ones are as before', async () => {
  await used.log.append([
    ...link('A', 0, { email: 'a@example.com' }),
    ...link('B', 10, { email: 'b@example.com' }),
    ...link('C', 20, { name: 'Cara Brook' }),
    ...link('X', 30, { email: 'x@example.com' }, 'other-shop'),
  ]);
  const before = await used.log.customer(shop, 'A', 200);
  const first = join('A', 'B');
  const second = join('C', 'B', 60);
  await used.log.append([first, second, { ...join('A', 'X'), id: crypto.randomUUID() }]);
  for (const order of ['A', 'B', 'C']) expect(await ordersOf(order)).toEqual(['C', 'B', 'A']);
  const joined = await used.log.customer(shop, 'A', 200);
  expect(joined?.spellings.map(one => [one.orderNumber, one.joined?.id ?? null])).toEqual([
    ['C', second.id],
    ['B', first.id],
    ['A', null],
  ]);
  await used.log.append([draft('customer.separated', 70, { joined: first.id }, of('A'))]);
  expect(await used.log.customer(shop, 'A', 200)).toMatchObject({ spellings: before?.spellings });
  expect(await ordersOf('B')).toEqual(['C', 'B']);
});

test('a customer is found by any part of the name, the address or the phone number, joined ones once', async () => {
  await used.log.append([
    ...link('A', 0, zoe),
    ...link('B', 10, { email: 'z.obrien@work.example', name: 'Z. O’Brien' }),
    ...link('C', 20, { email: 'max@example.com', name: 'Max Muster' }),
    note(30, 'asked for Muster', of('A')),
  ]);
  const find = async (words: string): Promise<string[]> =>
    (await used.log.findCustomers(shop, words, 10)).map(one => one.orderNumber);
  expect(await find('o’bri')).toEqual(['B', 'A']);
  expect(await find('zoe@ex')).toEqual(['A']);
  expect(await find('+49(170) 1234567')).toEqual(['A']);
  expect(await find('muster')).toEqual(['C']);
  expect(await find('')).toEqual([]);
  expect(await used.log.findCustomers('other-shop', 'muster', 10)).toEqual([]);
  await used.log.append([join('A', 'B')]);
  expect(await findAnywhere('brien')).toMatchObject([
    { profileId: shop, orderNumber: 'B', payments: 2, newest: { amount: '123.40', currency: 'EUR' } },
  ]);
});

test('a customer is found despite a slip in the name or the address, after the exact ones and once', async () => {
  await used.log.append([
    ...link('A', 0, zoe),
    ...link('B', 10, { email: 'max@muster.example', name: 'Max Müller' }),
    ...link('C', 20, { email: 'eva@example.com', name: 'Eva Muller-Nowak' }),
    ...link('D', 30, { email: 'tom@example.com', name: 'Tom Mulder' }),
    note(40, 'asked for Schneider', of('A')),
  ]);
  const find = async (words: string, limit = 10): Promise<(string | boolean)[][]> =>
    (await used.log.findCustomers(shop, words, limit)).map(one => [one.orderNumber, one.isApproximate]);
  expect(await find('zoe obrein')).toEqual([]);
  expect(await find("o'brein")).toEqual([['A', true]]);
  expect(await find('max@mustre.example')).toEqual([['B', true]]);
  expect(await find('max muelller')).toEqual([['B', true]]);
  expect(await find('muller-nowka')).toEqual([['C', true]]);
  expect(await find('muller')).toEqual([
    ['C', false],
    ['B', false],
    ['D', true],
  ]);
  expect(await find('muller', 2)).toEqual([
    ['C', false],
    ['B', false],
  ]);
  // Another word of the payment names no customer, misspelt or not.
  expect(await find('schneidre')).toEqual([]);
  expect(await find('schneider')).toEqual([]);
  await used.log.append([join('B', 'D', 60)]);
  expect(await find('muller')).toHaveLength(2);
});

test('typed details find the customer of their newest link by the surest detail, with joined spellings', async () => {
  await used.log.append([
    ...link('A', 0, zoe),
    ...link('B', 10, { email: 'z.obrien@work.example' }),
    join('A', 'B'),
  ]);
  const known = async (typed: Typed) => {
    const found = await used.log.knownCustomer(shop, typed, 50);
    return found && [found.by, found.rows.map(row => row.orderNumber)];
  };
  expect(await known({ email: 'Z.OBrien@work.example', name: 'Zoë O’Brien' })).toEqual(['email', ['B', 'A']]);
  expect(await known({ email: 'new@example.com', phone: '+49-170-1234567' })).toEqual(['phone', ['B', 'A']]);
  expect(await known({ name: 'zoe o’brien' })).toEqual(['name', ['B', 'A']]);
  for (const name of ['O’Brien, Zoë', 'obrien zoe', "ZOË O'BRIEN"])
    expect(await known({ name })).toEqual(['name', ['B', 'A']]);
  expect(await known({ name: 'Zoë' })).toBeNull();
  expect(await known({ name: 'Zoë-Brien' })).toBeNull();
});

test('orders of one amount are found by any detail and by joined spellings', async () => {
  await used.log.append([
    ...link('A', 0, zoe),
    ...link('B', 10, { email: 'z.obrien@work.example' }),
    join('A', 'B'),
  ]);
  const orders = (typed: Typed, amount = 12_340, currency = 'EUR') =>
    used.log.ordersOfCustomer(shop, typed, amount, currency, start);
  expect(await orders({ name: 'ZOE O’BRIEN', email: 'new@example.com' })).toEqual(['A']);
  expect(await orders({ email: 'zoe@example.com' })).toEqual(['B', 'A']);
  expect(await orders({ email: 'zoe@example.com' }, 12_341)).toEqual([]);
  expect(await orders({ email: 'zoe@example.com' }, 12_340, 'USD')).toEqual([]);
  expect(await used.log.ordersOfCustomer(shop, zoe, 12_340, 'EUR', start + 2 * 86_400_000)).toEqual([]);
});

test('an erased customer is found by nothing, also when erasing was interrupted and repeated', async () => {
  await used.log.append([
    ...link('A', 0, zoe),
    ...link('A2', 5, zoe),
    ...link('B', 10, { email: 'b@example.com' }),
    ...link('B2', 15, { email: 'b@example.com' }),
    ...link('C', 20, { email: 'c@example.com' }),
    join('A', 'B'),
    join('C', 'B2', 60),
  ]);
  const all = await used.log.ordersToErase(shop, 'A2');
  expect(all.toSorted()).toEqual(['A', 'A2', 'B', 'B2', 'C']);
  expect(all.at(-1)).toBe('A2');
  for (;;) {
    const [next] = await used.log.ordersToErase(shop, 'A2');
    if (next === undefined) break;
    must(await used.log.erase({ reason: 'request', agent: 'Ada', profileId: shop, orderNumbers: [next] }));
  }
  for (const order of ['A', 'A2', 'B', 'B2', 'C']) expect(await ordersOf(order)).toBeNull();
  expect(await findAnywhere('example')).toEqual([]);
  expect(await used.log.knownCustomer(shop, zoe, 50)).toBeNull();
  expect(await used.log.ordersOfCustomer(shop, zoe, 12_340, 'EUR', start)).toEqual([]);
  expect((await used.log.verify()).problems).toEqual([]);
});

test('customers do not depend on which of their orders arrived first', async () => {
  const people: Typed[] = [
    { email: 'a@example.com', name: 'Ada King' },
    { email: 'A@example.com', phone: '+491701234567' },
    { phone: '+49 170 1234567', name: 'ada king' },
    { name: 'Ada King' },
    { name: 'Ada' },
  ];
  const orders = ['A', 'B', 'C', 'D', 'E', 'F'];
  const order = fc.constantFrom(...orders);
  const plan = fc.record({
    links: fc.array(fc.tuple(order, fc.constantFrom(...people)), { minLength: 2, maxLength: 8 }),
    joins: fc.array(fc.tuple(order, order, fc.boolean()), { maxLength: 4 }),
    /** By order: within one order the log keeps what was written. */
    ranks: fc.array(fc.nat(), { minLength: orders.length, maxLength: orders.length }),
  });
  const historyOf = ({ links, joins }: Plan, profileId: string): EventDraft[] =>
    [
      ...links.flatMap(([orderNumber, typed], index) => link(orderNumber, index * 10, typed)),
      ...joins.flatMap(([one, other, isUndone], index) => {
        const joined = join(one, other, 500 + index);
        return isUndone
          ? [joined, draft('customer.separated', 600 + index, { joined: joined.id }, of(one))]
          : [joined];
      }),
    ].map(event => ({ ...event, profileId }));
  /** Without what differs between the two profiles. */
  const customersOf = async (profileId: string): Promise<unknown> =>
    JSON.parse(
      JSON.stringify(
        await Promise.all(orders.map(orderNumber => used.log.customer(profileId, orderNumber, 200))),
        (name, value: unknown) => (['profileId', 'id', 'event', 'flags'].includes(name) ? undefined : value),
      ),
    );
  let run = 0;
  await fc.assert(
    fc.asyncProperty(plan, async planned => {
      run += 1;
      const shuffled = historyOf(planned, `other-${run}`)
        .map(event => ({ event, rank: planned.ranks[orders.indexOf(event.orderNumber ?? '')] ?? 0 }))
        .toSorted((one, other) => one.rank - other.rank)
        .map(({ event }) => event);
      must(await used.log.append(historyOf(planned, `one-${run}`)));
      must(await used.log.append(shuffled));
      expect(await customersOf(`other-${run}`)).toEqual(await customersOf(`one-${run}`));
    }),
    { numRuns: runs(20) },
  );
}, 60_000);
