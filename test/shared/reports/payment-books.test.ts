import { describe, expect, test } from 'vitest';
import type { Movement } from '../../../shared/payments/movement.ts';
import { moneyOf } from '../../../shared/reports/payment-books.ts';
import { exportedRow } from '../../export/exported-payments.ts';

const moved = (kind: Movement['kind'], amount: string | null): Movement => ({
  kind,
  at: 0,
  amount,
  paymentId: 'p',
  rrn: null,
  approvalCode: null,
});

describe('Refunded and Net of a payment', () => {
  test.each<[string, string, Movement[], string | null, string | null]>([
    ['are not known before money came in', 'EUR', [], null, null],
    ['are zero and the whole after the payment', 'EUR', [moved('paid', '10')], '0.00', '10.00'],
    [
      'add up to the payment, in its own digits',
      'JPY',
      [moved('paid', '1200.00'), moved('refund', '200'), moved('refund', '1')],
      '201',
      '999',
    ],
    [
      'are unknown, not zero, after a refund of unknown size',
      'EUR',
      [moved('paid', '10.00'), moved('refund', null)],
      null,
      null,
    ],
    [
      'are zero in net after a void',
      'EUR',
      [moved('paid', '10.00'), moved('void', '10.00')],
      '10.00',
      '0.00',
    ],
    [
      'keep a chargeback out of Refunded',
      'EUR',
      [moved('paid', '10.00'), moved('chargeback', '10.00')],
      '0.00',
      '0.00',
    ],
    [
      'have a minus sign if more went back than came in',
      'EUR',
      [moved('paid', '10.00'), moved('refund', '12.50')],
      '12.50',
      '-2.50',
    ],
  ])('refunded and net of a payment: %s', (_, currency, movements, refunded, net) => {
    expect(moneyOf({ ...exportedRow(1), currency, movements })).toEqual({ refunded, net });
  });
});
