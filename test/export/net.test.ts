import { entry } from '../../tools/evidence/movements.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { netOf, totalsCounter } from '../../main/export/books.ts';
import { booksOf } from '../../shared/reports/payment-books.ts';
import type { Movement } from '../../shared/payments/movement.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';
import { pages } from './exported-payments.ts';

const day = 86_400_000;
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const [sample] = (await pages(1, 1)(null)).rows;
if (!sample) throw new Error('The sample has no row.');

const movement = fc.record({
  kind: fc.constantFrom<Movement['kind']>('paid', 'refund', 'void', 'chargeback'),
  at: fc.nat({ max: 5 }).map(days => days * day),
  amount: fc.option(fc.constantFrom('10.00', '0.01', '123.45', '83.470'), { nil: null }),
  paymentId: fc.constant('p'),
  rrn: fc.constant(null),
  approvalCode: fc.constant(null),
});
const row = fc
  .record({
    currency: fc.constantFrom('EUR', 'USD', 'JPY'),
    movements: fc.array(movement, { maxLength: 5 }),
  })
  .map((of): PaymentRow => ({ ...sample, ...of }));
const period = fc.option(
  fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 3 })).map(([from, days]) => ({
    from: from * day,
    until: (from + days) * day,
  })),
  { nil: null },
);

test('Net of a currency is the sum of the Net column, and its days add up to it, to the cent', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 8 }), period, (rows, of) => {
      const counter = totalsCounter(of, dayOf);
      for (const one of rows) counter.add(one);
      for (const { currency, all, days } of counter.read()) {
        let column = 0n;
        for (const one of rows) {
          const { net } = booksOf(one, of);
          if (one.currency === currency && net?.kind === 'minor') column += net.minor;
        }
        expect(netOf(all)).toBe(column);
        expect(days.reduce((sum, { totals }) => sum + netOf(totals), 0n)).toBe(column);
      }
    }),
  );
});

test('a refund of unknown size is named with the amount that Net leaves out', () => {
  const counter = totalsCounter(null, dayOf);
  counter.add({ ...sample, entries: [entry('paid', '718.98')] });
  counter.add({
    ...sample,
    entries: [entry('paid', '20.00'), entry('refund', null)],
  });
  const [euros] = counter.read();
  expect(euros?.all).toMatchObject({ paid: 73_898n, outsideNet: 2000n, notCounted: 1 });
  expect(euros && netOf(euros.all)).toBe(71_898n);
});
