import { describe, expect, it } from 'vitest';
import { codes, openShop, order, problems, type Shop } from './shop.ts';

/** Recurring payments and retries that the shop requests (assumptions). */

type Answered = { status: string; payment_id: string };

/** Pays a first payment that stores the card; resolves to what its sale callback says. */
const begin = async (shop: Shop, of = order(), extra: Record<string, unknown> = {}) => {
  await shop.pay(of, { recurring_init: true, ...extra });
  const isSale = (one: Shop['received']['items'][number]) =>
    one.event === 'sale/success' && one.fields.get('order_number') === of.number;
  const sale = (await shop.received.until(items => items.some(isSale))).find(isSale);
  const field = (name: string) => sale?.fields.get(name) ?? '';
  return { id: field('id'), initial: field('recurring_init_trans_id'), token: field('recurring_token') };
};

type Series = Awaited<ReturnType<typeof begin>>;
type RecurringOrder = { number: string; amount: string; description: string };
const next = (changes: Partial<RecurringOrder> = {}): RecurringOrder => ({
  number: 'order-1235',
  amount: '7.50',
  description: 'Important gift - # 2',
  ...changes,
});

const charge = (shop: Shop, { initial, token }: Series, of = next(), changes: Record<string, unknown> = {}) =>
  shop.operate(
    'recurring',
    { recurring_init_trans_id: initial, recurring_token: token, order: of, ...changes },
    [initial, token, of.number, of.amount, of.description],
  );
const retry = (shop: Shop, paymentId: string) =>
  shop.operate('retry', { payment_id: paymentId }, [paymentId]);
const callbacksOf = (shop: Shop, id: string) =>
  shop.received.items.filter(({ fields }) => fields.get('id') === id);
const eventsOf = async (shop: Shop, id: string, count: number): Promise<string[]> => {
  await shop.received.until(() => callbacksOf(shop, id).length >= count);
  return callbacksOf(shop, id).map(({ event }) => event);
};

describe('a first payment that stores the card', () => {
  it('a first payment that stores the card names itself and its token in the sale callback alone, once it is paid', async () => {
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
});

describe('a recurring payment', () => {
  it('a recurring payment is a new payment under the shop’s order number, in the currency of the first one', async () => {
    const shop = await openShop();
    const series = await begin(shop);
    const answer = await charge(shop, series, next(), { schedule_id: 'monthly' });
    const { payment_id: id } = answer.json as Answered;
    expect(id).not.toBe(series.id);
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        status: 'settled',
        payment_id: id,
        date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        schedule_id: 'monthly',
        order: { ...next(), currency: 'USD' },
      },
    ]);
    expect(await eventsOf(shop, id, 1)).toEqual(['sale/success']);
    const [sale] = callbacksOf(shop, id);
    expect([sale?.holds, Object.fromEntries(sale?.fields ?? [])]).toMatchObject([
      true,
      {
        order_number: 'order-1235',
        order_amount: '7.50',
        order_currency: 'USD',
        recurring_init_trans_id: series.id,
        schedule_id: 'monthly',
      },
    ]);
    expect((await shop.byOrder('order-1235')).json).toMatchObject({ payment_id: id, status: 'settled' });
    expect(shop.sandbox.operations()).toMatchObject([
      { operation: 'recurring', paymentId: id, amount: '7.50' },
    ]);
  });

  it.each([
    ['decline', 'declined', 'sale/fail', 'decline'],
    ['pending', 'pending', 'sale/waiting', 'pending'],
  ] as const)('a recurring payment can %s', async (recurringOutcome, answered, event, status) => {
    const shop = await openShop({ choices: { recurringOutcome } });
    const { json } = await charge(shop, await begin(shop));
    const { payment_id: id } = json as Answered;
    expect(json).toMatchObject({ status: answered });
    expect('reason' in (json as object)).toBe(recurringOutcome === 'decline');
    expect(await eventsOf(shop, id, 1)).toEqual([event]);
    expect(await shop.statusOf(id)).toBe(status);
  });

  it('a recurring payment that stays pending can be approved on the dashboard', async () => {
    const shop = await openShop({ choices: { recurringOutcome: 'pending', recurringCallback: 'recurring' } });
    const { payment_id: id } = (await charge(shop, await begin(shop))).json as Answered;
    await eventsOf(shop, id, 1);
    await shop.postForm(shop.sandbox.dashboardUrl, { action: 'approve', payment_id: id });
    expect(await eventsOf(shop, id, 2)).toEqual(['recurring/waiting', 'recurring/success']);
    expect(await shop.statusOf(id)).toBe('settled');
  });

  it('a recurring payment can be repeated: there is no protection against a second request', async () => {
    const shop = await openShop();
    const series = await begin(shop);
    const ids = [await charge(shop, series), await charge(shop, series)].map(
      ({ json }) => (json as Answered).payment_id,
    );
    expect(new Set(ids).size).toBe(2);
    expect(shop.sandbox.operations()).toHaveLength(2);
  });

  it('a recurring payment can be refunded and voided like any payment', async () => {
    const shop = await openShop();
    const series = await begin(shop);
    const { payment_id: id } = (await charge(shop, series)).json as Answered;
    const answer = await shop.operate('refund', { payment_id: id, amount: '7.50' }, [id, '7.50']);
    expect(answer.status).toBe(200);
    expect(await eventsOf(shop, id, 2)).toEqual(['sale/success', 'refund/success']);
    expect(await shop.statusOf(series.id)).toBe('settled');
  });

  it('a recurring payment after a first payment that was authorised and captured needs no capture', async () => {
    const shop = await openShop();
    const first = await shop.pay(order(), { recurring_init: true, auth: 'Y' });
    await shop.operate('capture', { payment_id: first, amount: '10.00' }, [first, '10.00']);
    await eventsOf(shop, first, 3);
    const token = callbacksOf(shop, first).at(-1)?.fields.get('recurring_token') ?? '';
    const series = { id: first, initial: first, token };
    expect((await charge(shop, series)).json).toMatchObject({ status: 'settled' });
    shop.sandbox.setChoices({ recurringOutcome: 'pending' });
    const { payment_id: id } = (await charge(shop, series)).json as Answered;
    await shop.postForm(shop.sandbox.dashboardUrl, { action: 'approve', payment_id: id });
    expect(await shop.statusOf(id)).toBe('settled');
  });

  it.each([
    ['a number outside the set', { number: 'order_1235' }, 'order.number: This value is not valid.'],
    [
      'a description outside the set',
      { description: 'Größe' },
      'order.description: This value is not valid.',
    ],
    [
      'a short description',
      { description: 'x' },
      'order.description: This value is too short. It should have 2 characters or more.',
    ],
    ['no number', { number: '' }, 'order.number: This value should not be blank.'],
    [
      'other digits',
      { amount: '7.5' },
      'order.amount: This value must be a decimal amount with two fraction digits.',
    ],
    ['no amount of money', { amount: '0.00' }, 'order.amount: This value must be greater than zero.'],
  ] as const)('a recurring payment with %s is refused', async (_, changes, problem) => {
    const shop = await openShop();
    const answer = await charge(shop, await begin(shop), next(changes));
    expect([answer.status, problems(answer)]).toEqual([400, [problem]]);
    expect(shop.sandbox.operations()).toEqual([]);
  });

  it('a recurring payment with a wrong token, of no series, or signed with the currency, is refused', async () => {
    const shop = await openShop();
    const series = await begin(shop);
    const other = await begin(shop, order({ number: 'other' }));
    expect(problems(await charge(shop, { ...series, token: other.token }))).toEqual([
      'recurring_token: This value is not valid.',
    ]);
    expect(codes(await charge(shop, { ...series, initial: 'unknown' }))).toEqual([208_001]);
    const plain = await shop.pay(order({ number: 'plain' }));
    expect(codes(await charge(shop, { ...series, initial: plain }))).toEqual([208_001]);
    const { payment_id: later } = (await charge(shop, series)).json as Answered;
    expect(codes(await charge(shop, { ...series, initial: later }))).toEqual([208_001]);
    const of = next();
    const parts = [series.initial, series.token, of.number, of.amount, 'USD', of.description];
    const fields = {
      recurring_init_trans_id: series.initial,
      recurring_token: series.token,
      order: { ...of, currency: 'USD' },
    };
    expect(problems(await shop.operate('recurring', fields, parts))).toEqual(['hash: Hash is not valid.']);
    // The currency may be sent, but it is not signed.
    expect(
      (
        await shop.operate(
          'recurring',
          fields,
          parts.filter(part => part !== 'USD'),
        )
      ).status,
    ).toBe(200);
  });

  it('a recurring payment is made although the gateway drops the connection', async () => {
    const shop = await openShop();
    const series = await begin(shop);
    shop.sandbox.setFaults(['drop']);
    await expect(charge(shop, series)).rejects.toThrow();
    shop.sandbox.setFaults([]);
    expect((await shop.byOrder('order-1235')).json).toMatchObject({ status: 'settled' });
  });
});

describe('a retry', () => {
  const declined = async (shop: Shop): Promise<string> => {
    shop.sandbox.setChoices({ recurringOutcome: 'decline' });
    const { payment_id: id } = (await charge(shop, await begin(shop))).json as Answered;
    await eventsOf(shop, id, 1);
    return id;
  };

  it.each([
    ['success', ['sale/success'], 'settled'],
    ['fail', ['sale/fail'], 'decline'],
    ['wait-success', ['sale/waiting', 'sale/success'], 'settled'],
  ] as const)(
    'a retry of a declined recurring payment with the outcome %s sends %j',
    async (outcome, sent, status) => {
      const shop = await openShop({ choices: { retryOutcome: outcome } });
      const id = await declined(shop);
      expect((await retry(shop, id)).json).toEqual({ payment_id: id, result: 'accepted' });
      expect((await eventsOf(shop, id, 1 + sent.length)).slice(1)).toEqual(sent);
      expect(await shop.statusOf(id)).toBe(status);
      expect(shop.sandbox.operations().at(-1)).toMatchObject({
        operation: 'retry',
        paymentId: id,
        amount: null,
      });
    },
  );

  it('a retry of another payment is refused', async () => {
    const shop = await openShop();
    const id = await declined(shop);
    const first = await shop.pay(order({ number: 'first' }), { recurring_init: true }, 'decline');
    const notRetryable = ['payment_id: Only a declined recurring payment can be retried.'];
    expect(problems(await retry(shop, first))).toEqual(notRetryable);
    await retry(shop, id);
    await eventsOf(shop, id, 2);
    expect(problems(await retry(shop, id))).toEqual(notRetryable);
    expect(codes(await retry(shop, 'unknown'))).toEqual([208_001]);
  });

  it('a retry pays once, however often it is requested', async () => {
    const shop = await openShop({ operationDelayMs: 50 });
    const id = await declined(shop);
    await Promise.all([retry(shop, id), retry(shop, id)]);
    await eventsOf(shop, id, 2);
    shop.sandbox.setChoices({ recurringOutcome: 'settled' });
    await charge(shop, await begin(shop, order({ number: 'after' })), next({ number: 'order-1236' }));
    const isLater = ({ fields }: Shop['received']['items'][number]) =>
      fields.get('order_number') === 'order-1236';
    await shop.received.until(items => items.some(isLater));
    expect(await eventsOf(shop, id, 2)).toEqual(['sale/fail', 'sale/success']);
  });
});
