import { expect, test } from 'vitest';
import { ask, codes, key, openShop, order, password, problems, sign, type Shop } from './shop.ts';
import { tableOf } from '../../tools/app-harness/table.ts';

/** Operations that the shop requests (assumptions): answered at once, decided by callbacks. */

const noon = Date.parse('2026-03-02T12:00:00Z');

const request = (shop: Shop, operation: string, id: string, amount?: string, changes = {}) =>
  shop.operate(operation, { payment_id: id, amount, ...changes }, amount === undefined ? [id] : [id, amount]);

const callbacksOf = (shop: Shop, id: string) =>
  shop.received.items.filter(({ fields }) => fields.get('id') === id);
const eventsOf = async (shop: Shop, id: string, count: number): Promise<string[]> => {
  await shop.received.until(() => callbacksOf(shop, id).length >= count);
  return callbacksOf(shop, id).map(({ event }) => event);
};

/** Pays a first payment that stores the card; resolves to what its sale callback says. */
const begin = async (shop: Shop, of = order()) => {
  const id = await shop.pay(of, { recurring_init: true });
  await eventsOf(shop, id, 2);
  const sale = callbacksOf(shop, id).at(-1)?.fields;
  return {
    id,
    initial: sale?.get('recurring_init_trans_id') ?? '',
    token: sale?.get('recurring_token') ?? '',
  };
};

type Series = { initial: string; token: string };
const next = { number: 'order-1235', amount: '7.50', description: 'Important gift - # 2' };
const charge = (shop: Shop, { initial, token }: Series, of = next, changes = {}) =>
  shop.operate(
    'recurring',
    { recurring_init_trans_id: initial, recurring_token: token, order: of, ...changes },
    [initial, token, of.number, of.amount, of.description],
  );
const idIn = ({ json }: { json: unknown }): string => (json as { payment_id: string }).payment_id;

/** Requests an operation of a payment for it; `earlier` = the callbacks of the payment before. */
const perform: Record<string, (shop: Shop) => Promise<{ id: string; earlier: number; json: unknown }>> = {
  refund: async shop => {
    const id = await shop.pay();
    return { id, earlier: 2, json: (await request(shop, 'refund', id, '10.00')).json };
  },
  void: async shop => {
    const id = await shop.pay();
    return { id, earlier: 2, json: (await request(shop, 'void', id)).json };
  },
  capture: async shop => {
    const id = await shop.pay(order(), { auth: 'Y' });
    expect(await shop.statusOf(id)).toBe('pending');
    return { id, earlier: 2, json: (await request(shop, 'capture', id, '10.00')).json };
  },
  recurring: async shop => {
    const answer = await charge(shop, await begin(shop));
    return { id: idIn(answer), earlier: 0, json: answer.json };
  },
  retry: async shop => {
    shop.sandbox.setChoices({ recurringOutcome: 'decline' });
    const id = idIn(await charge(shop, await begin(shop)));
    await eventsOf(shop, id, 1);
    return { id, earlier: 1, json: (await request(shop, 'retry', id)).json };
  },
};

const accepted = { result: 'accepted' };

/** Operation | choices | what the answer contains | statuses of the callbacks | the status that it leaves. */
const operations = `
  refund | | {"result":"accepted"} | success | refund
  refund | refundOutcome=fail | {"result":"accepted"} | fail | settled
  refund | refundOutcome=wait-success | {"result":"accepted"} | waiting success | refund
  refund | refundOutcome=wait-fail | {"result":"accepted"} | waiting fail | settled
  void | | {"status":"SUCCESS","payment_status":"void","order":${JSON.stringify(order())}} | success | reversal
  void | voidOutcome=fail | {"status":"FAIL","payment_status":"settled","reason":"Declined by processing"} | fail | settled
  void | voidOutcome=wait-success | {"status":"UNDEFINED","payment_status":"settled"} | waiting success | reversal
  void | voidedStatus=void | {"status":"SUCCESS"} | success | void
  void | voidAnswer=table | {"status":"VOID"} | success | reversal
  void | voidAnswer=table voidOutcome=fail | {"status":"SETTLED","reason":"Declined by processing"} | fail | settled
  void | voidAnswer=trans-status | {"status":"void","trans_status":"SUCCESS"} | success | reversal
  void | voidAnswer=trans-status voidOutcome=fail | {"status":"settled","trans_status":"FAIL"} | fail | settled
  capture | | {"status":"settled","trans_status":"SUCCESS"} | success | settled
  capture | captureOutcome=fail | {"status":"pending","trans_status":"FAIL"} | fail | pending
  capture | captureOutcome=wait-success | {"status":"pending","trans_status":"UNDEFINED"} | waiting success | settled
  recurring | | {"status":"settled","order":${JSON.stringify({ ...next, currency: 'USD' })}} | success | settled
  recurring | recurringOutcome=decline | {"status":"declined"} | fail | decline
  recurring | recurringOutcome=pending | {"status":"pending"} | waiting | pending
  retry | | {"result":"accepted"} | success | settled
  retry | retryOutcome=fail | {"result":"accepted"} | fail | decline
  retry | retryOutcome=wait-success | {"result":"accepted"} | waiting success | settled`;

test.each(tableOf(operations))(
  'a %s with the choices %j is answered with %j, sends %j and leaves %s',
  async (operation = '', chosen = '', json = '', sent = '', status = '') => {
    const choices = Object.fromEntries(
      chosen
        .split(' ')
        .filter(Boolean)
        .map(choice => choice.split('=')),
    );
    const shop = await openShop({ clock: () => noon, choices: { ...choices, orderStatus: 'sent' } });
    const {
      id,
      earlier,
      json: answered,
    } = (await perform[operation]?.(shop)) ?? { id: '', earlier: 0, json: null };
    expect(answered).toMatchObject({ payment_id: id, ...(JSON.parse(json) as object) });
    const type = operation === 'recurring' || operation === 'retry' ? 'sale' : operation;
    const events = sent.split(' ').map(one => `${type}/${one}`);
    expect((await eventsOf(shop, id, earlier + events.length)).slice(earlier)).toEqual(events);
    expect(callbacksOf(shop, id).every(({ holds }) => holds)).toBe(true);
    expect(await shop.statusOf(id)).toBe(status);
    expect(shop.sandbox.operations().at(-1)).toMatchObject({ operation, paymentId: id });
  },
);

test('an operation that the payment does not allow is refused with its code, and nothing is done', async () => {
  let now = noon;
  const shop = await openShop({ clock: () => now });
  const paid = await shop.pay();
  const yen = await shop.pay(order({ number: 'yen', currency: 'JPY', amount: '500' }));
  const held = await shop.pay(order({ number: 'held' }), { auth: 'Y' });
  const unpaid = await shop.pay(order({ number: 'declined' }), {}, 'decline');
  const waiting = await shop.pay(order({ number: 'waiting' }), {}, 'wait-pay');
  const series = await begin(shop, order({ number: 'series' }));
  const other = await begin(shop, order({ number: 'other' }));
  const wrongHash = { hash: sign(['x']) };
  const refusals: [object, Promise<{ json: unknown }>][] = [
    ...['0.00', '10', '10.000', '01.00', '-1.00', '1e1', ' 1.00'].map(
      (amount): [object, Promise<{ json: unknown }>] => [[100_000], request(shop, 'refund', paid, amount)],
    ),
    [[208_006], request(shop, 'refund', paid, '10.01')],
    [[100_000], request(shop, 'refund', yen, '100.00')],
    [[208_001], request(shop, 'refund', 'unknown', '1.00')],
    [[208_005], request(shop, 'refund', unpaid, '1.00')],
    [[208_005], request(shop, 'refund', waiting, '1.00')],
    [[208_001], request(shop, 'void', 'unknown')],
    [[100_000], request(shop, 'void', unpaid)],
    [[208_003], request(shop, 'capture', paid, '10.00')],
    [[208_003], request(shop, 'capture', unpaid, '10.00')],
    [[208_004], request(shop, 'capture', held, '10.01')],
    [[100_000], request(shop, 'capture', held, '0.00')],
    [[208_001], request(shop, 'retry', 'unknown')],
    [[208_001], charge(shop, { ...series, initial: 'unknown' })],
    [[208_001], charge(shop, { ...series, initial: paid })],
    [['payment_id: Only a declined recurring payment can be retried.'], request(shop, 'retry', unpaid)],
    [['recurring_token: This value is not valid.'], charge(shop, { ...series, token: other.token })],
    [['order.number: This value is not valid.'], charge(shop, series, { ...next, number: 'order_1235' })],
    [['order.number: This value should not be blank.'], charge(shop, series, { ...next, number: '' })],
    [
      ['order.description: This value is not valid.'],
      charge(shop, series, { ...next, description: 'Größe' }),
    ],
    [
      ['order.amount: This value must be greater than zero.'],
      charge(shop, series, { ...next, amount: '0.00' }),
    ],
    [['amount: This value should not be blank.'], request(shop, 'refund', paid)],
    [['amount: This value must be a string.'], request(shop, 'refund', paid, '10.00', { amount: 10 })],
    [
      ['payment_id: This value should not be blank.'],
      request(shop, 'refund', paid, '1.00', { payment_id: undefined }),
    ],
    [['hash: Hash is not valid.'], request(shop, 'refund', paid, '10.00', wrongHash)],
    [['hash: Hash is not valid.'], request(shop, 'refund', paid, '10.00', { amount: '9.00' })],
    [['hash: Hash is not valid.'], request(shop, 'refund', paid, '10.00', { merchant_key: 'another' })],
    [['hash: Hash is not valid.'], request(shop, 'void', paid, undefined, wrongHash)],
  ];
  for (const [expected, asked] of refusals) {
    const answer = await asked;
    expect([codes(answer), problems(answer)], JSON.stringify(answer.json)).toContainEqual(expected);
  }
  expect(shop.sandbox.operations()).toEqual([]);
  now += 12 * 3_600_000;
  expect(problems(await request(shop, 'void', paid))).toEqual([
    'payment_id: A payment can be voided on the day of its settlement only.',
  ]);
  expect((await request(shop, 'void', held)).status).toBe(200);
  expect(codes(await request(shop, 'capture', held, '10.00'))).toEqual([208_003]);
});

test('refunds in progress count: a second one pays twice, more than the payment fails, and a void ends them', async () => {
  const shop = await openShop({ clock: () => noon, operationDelayMs: 50 });
  const twice = async (of: string, amount: string) => {
    const id = await shop.pay(order({ number: of }));
    await Promise.all([request(shop, 'refund', id, amount), request(shop, 'refund', id, amount)]);
    return (await eventsOf(shop, id, 4)).slice(2);
  };
  expect(await twice('parts', '4.00')).toEqual(['refund/success', 'refund/success']);
  expect(await twice('whole', '10.00')).toEqual(['refund/success', 'refund/fail']);
  const id = await shop.pay(order({ number: 'voided' }));
  await request(shop, 'refund', id, '10.00');
  expect(await shop.statusOf(id)).toBe('settled');
  await request(shop, 'void', id);
  expect(await eventsOf(shop, id, 4)).toContain('refund/fail');
  expect(await shop.statusOf(id)).toBe('reversal');
  shop.sandbox.setChoices({ duplicates: 'refused' });
  const other = await shop.pay(order({ number: 'duplicate' }));
  await request(shop, 'refund', other, '4.00');
  expect(problems(await request(shop, 'refund', other, '4.00'))).toEqual(['Duplicate request']);
});

test('a part that was captured or refunded limits what follows, and callbacks can carry it', async () => {
  const shop = await openShop({
    clock: () => noon,
    choices: { refundAmount: 'refunded', orderStatus: 'sent' },
  });
  const id = await shop.pay(order(), { auth: 'Y' });
  await request(shop, 'capture', id, '6.00');
  expect(codes(await request(shop, 'refund', id, '6.01'))).toEqual([208_006]);
  await request(shop, 'refund', id, '4.00');
  await eventsOf(shop, id, 4);
  expect(codes(await request(shop, 'void', id))).toEqual([208_009]);
  await request(shop, 'refund', id, '2.00');
  await eventsOf(shop, id, 5);
  expect(codes(await request(shop, 'refund', id, '0.01'))).toEqual([208_005]);
  const refunds = callbacksOf(shop, id).filter(({ event }) => event === 'refund/success');
  expect(
    refunds.map(({ fields, holds }) => [fields.get('order_amount'), fields.get('order_status'), holds]),
  ).toEqual([
    ['4.00', 'settled', true],
    ['2.00', 'refund', true],
  ]);
});

test.each([
  ['drop', null, true],
  ['garbage', 200, true],
  ['other-shape', 200, true],
  ['http-500', 500, false],
  ['http-400', 400, false],
] as const)('the fault %s answers a refund with %s; it is made: %s', async (fault, status, isMade) => {
  const shop = await openShop();
  const id = await shop.pay();
  shop.sandbox.setFaults([fault]);
  const answer = await request(shop, 'refund', id, '10.00').catch(() => null);
  expect(answer?.status ?? null).toBe(status);
  expect(answer?.json).not.toMatchObject(accepted);
  shop.sandbox.setFaults([]);
  if (isMade) await eventsOf(shop, id, 3);
  expect(await shop.statusOf(id)).toBe(isMade ? 'refund' : 'settled');
  expect(shop.sandbox.operations()).toHaveLength(isMade ? 1 : 0);
});

test('a refund whose answer is lost by the fault drop is known after the next status check', async () => {
  const shop = await openShop();
  const id = await shop.pay();
  shop.sandbox.setFaults(['drop', 'callback-none']);
  await expect(request(shop, 'refund', id, '10.00')).rejects.toThrow();
  await expect.poll(() => shop.statusOf(id)).toBe('refund');
});

test('the fault delay answers after the callback of the refund', async () => {
  const shop = await openShop({ faultDelayMs: 200 });
  const id = await shop.pay();
  shop.sandbox.setFaults(['delay']);
  let isAnswered = false;
  const answer = request(shop, 'refund', id, '10.00').finally(() => (isAnswered = true));
  await eventsOf(shop, id, 3);
  expect(isAnswered).toBe(false);
  expect((await answer).status).toBe(200);
});

test('a first payment that stores the card has its token in the callback of the paid sale alone', async () => {
  const shop = await openShop();
  const link = await shop.raise(order(), { recurring_init: true });
  await shop.play(link, 'decline');
  await shop.play(link, '3ds-pay');
  await shop.play(link, 'continue');
  await shop.received.atLeast(4);
  expect(shop.received.items.map(({ event, fields }) => [event, fields.has('recurring_token')])).toEqual([
    ['redirect/success', false],
    ['sale/fail', false],
    ['3ds/success', false],
    ['sale/success', true],
  ]);
  const sale = shop.received.items.at(-1)?.fields;
  expect(sale?.get('recurring_init_trans_id')).toBe(sale?.get('id'));
});

test('a charge does not sign the currency, may be repeated, and can be approved and refunded like any payment', async () => {
  const shop = await openShop({ choices: { recurringOutcome: 'pending', recurringCallback: 'recurring' } });
  const series = await begin(shop);
  const sent = { ...next, currency: 'USD' };
  const id = idIn(await charge(shop, series, next, { order: sent, schedule_id: 'monthly' }));
  expect(idIn(await charge(shop, series))).not.toBe(id);
  await eventsOf(shop, id, 1);
  await shop.postForm(shop.sandbox.dashboardUrl, { action: 'approve', payment_id: id });
  await request(shop, 'refund', id, '7.50');
  expect(await eventsOf(shop, id, 3)).toEqual(['recurring/waiting', 'recurring/success', 'refund/success']);
  expect(callbacksOf(shop, id)[0]?.fields.get('schedule_id')).toBe('monthly');
  expect(await shop.statusOf(series.id)).toBe('settled');
});

test('a status request with a size lists the newest attempts of an order, the newest one first', async () => {
  let now = noon;
  const shop = await openShop({ clock: () => now });
  const number = 'order-1234';
  const list = (size: unknown) =>
    ask(shop.status, 'POST', { merchant_key: key, order_id: number, size, hash: sign([number, password]) });
  const link = await shop.raise();
  for (const scenario of ['decline', 'decline', 'pay']) {
    await shop.play(link, scenario);
    now += 1_000;
  }
  const statuses = async (size: string) =>
    ((await list(size)).json as { status: string }[]).map(({ status }) => status);
  expect(await statuses('100')).toEqual(['settled', 'decline', 'decline']);
  expect(await statuses('2')).toEqual(['settled', 'decline']);
  expect((await list('1')).json).toEqual([(await shop.byOrder(number)).json]);
  for (const size of ['0', '101', '1.5', '-1', '', 7])
    expect(problems(await list(size))[0]?.split(':')[0], String(size)).toBe('size');
});
