import { expect, test } from 'vitest';
import type { Entry } from '../../../shared/payments/movement.ts';
import { moneyOf } from '../../../shared/reports/payment-books.ts';
import { entry } from '../../../tools/evidence/movements.ts';
import { exportedRow } from '../../export/exported-payments.ts';

test.each<[string, string, Entry[], string | null, string | null]>([
  ['are not known before money came in', 'EUR', [], null, null],
  ['are zero and the whole after the payment', 'EUR', [entry('paid', '10')], '0.00', '10.00'],
  [
    'add up to the payment, in its own digits',
    'JPY',
    [entry('paid', '1200.00'), entry('refund', '200'), entry('refund', '1')],
    '201',
    '999',
  ],
  [
    'are unknown, not zero, after a refund of unknown size',
    'EUR',
    [entry('paid', '10.00'), entry('refund', null)],
    null,
    null,
  ],
  ['are zero in net after a void', 'EUR', [entry('paid', '10.00'), entry('void', '10.00')], '10.00', '0.00'],
  [
    'keep a chargeback out of Refunded',
    'EUR',
    [entry('paid', '10.00'), entry('chargeback', '10.00')],
    '0.00',
    '0.00',
  ],
  [
    'have a minus sign if more went back than came in',
    'EUR',
    [entry('paid', '10.00'), entry('refund', '12.50')],
    '12.50',
    '-2.50',
  ],
  [
    'count a refund that a counter-entry took back, also of unknown size, as none',
    'EUR',
    [
      entry('paid', '10.00'),
      entry('refund', null),
      entry('refund', null, { isCounter: true }),
      entry('refund', '4.00'),
      entry('refund', '4.00', { isCounter: true }),
    ],
    '0.00',
    '10.00',
  ],
  [
    'do not add up an amount that no list can hold',
    'EUR',
    [entry('paid', '12345678901234567890.00')],
    '0.00',
    '12345678901234567890.00',
  ],
  [
    'do not add up an amount in another currency than was asked for',
    'EUR',
    [entry('paid', '10.00', { currency: 'USD' })],
    '0.00',
    '10.00 USD',
  ],
])('refunded and net of a payment: %s', (_, currency, entries, refunded, net) => {
  expect(moneyOf({ ...exportedRow(1), currency, entries })).toEqual({ refunded, net });
});
