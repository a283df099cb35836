import { describe, expect, test } from 'vitest';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import {
  accepted,
  asEvent,
  callback,
  hour,
  lookUp,
  otherPayer,
  payer,
  requested,
  start,
  withRefundedAmount,
} from '../../../tools/evidence/evidence.ts';

const minute = 60_000;
const moved = (...drafts: EventDraft[]): [string, number, string | null, string][] =>
  reducePayment([requested(), accepted(), ...drafts].map(asEvent)).movements.map(
    ({ kind, at, amount, paymentId }) => [kind, at - start, amount, paymentId],
  );
const sale = callback(minute, 'sale', 'success');
const refund = (at: number, amount: string) =>
  withRefundedAmount(callback(at, 'refund', 'success', { order_amount: amount, date: String(at) }));

describe('the money of a payment', () => {
  test('came in when it was first reported paid, with the RRN and the approval code of the paid attempt', () => {
    const { movements } = reducePayment(
      [requested(), accepted(), sale, lookUp(2 * minute, 'settled')].map(asEvent),
    );
    expect(movements).toEqual([
      {
        kind: 'paid',
        at: start + minute,
        amount: '123.40',
        paymentId: payer,
        rrn: '123456789012',
        approvalCode: 'A1B2C3',
      },
    ]);
  });

  test.each<[string, EventDraft[]]>([
    ['declined', [callback(minute, 'sale', 'fail')]],
    ['voided', [sale, callback(hour, 'void', 'success')]],
    ['reversed', [sale, callback(hour, 'reversal', 'success')]],
    ['contradicted by a look-up', [sale, lookUp(hour, 'decline')]],
    [
      'not verified',
      [callback(minute, 'sale', 'success', {}, { verdict: 'invalid', uppercasing: null, digest: 'md5' })],
    ],
  ])('never came in if the payment was %s', (_, drafts) => {
    expect(moved(...drafts)).toEqual([]);
  });

  test('goes back part by part, each with its day and amount', () => {
    expect(moved(sale, refund(hour, '20.00'), refund(2 * hour, '3.40'))).toEqual([
      ['paid', minute, '123.40', payer],
      ['refund', hour, '20.00', payer],
      ['refund', 2 * hour, '3.40', payer],
    ]);
  });

  test('of a full refund whose callback names the amount of the order is the amount that was left', () => {
    expect(moved(sale, callback(hour, 'refund', 'success'), lookUp(hour + minute, 'refund'))).toEqual([
      ['paid', minute, '123.40', payer],
      ['refund', hour, '123.40', payer],
    ]);
    expect(moved(sale, lookUp(hour, 'refund'))).toEqual([
      ['paid', minute, '123.40', payer],
      ['refund', hour, '123.40', payer],
    ]);
  });

  test('of a refund without a known amount has none: it is never guessed', () => {
    expect(moved(sale, callback(hour, 'refund', 'success'))).toEqual([
      ['paid', minute, '123.40', payer],
      ['refund', hour, null, payer],
    ]);
  });

  test('of a chargeback is what was left after the refunds', () => {
    expect(moved(sale, refund(hour, '20.00'), callback(2 * hour, 'chargeback', 'success'))).toEqual([
      ['paid', minute, '123.40', payer],
      ['refund', hour, '20.00', payer],
      ['chargeback', 2 * hour, '103.40', payer],
    ]);
  });

  test('came in twice if two attempts of one order were paid', () => {
    expect(moved(sale, callback(hour, 'sale', 'success', { id: otherPayer }))).toEqual([
      ['paid', minute, '123.40', payer],
      ['paid', hour, '123.40', otherPayer],
    ]);
  });
});
