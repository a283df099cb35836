import { describe, expect, test } from 'vitest';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import {
  accepted,
  asEvent,
  callback,
  hour,
  lookUp,
  order,
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
    ['voided before it was taken', [callback(minute, '3ds', 'success'), callback(hour, 'void', 'success')]],
    ['reversed before it was taken', [lookUp(minute, 'pending'), lookUp(hour, 'reversal')]],
    ['contradicted by a look-up', [sale, lookUp(hour, 'decline')]],
    [
      'not verified',
      [callback(minute, 'sale', 'success', {}, { verdict: 'invalid', uppercasing: null, digest: 'md5' })],
    ],
  ])('never came in if the payment was %s', (_, drafts) => {
    expect(moved(...drafts)).toEqual([]);
  });

  test.each<[string, EventDraft[]]>([
    ['a void', [sale, callback(hour, 'void', 'success')]],
    ['a reversal', [sale, callback(hour, 'reversal', 'success')]],
    ['a look-up void', [sale, lookUp(2 * minute, 'settled'), lookUp(hour, 'void')]],
    ['look-ups alone', [lookUp(minute, 'settled'), lookUp(hour, 'reversal')]],
  ])('that was taken stays in its day, and goes back with a counter-entry: by %s', (_, drafts) => {
    expect(moved(...drafts)).toEqual([
      ['paid', minute, '123.40', payer],
      ['void', hour, '123.40', payer],
    ]);
    expect(reducePayment([requested(), accepted(), ...drafts].map(asEvent)).paidAt).toBe(start + minute);
  });

  test('taken back by a void is what refunds have left', () => {
    expect(moved(sale, refund(hour, '20.00'), callback(2 * hour, 'void', 'success'))).toEqual([
      ['paid', minute, '123.40', payer],
      ['refund', hour, '20.00', payer],
      ['void', 2 * hour, '103.40', payer],
    ]);
  });

  test('taken back by a chargeback over another amount is a part of unknown size', () => {
    expect(moved(sale, callback(hour, 'chargeback', 'success', { order_amount: '20.00' }))).toEqual([
      ['paid', minute, '123.40', payer],
      ['chargeback', hour, null, payer],
    ]);
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

  test('of a full refund whose amount only a look-up gives is what is left after the known parts', () => {
    const rest = callback(2 * hour, 'refund', 'success', { date: 'later' });
    const whole = lookUp(3 * hour, 'refund');
    expect(moved(sale, refund(hour, '20.00'), rest, whole).slice(1)).toEqual([
      ['refund', hour, '20.00', payer],
      ['refund', 2 * hour, '103.40', payer],
    ]);
    // Two unknown amounts share the rest in an unknown way.
    const another = callback(hour, 'refund', 'success', { date: 'earlier' });
    expect(moved(sale, another, rest, whole).map(([, , amount]) => amount)).toEqual(['123.40', null, null]);
  });

  test('of a refund with another amount than a plain decimal has none', () => {
    expect(moved(sale, refund(hour, 'ten')).at(-1)).toEqual(['refund', hour, null, payer]);
  });

  test('of a chargeback is unknown if a refund is, or if more went back than came in', () => {
    const charged = callback(2 * hour, 'chargeback', 'success');
    expect(moved(sale, callback(hour, 'refund', 'success'), charged).at(-1)?.[2]).toBeNull();
    expect(moved(sale, refund(hour, '200.00'), charged).at(-1)?.[2]).toBeNull();
    expect(moved(sale, charged).at(-1)?.[2]).toBe('123.40');
  });

  test('came in with the amount of the sale, else of a status answer, else of our request', () => {
    const cameIn = (...drafts: EventDraft[]): string | null | undefined => moved(...drafts)[0]?.[2];
    const of = (amount: string | null) => ({ order: { ...order, amount } });
    const refunded = callback(3 * hour, 'refund', 'success');
    const other = callback(2 * minute, 'sale', 'success', { order_amount: '100.00' });
    // The sale that agrees with our request counts first.
    expect(cameIn(other, callback(hour, 'sale', 'success', { order_amount: '123.4' }), refunded)).toBe(
      '123.4',
    );
    expect(cameIn(callback(1, 'sale', 'success', { order_amount: '123.400' }), sale)).toBe('123.400');
    expect(cameIn(other, refunded)).toBe('100.00');
    expect(cameIn(lookUp(minute, 'pending', of('1.00')), lookUp(hour, 'settled', of('123.400')))).toBe(
      '123.400',
    );
    const silent = [lookUp(minute, 'settled', of(null)), lookUp(2 * minute, 'settled', of('123.4'))];
    expect(cameIn(...silent, lookUp(hour, 'settled'))).toBe('123.4');
    expect(
      cameIn(callback(minute, '3ds', 'success', { order_amount: '9.00' }), lookUp(hour, 'settled', of(null))),
    ).toBe('123.40');
    expect(cameIn(refunded)).toBe('123.40');
  });

  test('is listed in the order of time, over all attempts', () => {
    const other = callback(2 * hour, 'sale', 'success', { id: otherPayer });
    expect(moved(sale, other, refund(3 * hour, '20.00')).map(([, at]) => at)).toEqual([
      minute,
      2 * hour,
      3 * hour,
    ]);
  });
});
