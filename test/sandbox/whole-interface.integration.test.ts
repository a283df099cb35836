import { expect, test } from 'vitest';
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

test('all pairs of type and status of the interface are sent as callbacks', async () => {
  const shop = await openShop();
  const id = await paid(shop, { recurring_init: true });
  for (const action of [
    'refund-wait',
    'refund-fail',
    'void-wait',
    'void-fail',
    'recurring',
    'recurring-fail',
    'recurring-wait',
  ])
    await press(shop, action, id);
  await press(shop, 'refund', id, '1.00');
  const wanted = [
    ...['sale', '3ds', 'redirect', 'refund', 'void', 'recurring', 'chargeback'].map(
      type => `${type}/success`,
    ),
    ...['sale', 'refund', 'void', 'recurring'].flatMap(type => [`${type}/fail`, `${type}/waiting`]),
  ];
  expect(wanted).toHaveLength(15);
  await shop.play(await shop.raise(order({ number: 'second' })), '3ds-pay');
  const link = await shop.raise(order({ number: 'third' }));
  await shop.play(link, 'pay');
  const third = () =>
    shop.received.items.find(({ fields }) => fields.get('order_number') === 'third')?.fields.get('id') ?? '';
  await shop.received.until(() => third() !== '');
  await press(shop, 'void', third());
  await press(shop, 'chargeback', id);
  const received = await shop.received.until(items =>
    wanted.every(event => items.some(one => one.event === event)),
  );
  expect(received.every(({ holds, method }) => holds && method === 'POST')).toBe(true);
});

test.each([
  ['pay', '', ['sale/success']],
  ['3ds-pay', '', ['3ds/success']],
  ['pay', 'refund', ['sale/success', 'refund/success']],
  ['pay', 'void', ['sale/success', 'void/success']],
  ['pay', 'recurring', ['sale/success', 'sale/success', 'recurring/success']],
  ['pay', 'chargeback', ['sale/success', 'chargeback/success']],
])(
  'the callbacks of the sandbox after the redirect, for %s, then %j, are %j',
  async (scenario, action, events) => {
    const shop = await openShop();
    await shop.play(await shop.raise(order(), { recurring_init: true }), scenario);
    await shop.received.atLeast(2);
    if (action !== '') await press(shop, action, idOf(shop));
    await shop.received.atLeast(events.length + 1);
    expect(shop.events()).toEqual(['redirect/success', ...events]);
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

test('every status of the interface except prepare can be caused by a button', async () => {
  const shop = await openShop();
  const seen = async (number: string) => ((await shop.byOrder(number)).json as { status: string }).status;
  const statuses = new Set<string>();
  for (const [scenario, action] of [
    ['pay', ''],
    ['decline', ''],
    ['3ds-pay', ''],
    ['wait-pay', ''],
    ['redirect-pay', ''],
    ['pay', 'refund'],
    ['pay', 'void'],
    ['pay', 'chargeback'],
  ] as const) {
    const number = `${scenario}-${action}`;
    await shop.play(await shop.raise(order({ number })), scenario);
    const { payment_id: id } = (await shop.byOrder(number)).json as { payment_id: string };
    if (action !== '') await press(shop, action, id);
    statuses.add(await seen(number));
  }
  expect([...statuses].sort()).toEqual(
    ['3ds', 'chargeback', 'decline', 'pending', 'redirect', 'refund', 'reversal', 'settled'].sort(),
  );
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
