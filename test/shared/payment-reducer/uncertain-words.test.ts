import { describe, expect, test } from 'vitest';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { callback, lookUp, otherPayer, payer } from '../../../tools/evidence/evidence.ts';
import { flagsOf, minute, raised, reduce } from '../../../tools/evidence/reduced.ts';

/** One word outside the interface never hides a result that the interface documents. */

describe('callbacks of one payment', () => {
  test.each([
    [
      '3ds fail, sale fail',
      [
        ['3ds', 'fail'],
        ['sale', 'fail'],
      ],
      'declined',
    ],
    [
      'sale undefined, sale fail',
      [
        ['sale', 'undefined'],
        ['sale', 'fail'],
      ],
      'declined',
    ],
    [
      'redirect undefined, sale fail',
      [
        ['redirect', 'undefined'],
        ['sale', 'fail'],
      ],
      'declined',
    ],
    [
      '3ds waiting, 3ds success',
      [
        ['3ds', 'waiting'],
        ['3ds', 'success'],
      ],
      'bank-check',
    ],
    [
      '3ds waiting, sale waiting',
      [
        ['3ds', 'waiting'],
        ['sale', 'waiting'],
      ],
      'processing',
    ],
    [
      '3ds waiting, 3ds success, sale fail',
      [
        ['3ds', 'waiting'],
        ['3ds', 'success'],
        ['sale', 'fail'],
      ],
      'declined',
    ],
    [
      'redirect success, 3ds fail',
      [
        ['redirect', 'success'],
        ['3ds', 'fail'],
      ],
      'outcome-unknown',
    ],
    ['3ds fail alone', [['3ds', 'fail']], 'outcome-unknown'],
  ] as const)('callbacks of one payment give one state in any order: %s', (_name, pairs, state) => {
    const drafts = pairs.map(([type, status], index) =>
      callback((index + 1) * minute, type, status, status === 'fail' ? { reason: 'No money' } : {}),
    );
    for (const events of [drafts, drafts.toReversed()]) {
      const payment = reduce(...raised, ...events);
      expect(payment.state).toBe(state);
      if (state === 'declined') expect(payment.reason).toBe('No money');
    }
  });

  test('an unknown word beside a decline does not hide that a look-up contradicts it', () => {
    const declined = [callback(minute, 'sale', 'fail'), callback(2 * minute, '3ds', 'odd')];
    const payment = reduce(...raised, ...declined, lookUp(3 * minute, 'settled'));
    expect(payment.state).toBe('paid-confirmed');
    expect(flagsOf(payment)).toContain('sources-disagree');
  });
});

describe('an answer about another payment', () => {
  test('an answer about another payment is a contradiction and counts for nothing', () => {
    const redirect = callback(minute, 'redirect', 'success');
    const { body, ...answered } = lookUp(2 * minute, 'settled', { paymentId: otherPayer });
    const other = { ...answered, body: { ...body, asked: { by: 'payment-id', value: payer } } } as EventDraft;
    const payment = reduce(...raised, redirect, other);
    expect(payment).toMatchObject({ state: 'waiting', movements: [], linkUsable: true });
    expect(payment.flags.find(({ kind }) => kind === 'sources-disagree')?.values).toEqual({
      field: 'payment-id',
      ours: payer,
      theirs: otherPayer,
    });
  });

  test('an answer about another payment is not one of the same id in other letters', () => {
    const sale = callback(minute, 'sale', 'success', { id: payer.toUpperCase() });
    const payment = reduce(...raised, sale, lookUp(2 * minute, 'settled', { paymentId: payer }));
    expect(payment).toMatchObject({ state: 'paid-confirmed', paymentIds: [payer.toUpperCase()] });
    expect(payment.movements).toHaveLength(1);
    expect(flagsOf(payment)).toEqual([]);
  });
});
