import { beforeAll, expect, test } from 'vitest';
import { eventTypes } from '../../../main/sandbox/sandbox.ts';
import type { PaymentSeries, RequestInput } from '../../../shared/contract/contract.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { inState, value } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';
import { sendOperation } from '../../../tools/app-harness/send-operation.ts';

/** Recurring charges of a stored card, by the real app with the built-in sandbox. */

const app = useApp();
let dashboard = '';
beforeAll(async () => {
  await app.value('sandbox.openDashboard', {});
  dashboard = app.opened[0] ?? '';
});

const profileId = 'sandbox';

/** A paid payment; with `recurring` it begins a series. */
const begin = (recurring = true): Promise<Payment> =>
  app.paid({
    amount: '50.00',
    customer: { name: 'Anna Nowak' },
    allowSameIntent: true,
    ...(recurring ? { options: { recurring: true } } : {}),
  });
const readSeries = async (orderNumber: string): Promise<PaymentSeries | null> =>
  (await app.value('operations.series', { profileId, orderNumber })).series;
const seriesOf = async (orderNumber: string): Promise<PaymentSeries> => {
  const series = await readSeries(orderNumber);
  if (series === null) throw new Error('no series');
  return series;
};
const charge = (
  payment: Payment,
  orderNumber: string,
  {
    amount = '20.00',
    ...changes
  }: Partial<NonNullable<RequestInput<'operations.send'>['charge']>> & {
    amount?: string;
  } = {},
) => {
  const { series, paymentIds, description } = payment;
  return sendOperation(
    app,
    {
      profileId,
      orderNumber: payment.orderNumber,
      paymentIds: [series?.firstPaymentId ?? paymentIds[0] ?? ''],
    },
    {
      operation: 'recurring',
      amount,
      reason: 'agreed-payment',
      charge: {
        orderNumber,
        description: description ?? '',
        consent: 'By telephone, 26 November',
        ...changes,
      },
    },
  );
};
const act = async (form: [string, string][]): Promise<void> => {
  const posted = await fetch(dashboard, { method: 'POST', body: new URLSearchParams(form) });
  expect(posted.status).toBe(200);
};
/** How the sandbox ends the next charges. */
const choose = (recurringOutcome: 'settled' | 'decline'): Promise<void> =>
  act([
    ['choices', 'save'],
    ['refundAmount', 'order'],
    ['recurringOutcome', recurringOutcome],
    ...eventTypes.map((type): [string, string] => ['event', type]),
  ]);
const noToken = { ok: false, error: { code: 'operation.refused', message: { key: 'charge.no-token' } } };
const ordersOf = ({ payments }: PaymentSeries): string[] => payments.map(({ orderNumber }) => orderNumber);

test('a series contains its first payment, its charges, the declined one and the provider’s own, from each of them, and ends when the details of its customer are erased', async () => {
  const first = await begin();
  expect(await seriesOf(first.orderNumber)).toMatchObject({
    firstPaymentId: first.paymentIds[0],
    firstOrder: first.orderNumber,
    hasToken: true,
    isOffered: true,
    suggestedOrder: `${first.orderNumber}-2`,
  });
  const paid = `${first.orderNumber}-2`;
  value(await charge(first, paid));
  await app.until(paid, inState('paid-confirmed'));
  await choose('decline');
  const { suggestedOrder } = await seriesOf(first.orderNumber);
  value(await charge(first, suggestedOrder, { amount: '7.50' }));
  await app.until(suggestedOrder, inState('declined'));
  await choose('settled');
  const scheduled = `${first.paymentIds[0] ?? ''}-1`;
  await act([
    ['action', 'recurring'],
    ['payment_id', first.paymentIds[0] ?? ''],
  ]);
  await app.until(scheduled, inState('paid-confirmed'));

  const orders = [first.orderNumber, paid, suggestedOrder, scheduled];
  // A charge is of the same customer, until their details are erased.
  expect((await app.read(paid, profileId)).payment).toMatchObject({
    customer: { name: 'Anna Nowak' },
    customerFrom: 'request',
  });
  value(await app.request('log.erase', { profileId, orderNumber: paid }));
  expect(JSON.stringify(await app.read(paid, profileId))).not.toContain('Anna Nowak');
  for (const orderNumber of orders) {
    const series = await seriesOf(orderNumber);
    expect(ordersOf(series)).toEqual(orders);
    expect(series.payments.map(({ state, amount }) => [state, amount])).toEqual([
      ['paid-confirmed', '50.00'],
      ['paid-confirmed', '20.00'],
      ['declined', '7.50'],
      ['paid-confirmed', '50.00'],
    ]);
    expect(series).toMatchObject({ firstOrder: first.orderNumber, hasToken: true });
  }

  value(await app.request('log.erase', { profileId, orderNumber: first.orderNumber }));
  const ended = await seriesOf(first.orderNumber);
  expect(ended).toMatchObject({ hasToken: false, firstOrder: first.orderNumber });
  expect(ordersOf(ended)).toEqual(orders);
  expect(await charge(first, ended.suggestedOrder)).toMatchObject(noToken);
  expect(ordersOf(await seriesOf(first.orderNumber))).toEqual(orders);
});

test('a payment whose card may not be charged again has no series', async () => {
  const payment = await begin(false);
  expect(await readSeries(payment.orderNumber)).toBeNull();
  expect(await charge(payment, `${payment.orderNumber}-2`)).toMatchObject(noToken);
});

test('a charge is refused with its field for a missing consent, a used order number and a wrong amount', async () => {
  const first = await begin();
  for (const [changes, path] of [
    [{ consent: ' ' }, 'consent'],
    [{ orderNumber: first.orderNumber }, 'orderNumber'],
    [{ orderNumber: 'A 1' }, 'orderNumber'],
    [{ description: 'x' }, 'description'],
    [{ amount: '1.234' }, 'amount'],
  ] as const)
    expect(await charge(first, `${first.orderNumber}-2`, changes)).toMatchObject({
      ok: false,
      error: { code: 'input.invalid', fields: [{ path }] },
    });
  expect(ordersOf(await seriesOf(first.orderNumber))).toEqual([first.orderNumber]);
});

test('of two charges of different series to one new order number at the same moment one is sent', async () => {
  const [one, other] = [await begin(), await begin()];
  const orderNumber = `${one.orderNumber}-2`;
  const both = await Promise.all([charge(one, orderNumber), charge(other, orderNumber)]);
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  expect(both.find(({ ok }) => !ok)).toMatchObject({ error: { fields: [{ path: 'orderNumber' }] } });
  const { payment } = await app.until(orderNumber, inState('paid-confirmed'));
  expect(payment.operations).toHaveLength(1);
});
