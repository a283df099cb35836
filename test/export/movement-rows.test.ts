import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { columns } from '../../main/export/columns.ts';
import { exportPayments } from '../../main/export/export-payments.ts';
import { movementRows } from '../../main/export/movement-columns.ts';
import { exactAmount } from '../../shared/money/wire-amount.ts';
import { reducePayment } from '../../shared/payment-reducer/reduce.ts';
import { balanceOf } from '../../shared/payments/balance.ts';
import type { Event, EventDraft } from '../../shared/payments/evidence.ts';
import type { Entry, Movement } from '../../shared/payments/movement.ts';
import { rowOf } from '../../shared/payments/payment-row.ts';
import { booksOf, signedAmountOf } from '../../shared/reports/payment-books.ts';
import { runs } from '../../tools/app-harness/runs.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { raised } from '../../tools/evidence/arbitrary-evidence.ts';
import {
  accepted,
  again,
  asEvent,
  callback,
  hour,
  lookUp,
  requested,
  start,
} from '../../tools/evidence/evidence.ts';
import {
  operationAnswered,
  operationCallback,
  operationRequested,
} from '../../tools/evidence/operation-evidence.ts';
import { entry } from '../../tools/evidence/movements.ts';
import { context, exportedRow, pages } from './exported-payments.ts';
import { readCsv } from './read-csv.ts';
import { netOf, totalsCounter } from '../../main/export/books.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';

const folder = newFolder('movements');

const periodsAt = (cuts: readonly number[]) => {
  const edges = [0, ...cuts.toSorted((one, other) => one - other), Number.MAX_SAFE_INTEGER];
  return edges.slice(1).map((until, index) => ({ from: edges[index] ?? 0, until }));
};
const rowsIn = (events: readonly Event[], period: { from: number; until: number } | null): Entry[] =>
  movementRows([rowOf(reducePayment(events))], { ...context, period }).map(({ movement }) => movement);
const minute = 60_000;
const cuts = fc.array(fc.integer({ min: start, max: start + 3 * hour }), { maxLength: 4 });

test('the rows of movements add up over all periods to what the balance says was paid and went back', () => {
  fc.assert(
    fc.property(raised, cuts, (events, at) => {
      const payment = reducePayment(events);
      const rows = periodsAt(at).flatMap(period => rowsIn(events, period));
      expect(rows).toHaveLength(payment.entries.length);
      for (const paymentId of payment.paymentIds) {
        const own = rows.filter(row => row.paymentId === paymentId);
        const amounts = own.map(row => signedAmountOf(row, 'EUR'));
        if (own.length === 0 || amounts.some(({ kind }) => kind !== 'minor')) continue;
        const sum = amounts.reduce((all, one) => all + (one.kind === 'minor' ? one.minor : 0n), 0n);
        const { paid, returned } = balanceOf(payment, paymentId);
        expect(sum * 10_000n).toBe((exactAmount(paid) ?? 0n) - (exactAmount(returned) ?? 0n));
      }
    }),
    { numRuns: runs(600) },
  );
});

/** What may happen after a payment, step by step, without contradictions of the gateway. */
const steps = fc.array(
  fc.constantFrom('part', 'elsewhere', 'whole', 'void', 'chargeback', 'look-up', 'late callback', 'again'),
  { maxLength: 8 },
);

/** The evidence of these steps, ten minutes apart. */
const lifeOf = (wanted: readonly string[]): Event[] => {
  const drafts: EventDraft[] = [requested(), accepted(), callback(minute, 'sale', 'success')];
  let status = 'settled';
  let parts = 0;
  for (const [index, step] of wanted.entries()) {
    const at = (index + 1) * 10 * minute;
    const unique = { date: `2026-10-05 13:00:0${index}` };
    const isOpen = status === 'settled';
    if (step === 'look-up') drafts.push(lookUp(at, status));
    else if (step === 'again') drafts.push(again(drafts[2] ?? requested(), at));
    else if (step === 'late callback' && isOpen) {
      // A refund of what is left that a look-up reports before its callback comes.
      status = 'refund';
      drafts.push(lookUp(at, status), callback(at + minute, 'refund', 'success', unique));
    } else if (step === 'part' && isOpen && parts < 5) {
      parts += 1;
      const intent = `6a1f0d52-58a7-4a0c-9f3c-3b4a55b2f20${index}`;
      drafts.push(
        operationRequested(at, { intent, amount: '10.00' }),
        operationAnswered(at + 1_000, {}, intent),
        operationCallback(at + minute, 'refund', 'success', unique),
      );
    } else if (step === 'elsewhere' && isOpen) drafts.push(callback(at, 'refund', 'success', unique));
    else if (step === 'whole' && isOpen) {
      status = 'refund';
      drafts.push(callback(at, 'refund', 'success', { ...unique, order_status: 'refund' }));
    } else if (step === 'void' && isOpen) {
      status = 'void';
      drafts.push(callback(at, 'void', 'success', unique));
    } else if (step === 'chargeback' && (isOpen || status === 'refund')) {
      status = 'chargeback';
      drafts.push(callback(at, 'chargeback', 'success', unique));
    }
  }
  return drafts.map(asEvent);
};

test('the rows of a period that is over stay, after any later evidence', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 90 }), (wanted, minutes) => {
      const events = lifeOf(wanted);
      const until = start + minutes * minute;
      const before = rowsIn(
        events.filter(event => event.happenedAt < until),
        { from: 0, until },
      );
      const after = rowsIn(events, { from: 0, until });
      expect(after).toEqual(before);
    }),
    { numRuns: runs(800) },
  );
});

test('a refund is a row on its own date with a minus sign, and an unknown amount is no zero', async () => {
  const file = join(folder, 'movements.csv');
  const day = 86_400_000;
  const entries = [
    entry('paid', '10.00'),
    entry('refund', '4.00', { at: day }),
    entry('refund', null, { at: 2 * day }),
    entry('refund', '4.00', { at: 3 * day, isCounter: true }),
    entry('chargeback', '6.00', { at: 4 * day }),
  ];
  const written = await exportPayments({
    file,
    content: 'csv-movements',
    columns,
    context,
    next: async () => ({ rows: [{ ...exportedRow(1), entries }], next: null }),
  });
  expect(written).toEqual({ ok: true, value: { written: 1 } });
  const [head = [], ...rows] = readCsv(readFileSync(file, 'utf8').replace('\uFEFF', ''));
  const shown = rows.map(row => ['moved_at_utc', 'kind', 'signed_amount'].map(id => row[head.indexOf(id)]));
  expect(shown).toEqual([
    ['1970-01-01T00:00:00+00:00', 'paid', '10.00'],
    ['1970-01-02T00:00:00+00:00', 'refund', '-4.00'],
    ['1970-01-03T00:00:00+00:00', 'refund', 'unknown'],
    ['1970-01-04T00:00:00+00:00', 'counter-refund', '4.00'],
    ['1970-01-05T00:00:00+00:00', 'chargeback', '-6.00'],
  ]);
});

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
