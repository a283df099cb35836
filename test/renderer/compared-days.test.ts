import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { withMoved, type CurrencyMoney } from '../../renderer/stores/reports/moved-money.ts';
import { dayAt, startOf } from '../../shared/days.ts';
import { changeOf, paidBefore, scaleOf } from '../../renderer/screens/overview/compared-days.ts';
import { signedMoney } from '../../shared/money/format-amount.ts';
import { noOutcomes } from '../../shared/payments/outcomes.ts';

/** The arithmetic of the overview's chart. */

const overviewOf = (paid: string, before: string, days: number, daysBefore: string[]): CurrencyMoney => ({
  currency: 'EUR',
  figures: {
    outcomes: noOutcomes(),
    refused: 0,
    converted: 0,
    raisedAmount: '0.00',
    unreadAmounts: 0,
    paidAmount: paid,
    returnedAmount: '0.00',
    netAmount: paid,
    outsideNetAmount: '0.00',
    uncounted: 0,
  },
  medianToPay: null,
  days: Array.from({ length: days }, (_, day) => ({
    from: day,
    until: day + 1,
    outcomes: noOutcomes(),
    converted: 0,
    paidAmount: '0.00',
  })),
  before: { days: daysBefore, paidAmount: before },
  agents: [],
});

test('the scale of the chart has two to five steps and ends less than one step above the highest value', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 1e14, noNaN: true }), most => {
      const { top, step } = scaleOf(most);
      expect(top).toBeGreaterThanOrEqual(most * 0.999_99);
      expect(top - most).toBeLessThan(step * 1.000_01);
      expect(Math.round(top / step)).toBeLessThanOrEqual(5);
      expect(Math.round(top / step)).toBeGreaterThanOrEqual(2);
    }),
  );
});

test.each([
  [5, 5, 1],
  [4.62, 5, 1],
  [9_999, 10_000, 2_000],
  [120, 125, 25],
  [600, 600, 200],
])('the scale of the chart of %d ends at %d in steps of %d', (most, top, step) => {
  const scale = scaleOf(most);
  expect(scale.top).toBeCloseTo(top);
  expect(scale.step).toBeCloseTo(step);
});

test('the days before are compared in the same place of the chart, counted from the last day', () => {
  const of = overviewOf('0.00', '0.00', 3, ['1.00', '2.00']);
  expect([0, 1, 2].map(day => paidBefore(of, day))).toEqual([null, '1.00', '2.00']);
});

test('days before without a payment give no change', () => {
  expect(changeOf(overviewOf('12.00', '0.00', 1, ['0.00']))).toBeNull();
  expect(changeOf(overviewOf('12.00', '10.00', 1, ['10.00']))).toBeCloseTo(0.2);
  expect(changeOf(overviewOf('0.00', '10.00', 1, ['10.00']))).toBe(-1);
});

test('a net amount below zero has a minus sign', () => {
  expect(signedMoney('-12.50', 'EUR', 'en')).toBe('−€12.50');
  expect(signedMoney('12.50', 'EUR', 'en')).toBe('€12.50');
});

test('the money of the overview is that of the days on which it moved, also of a currency without a link', () => {
  const moved = (currency: string, paidAmount: string, refundedAmount = '0.00') => ({
    currency,
    paidAmount,
    refundedAmount,
    voidedAmount: '0.00',
    disputedAmount: '1.00',
    netAmount: '7.00',
    uncounted: 1,
  });
  const first = dayAt(Date.UTC(2026, 10, 2));
  const span = { from: startOf(first), until: startOf(first.add({ days: 2 })) };
  const [eur, usd] = withMoved(
    [],
    {
      total: [moved('EUR', '12.00', '-2.00'), moved('USD', '5.00')],
      days: [[moved('EUR', '2.00')], [moved('EUR', '10.00'), moved('USD', '5.00')]],
      before: { total: [moved('EUR', '6.00')], days: [[], [moved('EUR', '6.00')]] },
    },
    span,
  );
  expect(eur?.figures).toMatchObject({ paidAmount: '12.00', returnedAmount: '-1.00', netAmount: '7.00' });
  expect(eur?.days.map(({ paidAmount }) => paidAmount)).toEqual(['2.00', '10.00']);
  expect(eur?.before).toEqual({ days: ['0.00', '6.00'], paidAmount: '6.00' });
  expect(usd?.days.map(({ paidAmount }) => paidAmount)).toEqual(['0.00', '5.00']);
});
