import { expect, test } from 'vitest';
import type { Flag } from '../../../shared/payments/payment.ts';
import { fingerprintOf } from '../../../shared/payment-reducer/fingerprint.ts';
import { entry } from '../../../tools/evidence/movements.ts';
import { otherPayer, payer } from '../../../tools/evidence/evidence.ts';

/** The fingerprint of a payment: what changes it, and what does not. */

const paid = entry('paid', '10.00', { at: 1, paymentId: payer, rrn: '1', approvalCode: 'A' });
const refund = { ...paid, kind: 'refund' as const, amount: '2.00' };
const differs: Flag = { kind: 'amount-differs', values: { ours: '10.00', theirs: '1.00' }, events: ['1'] };
const changed = (field: string, theirs: string): Flag => ({
  kind: 'changed-between-deliveries',
  values: { field, ours: 'a', theirs },
  events: ['1'],
});
const payment: Parameters<typeof fingerprintOf>[0] = {
  state: 'paid-unconfirmed',
  reason: null,
  amount: '10.00',
  currency: 'EUR',
  paymentIds: [payer, otherPayer],
  linkUsable: false,
  expiresAt: 5,
  paidAt: 1,
  basis: { event: '1', kind: 'callback', at: 1, verified: true },
  entries: [paid, refund],
  pendingSince: null,
  flags: [differs, changed('customer_email', 'b'), changed('rrn', 'b')],
};
type Changes = Partial<typeof payment>;
const basis = { event: '1', kind: 'callback', at: 1, verified: true } as const;

test.each<[string, Changes]>([
  ['state', { state: 'paid-confirmed' }],
  ['reason', { reason: 'Declined' }],
  ['amount', { amount: '10.01' }],
  ['currency', { currency: 'USD' }],
  ['payment ids', { paymentIds: [payer] }],
  ['link', { linkUsable: true }],
  ['expiry', { expiresAt: 6 }],
  ['time of payment, if it has one', { paidAt: null }],
  ['basis', { basis: null }],
  ['source', { basis: { ...basis, kind: 'look-up' } }],
  ['verification', { basis: { ...basis, verified: false } }],
  ['movements', { entries: [paid] }],
  ['kind of a movement', { entries: [paid, { ...refund, kind: 'chargeback' }] }],
  ['amount of a movement', { entries: [paid, { ...refund, amount: null }] }],
  ['payment of a movement', { entries: [paid, { ...refund, paymentId: otherPayer }] }],
  ['counter-entry', { entries: [paid, { ...refund, isCounter: true }] }],
  ['money in progress', { pendingSince: 1 }],
  ['flags', { flags: [] }],
  ['kind of a flag', { flags: [{ ...differs, kind: 'currency-differs' }, ...payment.flags.slice(1)] }],
  [
    'value of a flag',
    { flags: [{ ...differs, values: { ours: '10.00', theirs: '2.00' } }, ...payment.flags.slice(1)] },
  ],
  ['personal field of a flag', { flags: [differs, changed('customer_name', 'b'), changed('rrn', 'b')] }],
  ['other field of a flag', { flags: [differs, changed('customer_email', 'b'), changed('rrn', 'c')] }],
])('another %s of a payment is a new fact', (_, changes) => {
  expect(fingerprintOf({ ...payment, ...changes })).not.toBe(fingerprintOf(payment));
});

test.each<[string, Changes]>([
  ['order of the payment ids', { paymentIds: [otherPayer, payer] }],
  ['time of payment', { paidAt: 2 }],
  ['event of the basis', { basis: { ...basis, event: '2', at: 2 } }],
  ['order of the movements', { entries: [refund, paid] }],
  ['time or RRN of a movement', { entries: [paid, { ...refund, at: 9, rrn: null, approvalCode: null }] }],
  [
    'repeated delivery',
    { flags: [...payment.flags, { kind: 'duplicate-delivery', values: {}, events: [] }] },
  ],
  ['event of a flag', { flags: [{ ...differs, events: ['2'] }, ...payment.flags.slice(1)] }],
  [
    "order of a flag's values",
    { flags: [{ ...differs, values: { theirs: '1.00', ours: '10.00' } }, ...payment.flags.slice(1)] },
  ],
  ['personal value of a flag', { flags: [differs, changed('customer_email', 'c'), changed('rrn', 'b')] }],
])('another %s of a payment is not a new fact', (_, changes) => {
  expect(fingerprintOf({ ...payment, ...changes })).toBe(fingerprintOf(payment));
});

test('a fingerprint stays the same between versions: stored resolutions and snoozes name it', () => {
  expect(fingerprintOf(payment)).toBe('5451586332c509c69b499c19d2ecbe96');
});
