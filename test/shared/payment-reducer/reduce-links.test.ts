import { describe, expect, test } from 'vitest';
import { openLinksOf } from '../../../shared/payments/order-link.ts';
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

describe('the links of an order', () => {
  test('are listed oldest first, with agent, time and whether they can be paid', () => {
    const { links } = reduce(...first, ...again());
    expect(links.map(link => [link.idempotencyKey, link.used, link.withdrawn])).toEqual([
      [idempotencyKey, false, null],
      [second, false, null],
    ]);
    expect(openLinksOf(links, start + 10 * minute)).toHaveLength(2);
    expect(openLinksOf(links, start + 62 * minute)).toHaveLength(1);
  });

  test('are all closed by a payment', () => {
    const { links } = reduce(...first, ...again(), ...paidAt(10 * minute));
    expect(openLinksOf(links, start + 12 * minute)).toEqual([]);
  });
});

describe('a withdrawn link', () => {
  test('is no longer shared, and the payment still waits until it expires', () => {
    const payment = reduce(...first, withdrawn(minute));
    expect(payment.linkUsable).toBe(false);
    expect(payment.state).toBe('waiting');
    expect(payment.links[0]?.withdrawn).toMatchObject({ reason: 'replaced', at: start + minute });
    expect(payment.flags).toEqual([]);
  });

  test('that was replaced leaves the new link usable', () => {
    expect(reduce(...first, withdrawn(minute), ...again()).linkUsable).toBe(true);
  });

  test('raises an alarm when it is paid, with the withdrawal as evidence', () => {
    const payment = reduce(...first, withdrawn(minute), ...paidAt(3 * minute));
    expect(payment.state).toBe('paid-confirmed');
    const [flag] = payment.flags.filter(({ kind }) => kind === 'paid-after-withdrawal');
    expect(flag?.events).toHaveLength(2);
  });

  test('raises no alarm when the link that replaced it is paid', () => {
    const kinds = flags(...first, withdrawn(minute), ...again(), ...paidAt(10 * minute));
    expect(kinds).not.toContain('paid-after-withdrawal');
  });

  test('raises an alarm when its amount is paid and the new link has another', () => {
    const kinds = flags(...first, withdrawn(minute), ...again('60.00'), ...paidAt(10 * minute));
    expect(kinds).toContain('paid-after-withdrawal');
    const other = flags(...first, withdrawn(minute), ...again('60.00'), ...paidAt(10 * minute, '60.00'));
    expect(other).not.toContain('paid-after-withdrawal');
  });

  test('raises an alarm when it is paid after the new link expired', () => {
    const kinds = flags(...first, withdrawn(minute), ...again(), ...paidAt(70 * minute));
    expect(kinds).toContain('paid-after-withdrawal');
  });
});
