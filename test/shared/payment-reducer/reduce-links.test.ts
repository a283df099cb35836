import { expect, test } from 'vitest';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import {
  accepted,
  callback,
  draft,
  hour,
  idempotencyKey,
  lookUp,
  order,
  payer,
  requested,
  start,
} from '../../../tools/evidence/evidence.ts';

const minute = 60_000;
const second = '0b1c7de0-58a7-4a0c-9f3c-3b4a55b2f002';
const first: EventDraft[] = [requested(), accepted()];
const again = (amount = order.amount): EventDraft[] => [
  requested(5 * minute, { idempotencyKey: second, amount }),
  accepted(5 * minute + 500, {
    idempotencyKey: second,
    link: 'https://pay.example/2',
    issuedAt: start + 5 * minute,
    expiresAt: start + 5 * minute + hour,
  }),
];
const withdrawn = (at: number, key = idempotencyKey): EventDraft =>
  draft('link.withdrawn', at, { idempotencyKey: key, reason: 'replaced', text: '' });
const recorded = (...drafts: EventDraft[]) =>
  drafts.map((event, index) => ({
    ...event,
    recordedAt: event.happenedAt,
    writer: 'w',
    writerSeq: index + 1,
  }));
const reduce = (...drafts: EventDraft[]) => reducePayment(recorded(...drafts));
const flags = (...drafts: EventDraft[]) => reduce(...drafts).flags.map(({ kind }) => kind);
const paidAt = (at: number, amount = order.amount): EventDraft[] => [
  callback(at, 'sale', 'success', { order_amount: amount }),
  lookUp(at + minute, 'settled', { order: { ...order, amount } }),
];

test('the links of an order have the values of their request and of their answer, by the time of issue', () => {
  const [one, other] = [
    requested(0, { amount: '1.00' }),
    requested(1, { idempotencyKey: second }, { agent: 'Grace' }),
  ];
  const [late, early] = [accepted(9), accepted(5, { idempotencyKey: second })];
  const text = draft('link.withdrawn', 20, { idempotencyKey: second, reason: 'other', text: 'Wrong shop' });
  const repeated = { ...text, id: crypto.randomUUID(), happenedAt: start + 30 };
  expect(reduce(one, other, early, late, text, repeated).links).toEqual([
    {
      idempotencyKey: second,
      amount: order.amount,
      issuedAt: start + 5,
      expiresAt: start + 5 + hour,
      agent: 'Grace',
      used: false,
      withdrawn: { at: start + 20, agent: 'Ada', reason: 'other', text: 'Wrong shop' },
    },
    {
      idempotencyKey,
      amount: '1.00',
      issuedAt: start + 9,
      expiresAt: start + 9 + hour,
      agent: 'Ada',
      used: false,
      withdrawn: null,
    },
  ]);
});

test('the links of an order are used by money that moved after they were issued, not by earlier money', () => {
  const usedAt = (at: number) =>
    reduce(...first, ...again(), callback(at, 'sale', 'success')).links.map(({ used }) => used);
  expect(usedAt(5 * minute)).toEqual([true, true]);
  expect(usedAt(5 * minute - 1)).toEqual([true, false]);
});

test('a withdrawn link is no longer shared, and the payment still waits until it expires', () => {
  const payment = reduce(...first, withdrawn(minute));
  expect(payment.linkUsable).toBe(false);
  expect(payment.state).toBe('waiting');
  expect(payment.links[0]?.withdrawn).toMatchObject({ reason: 'replaced', at: start + minute });
  expect(payment.flags).toEqual([]);
});

test('a withdrawn link raises an alarm when its amount is paid and the new link has another', () => {
  const kinds = flags(...first, withdrawn(minute), ...again('60.00'), ...paidAt(10 * minute));
  expect(kinds).toContain('paid-after-withdrawal');
  const other = flags(...first, withdrawn(minute), ...again('60.00'), ...paidAt(10 * minute, '60.00'));
  expect(other).not.toContain('paid-after-withdrawal');
});

test('a withdrawn link is flagged for a payment at the time of the withdrawal, and not for an earlier one', () => {
  const kindsAt = (at: number) => flags(...first, withdrawn(minute), ...paidAt(at));
  expect(kindsAt(minute)).toContain('paid-after-withdrawal');
  expect(kindsAt(minute - 1)).not.toContain('paid-after-withdrawal');
});

test('a withdrawn link is flagged with each withdrawal and the evidence of the payment', () => {
  const [one, other] = [withdrawn(minute), withdrawn(6 * minute, second)];
  const sale = callback(7 * minute, 'sale', 'success');
  expect(reduce(...first, ...again(), one, other, sale).flags).toContainEqual({
    kind: 'paid-after-withdrawal',
    values: { paymentId: payer },
    events: [one.id, other.id, sale.id].toSorted(),
  });
});

test('a withdrawn link is not flagged while another link is open, until that expires', () => {
  const kindsAt = (at: number) =>
    flags(...first, withdrawn(minute), ...again(), callback(at, 'sale', 'success'));
  expect(kindsAt(5 * minute)).not.toContain('paid-after-withdrawal');
  expect(kindsAt(5 * minute + hour - 1)).not.toContain('paid-after-withdrawal');
  expect(kindsAt(5 * minute + hour)).toContain('paid-after-withdrawal');
  // The new link was not issued yet.
  expect(kindsAt(5 * minute - 1)).toContain('paid-after-withdrawal');
});
