import { expect, test } from 'vitest';
import { tableOf } from '../../tools/app-harness/table.ts';
import { ask, openShop, order, password, problems, sign, type Shop } from './shop.ts';

/** The sandbox covers the whole interface: events, statuses, settings, the return to the shop. */

const idOf = (shop: Shop): string => shop.received.items[0]?.fields.get('id') ?? '';
const press = (shop: Shop, action: string, paymentId: string, amount = '') =>
  shop.postForm(shop.sandbox.dashboardUrl, { action, payment_id: paymentId, amount });
const choose = (shop: Shop, chosen: Record<string, string>, events: readonly string[]) => {
  const body = new URLSearchParams({ choices: 'save', refundAmount: 'order', ...chosen });
  for (const event of events) body.append('event', event);
  return ask(shop.sandbox.dashboardUrl, 'POST', body.toString(), 'application/x-www-form-urlencoded');
};
const paid = async (shop: Shop, extra: Record<string, unknown> = {}, of = order()): Promise<string> => {
  await shop.play(await shop.raise(of, extra), 'pay');
  await shop.received.until(items => items.some(({ event }) => event === 'sale/success'));
  return idOf(shop);
};

/** What the payer does | the button after it | the callbacks after the redirect | the status that it leaves. */
const histories = `
  pay | | sale/success | settled
  decline | | sale/fail | decline
  wait-pay | | sale/waiting | pending
  3ds-pay | | 3ds/success | 3ds
  redirect-pay | | | redirect
  pay | refund | sale/success refund/success | refund
  pay | refund-fail | sale/success refund/fail | settled
  pay | refund-wait | sale/success refund/waiting | settled
  pay | void | sale/success void/success | reversal
  pay | void-fail | sale/success void/fail | settled
  pay | void-wait | sale/success void/waiting | settled
  pay | recurring | sale/success sale/success recurring/success | settled
  pay | recurring-fail | sale/success sale/fail recurring/fail | settled
  pay | recurring-wait | sale/success sale/waiting recurring/waiting | settled
  pay | chargeback | sale/success chargeback/success | chargeback`;

test.each(tableOf(histories))(
  'each pair of type and status is sent as a callback, and each status can be caused: %s, then %j, sends %j and leaves %s',
  async (scenario = '', action = '', sent = '', status = '') => {
    const shop = await openShop();
    await shop.play(await shop.raise(order(), { recurring_init: true }), scenario);
    const events = ['redirect/success', ...sent.split(' ').filter(Boolean)];
    await shop.received.atLeast(Math.min(events.length, 2));
    const id = idOf(shop);
    if (action !== '') await press(shop, action, id);
    await shop.received.atLeast(events.length);
    expect(shop.events()).toEqual(events);
    expect(shop.received.items.every(({ holds, method }) => holds && method === 'POST')).toBe(true);
    expect(await shop.statusOf(id)).toBe(status);
  },
);

test('a scheduled payment has the first payment’s id and a count as its order number', async () => {
  const shop = await openShop();
  const id = await paid(shop, { recurring_init: true });
  await press(shop, 'recurring', id);
  await press(shop, 'recurring', id);
  const numbers = () =>
    shop.received.items
      .filter(({ event }) => event === 'recurring/success')
      .map(({ fields }) => fields.get('order_number'));
  await shop.received.until(() => numbers().length === 2);
  expect(numbers()).toEqual([`${id}-1`, `${id}-2`]);
});

test('a callback contains a card token only if the session requested one', async () => {
  const shop = await openShop();
  await paid(shop, { req_token: true }, order({ number: 'with' }));
  await shop.play(await shop.raise(order({ number: 'without' })), 'pay');
  await shop.received.atLeast(4);
  const tokens = shop.received.items
    .filter(({ event }) => event === 'sale/success')
    .map(({ fields }) => [fields.get('order_number'), fields.get('card_token')?.length]);
  expect(tokens).toEqual([
    ['with', 64],
    ['without', undefined],
  ]);
});

test('the sandbox sends only the chosen event types, and a later resend uses the choice', async () => {
  const shop = await openShop();
  const saved = await choose(shop, {}, ['sale']);
  expect(saved.text).toContain('Saved.');
  await shop.play(await shop.raise(), 'pay');
  await shop.received.atLeast(1);
  await press(shop, 'refund', idOf(shop));
  await press(shop, 'resend', idOf(shop));
  await shop.received.atLeast(2);
  expect(shop.events()).toEqual(['sale/success', 'sale/success']);
  expect((await ask(shop.sandbox.dashboardUrl, 'GET')).text).toContain('event not chosen');
  await choose(shop, {}, ['sale', 'refund']);
  await press(shop, 'resend', idOf(shop));
  await shop.received.atLeast(4);
  expect(shop.events().slice(2)).toEqual(['sale/success', 'refund/success']);
});

test.each([
  ['pay', 'https://shop.example/thanks?order=1234'],
  ['cancel', 'https://shop.example/cancelled'],
])(
  'the customer is sent back to the shop after %s, with signed parameters if that is chosen',
  async (scenario, page) => {
    const shop = await openShop({ choices: { redirectBack: true } });
    const back = async (): Promise<string> => {
      const link = await shop.raise();
      return (await shop.postForm(link, { scenario })).headers['location'] ?? '';
    };
    expect(await back()).toBe(page);
    await choose(shop, { redirectBack: 'on', signReturnUrl: 'on' }, []);
    const url = new URL(await back());
    const id = url.searchParams.get('payment_id') ?? '';
    const { number, amount, currency, description } = order();
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      order_id: number,
      trans_id: id,
      hash: sign([id, number, amount, currency, description, password]),
    });
  },
);

test('the dashboard chooses how operations end, and shows those in progress', async () => {
  const shop = await openShop({ operationDelayMs: 60_000, clock: () => Date.parse('2026-03-02T10:11:12Z') });
  const id = await paid(shop);
  const page = async () => (await ask(shop.sandbox.dashboardUrl, 'GET')).text;
  expect(await page()).not.toContain('in progress since');
  await choose(shop, { voidAnswer: 'table', voidOutcome: 'fail', duplicates: 'refused' }, ['sale']);
  expect(await page()).toMatch(/<option value="table" selected>/);
  const answer = await shop.operate('void', { payment_id: id }, [id]);
  expect(answer.json).toMatchObject({ status: 'SETTLED' });
  expect(await page()).toContain('void in progress since 10:11:12');
  const refused = await shop.operate('refund', { payment_id: id, amount: '4.00' }, [id, '4.00']);
  expect(problems(refused)).toEqual(['Duplicate request']);
  await choose(shop, {}, []);
  await shop.operate('refund', { payment_id: id, amount: '4.00' }, [id, '4.00']);
  expect(await page()).toContain('refund of 4.00 in progress since 10:11:12');
});

test('a form with an unknown choice changes nothing', async () => {
  const shop = await openShop({ choices: { refundOutcome: 'fail' } });
  const saved = await choose(shop, { refundOutcome: 'sometimes' }, []);
  expect(saved.text).toContain('There is no such payment.');
  expect(saved.text).toMatch(/<option value="fail" selected>/);
});
