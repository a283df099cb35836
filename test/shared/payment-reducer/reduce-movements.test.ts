import * as fc from 'fast-check';
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
const day = 24 * hour;
const moved = (...drafts: EventDraft[]): [string, number, string | null, string][] =>
  reducePayment([requested(), accepted(), ...drafts].map(asEvent)).movements.map(
    ({ kind, at, amount, paymentId }) => [kind, at - start, amount, paymentId],
  );
const sale = callback(minute, 'sale', 'success');
const refund = (at: number, amount: string) =>
  withRefundedAmount(callback(at, 'refund', 'success', { order_amount: amount, date: String(at) }));

describe('the money of a payment', () => {
  test('the money of a payment came in when it was first reported paid, with the RRN and the approval code of the paid attempt', () => {
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
    ['contradicted from the first', [lookUp(minute, 'decline'), callback(hour, 'sale', 'success')]],
    [
      'not verified',
      [callback(minute, 'sale', 'success', {}, { verdict: 'invalid', uppercasing: null, digest: 'md5' })],
    ],
  ])('the money of a payment never came in if the payment was %s', (_, drafts) => {
    expect(moved(...drafts)).toEqual([]);
  });

  test.each<[string, EventDraft[]]>([
    ['a void', [sale, callback(hour, 'void', 'success')]],
    ['a reversal', [sale, callback(hour, 'reversal', 'success')]],
    ['a look-up void', [sale, lookUp(2 * minute, 'settled'), lookUp(hour, 'void')]],
    ['look-ups alone', [lookUp(minute, 'settled'), lookUp(hour, 'reversal')]],
  ])('money that was taken stays in its day, and goes back with a counter-entry: by %s', (_, drafts) => {
    expect(moved(...drafts)).toEqual([
      ['paid', minute, '123.40', payer],
      ['void', hour, '123.40', payer],
    ]);
    expect(reducePayment([requested(), accepted(), ...drafts].map(asEvent)).paidAt).toBe(start + minute);
  });

  test.each<[string, EventDraft[], EventDraft]>([
    ['a decline after a sale', [sale], lookUp(hour, 'decline')],
    ['a failed sale after a settled status', [lookUp(minute, 'settled')], callback(hour, 'sale', 'fail')],
    [
      'a settled status after a void',
      [sale, callback(2 * minute, 'void', 'success')],
      lookUp(hour, 'settled'),
    ],
    ['a decline after a refund', [sale, refund(2 * minute, '10.00')], lookUp(hour, 'decline')],
  ])(
    'money stays in the books as it was, without being called paid, once the sources contradict each other: %s',
    (_, before, contradiction) => {
      const known = moved(...before);
      const payment = reducePayment([requested(), accepted(), ...before, contradiction].map(asEvent));
      expect(known.length).toBeGreaterThan(0);
      expect(moved(...before, contradiction)).toEqual(known);
      expect([payment.state, payment.paidAt]).toEqual(['needs-attention', null]);
    },
  );

  test.each<[string, EventDraft[], EventDraft[]]>([
    ['a callback after the look-up of a void', [lookUp(hour, 'void')], [callback(day, 'void', 'success')]],
    ['a reversal after a void', [callback(hour, 'void', 'success')], [callback(day, 'reversal', 'success')]],
    ['a refund after a void', [callback(hour, 'void', 'success')], [callback(day, 'refund', 'success')]],
    ['the status refund after a void', [lookUp(hour, 'void')], [lookUp(day, 'refund')]],
    [
      'a callback after the look-up of a chargeback',
      [lookUp(hour, 'chargeback')],
      [callback(day, 'chargeback', 'success')],
    ],
  ])('money that went back on one day stays on it: %s', (_, before, after) => {
    const known = moved(sale, ...before);
    expect(known.map(([, at, amount]) => [at, amount])).toEqual([
      [minute, '123.40'],
      [hour, '123.40'],
    ]);
    expect(moved(sale, ...before, ...after)).toEqual(known);
  });

  test.each<[string, EventDraft[], EventDraft[], [string, string | null]]>([
    [
      'a chargeback after a void',
      [callback(hour, 'void', 'success')],
      [callback(day, 'chargeback', 'success')],
      ['chargeback', '0.00'],
    ],
    [
      'a refund after a chargeback',
      [callback(hour, 'chargeback', 'success')],
      [refund(day, '10.00')],
      ['refund', '10.00'],
    ],
    [
      'the status void after a refund of a part',
      [refund(hour, '10.00')],
      [lookUp(day, 'void')],
      ['void', '113.40'],
    ],
  ])(
    'money that went back later has a separate entry, and the earlier one stays: %s',
    (_, before, after, entry) => {
      const known = moved(sale, ...before);
      const [kind, amount] = entry;
      expect(moved(sale, ...before, ...after)).toEqual([...known, [kind, day, amount, payer]]);
    },
  );

  test('money of a look-up that says refunded after a chargeback went back with the chargeback', () => {
    const known = moved(sale, callback(hour, 'chargeback', 'success'));
    expect(moved(sale, callback(hour, 'chargeback', 'success'), lookUp(day, 'refund'))).toEqual(known);
  });

  test('money taken back by a void is what refunds have left', () => {
    expect(moved(sale, refund(hour, '20.00'), callback(2 * hour, 'void', 'success'))).toEqual([
      ['paid', minute, '123.40', payer],
      ['refund', hour, '20.00', payer],
      ['void', 2 * hour, '103.40', payer],
    ]);
  });

  test('money taken back by a chargeback over another amount is a part of unknown size', () => {
    expect(moved(sale, callback(hour, 'chargeback', 'success', { order_amount: '20.00' }))).toEqual([
      ['paid', minute, '123.40', payer],
      ['chargeback', hour, null, payer],
    ]);
  });

  test('the money of a payment goes back part by part, each with its day and amount', () => {
    expect(moved(sale, refund(hour, '20.00'), refund(2 * hour, '3.40'))).toEqual([
      ['paid', minute, '123.40', payer],
      ['refund', hour, '20.00', payer],
      ['refund', 2 * hour, '3.40', payer],
    ]);
  });

  test('the money of a full refund whose callback names the amount of the order is the amount that was left', () => {
    expect(moved(sale, callback(hour, 'refund', 'success'), lookUp(hour + minute, 'refund'))).toEqual([
      ['paid', minute, '123.40', payer],
      ['refund', hour, '123.40', payer],
    ]);
    expect(moved(sale, lookUp(hour, 'refund'))).toEqual([
      ['paid', minute, '123.40', payer],
      ['refund', hour, '123.40', payer],
    ]);
  });

  test('a movement of a refund without a known amount has none: it is never guessed', () => {
    expect(moved(sale, callback(hour, 'refund', 'success'))).toEqual([
      ['paid', minute, '123.40', payer],
      ['refund', hour, null, payer],
    ]);
  });

  test('the money of a chargeback is what was left after the refunds', () => {
    expect(moved(sale, refund(hour, '20.00'), callback(2 * hour, 'chargeback', 'success'))).toEqual([
      ['paid', minute, '123.40', payer],
      ['refund', hour, '20.00', payer],
      ['chargeback', 2 * hour, '103.40', payer],
    ]);
  });

  test('the money of a payment came in twice if two attempts of one order were paid', () => {
    expect(moved(sale, callback(hour, 'sale', 'success', { id: otherPayer }))).toEqual([
      ['paid', minute, '123.40', payer],
      ['paid', hour, '123.40', otherPayer],
    ]);
  });

  test('the money of a full refund whose amount only a look-up gives is what is left after the known parts', () => {
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

  test('a movement of a refund with another amount than a plain decimal has none', () => {
    expect(moved(sale, refund(hour, 'ten')).at(-1)).toEqual(['refund', hour, null, payer]);
  });

  test('the money of a chargeback is unknown if a refund is, or if more went back than came in', () => {
    const charged = callback(2 * hour, 'chargeback', 'success');
    expect(moved(sale, callback(hour, 'refund', 'success'), charged).at(-1)?.[2]).toBeNull();
    expect(moved(sale, refund(hour, '200.00'), charged).at(-1)?.[2]).toBeNull();
    expect(moved(sale, charged).at(-1)?.[2]).toBe('123.40');
  });

  test('the money of a payment came in with the amount of the sale, else of a status answer, else of our request', () => {
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

  test('the money of a payment is listed in the order of time, over all attempts', () => {
    const other = callback(2 * hour, 'sale', 'success', { id: otherPayer });
    expect(moved(sale, other, refund(3 * hour, '20.00')).map(([, at]) => at)).toEqual([
      minute,
      2 * hour,
      3 * hour,
    ]);
  });

  test('an entry of the past keeps its day, kind and amount after any refund, void, reversal or chargeback', () => {
    const evidence: readonly ((at: number) => EventDraft)[] = [
      at => refund(at, '10.00'),
      at => callback(at, 'refund', 'success', { date: String(at) }),
      ...['void', 'reversal', 'chargeback'].map(
        type => (at: number) => callback(at, type, 'success', { date: String(at) }),
      ),
      ...['settled', 'refund', 'void', 'reversal', 'chargeback'].map(
        status => (at: number) => lookUp(at, status),
      ),
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...evidence), { maxLength: 5 }), fc.nat(5), (steps, known) => {
        const drafts = steps.map((draft, index) => draft(hour * (index + 1)));
        const before = moved(sale, ...drafts.slice(0, known));
        // Sources that contradict each other about the money take it out of the books.
        if ([drafts.slice(0, known), drafts].some(some => moved(sale, ...some).length === 0)) return;
        const after = moved(sale, ...drafts).filter(([, at]) => at < hour * (known + 1));
        expect(after.length).toBe(before.length);
        for (const [index, entry] of before.entries())
          if (entry[2] !== null) expect(after[index]).toEqual(entry);
      }),
      { numRuns: 500 },
    );
  });
});
