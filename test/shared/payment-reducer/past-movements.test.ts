import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import type { Movement } from '../../../shared/payments/movement.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import {
  accepted,
  asEvent,
  callback,
  lookUp,
  requested,
  withRefundedAmount,
} from '../../../tools/evidence/evidence.ts';

/** Entries of the books: once evidence has made one, no later report moves it. */

const minute = 60_000;

const movementsOf = (drafts: readonly EventDraft[]): readonly Movement[] =>
  reducePayment([requested(), accepted(), ...drafts].map(asEvent)).movements;

const callbacks = [
  ['sale', 'success'],
  ['sale', 'fail'],
  ['refund', 'success'],
  ['refund', 'fail'],
  ['refund', 'waiting'],
  ['void', 'success'],
  ['void', 'fail'],
  ['reversal', 'success'],
  ['chargeback', 'success'],
  ['3ds', 'success'],
  ['redirect', 'success'],
] as const;
const statuses = ['pending', '3ds', 'settled', 'decline', 'refund', 'void', 'reversal', 'chargeback'];

/** What the sources report, a minute after each other, likely or not. */
const reports = fc.array(
  fc.oneof(
    fc.constantFrom(...callbacks).map(
      ([type, status]) =>
        (at: number) =>
          callback(at, type, status, { date: String(at) }),
    ),
    fc
      .constantFrom('20.00', '3.40')
      .map(
        amount => (at: number) =>
          withRefundedAmount(callback(at, 'refund', 'success', { order_amount: amount, date: String(at) })),
      ),
    fc.constantFrom(...statuses).map(status => (at: number) => lookUp(at, status)),
  ),
  { maxLength: 8 },
);

test('no later report moves an entry of the books to another date, and only an unknown amount becomes known', () => {
  fc.assert(
    fc.property(reports, made => {
      const drafts = made.map((draft, index) => draft((index + 1) * minute));
      const before = movementsOf(drafts.slice(0, -1));
      const after = movementsOf(drafts);
      before.forEach(({ kind, at, amount, paymentId }) =>
        expect(after).toContainEqual(
          expect.objectContaining({ kind, at, paymentId, ...(amount === null ? {} : { amount }) }),
        ),
      );
    }),
    { numRuns: 2_000 },
  );
});
