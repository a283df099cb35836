import { expect, test } from 'vitest';
import {
  beginsSeries,
  countCharges,
  seriesRows,
  standingOf,
} from '../../renderer/screens/payment/series/series-rows.ts';
import type { PaymentSeries } from '../../shared/contract/contract.ts';
import { rowOf } from '../../shared/payments/payment-row.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';
import { reducePayment } from '../../shared/payment-reducer/reduce.ts';
import { asEvent, requested } from '../../tools/evidence/evidence.ts';

/** A series on the screen. */

const firstPaymentId = '0b3f9bb2-7c2e-11f1-b8d4-0242ac120002';
const template = rowOf(reducePayment([requested()].map(asEvent)));
const payment = (orderNumber: string, changes: Partial<PaymentRow> = {}): PaymentRow => ({
  ...template,
  orderNumber,
  state: 'paid-confirmed',
  series: { firstPaymentId },
  ...changes,
});
const first = payment('A-1', { paymentIds: [firstPaymentId.toUpperCase()], description: 'Membership' });
const series: PaymentSeries = {
  firstPaymentId,
  firstOrder: 'A-1',
  payments: [
    first,
    payment('A-1-2'),
    payment('A-1-3', { state: 'declined' }),
    payment(`${firstPaymentId}-1`, { raisedHere: false }),
    payment('X-9', { raisedHere: false, state: 'refused' }),
  ],
  hasToken: true,
  suggestedOrder: 'A-1-6',
  isOffered: true,
};
test('a series is shown newest first, the first payment last, with who made each charge', () => {
  const rows = seriesRows(series);
  expect(rows.map(({ row, role, number }) => [row.orderNumber, role, number])).toEqual([
    ['X-9', 'elsewhere', 4],
    [`${firstPaymentId}-1`, 'scheduled', 3],
    ['A-1-3', 'charge', 2],
    ['A-1-2', 'charge', 1],
    ['A-1', 'first', 0],
  ]);
  expect(countCharges(rows)).toEqual({ charges: 4, failed: 2 });
});

test('a series was begun by the payment whose id it has, in any letter case', () => {
  expect([beginsSeries(first), beginsSeries(payment('A-1-2')), beginsSeries(template)]).toEqual([
    true,
    false,
    false,
  ]);
});

test('a series without a token has ended, although the profile sends charges', () => {
  expect(standingOf(series)).toBe('ready');
  expect(standingOf({ ...series, isOffered: false })).toBe('switched-off');
  expect(standingOf({ ...series, hasToken: false })).toBe('ended');
  expect(standingOf({ ...series, firstOrder: null, hasToken: false })).toBe('first-missing');
});
