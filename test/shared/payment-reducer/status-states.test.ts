import { expect, test } from 'vitest';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import { accepted, asEvent, lookUp, requested } from '../../../tools/evidence/evidence.ts';

/** The state of a payment after a look-up with one of the statuses of §3.1. */

const states: readonly (readonly [string, string])[] = [
  ['prepare', 'started'],
  ['settled', 'paid-unconfirmed'],
  ['pending', 'processing'],
  ['3ds', 'bank-check'],
  ['redirect', 'started'],
  ['decline', 'declined'],
  ['refund', 'refunded'],
  ['reversal', 'reversed'],
  ['chargeback', 'chargeback'],
];

test.each(states)('a look-up with status %s gives the state %s', (status, state) => {
  const events = [requested(), accepted(), lookUp(60_000, status)];
  expect(reducePayment(events.map(asEvent)).state).toBe(state);
});
