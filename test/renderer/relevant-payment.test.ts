import { expect, test } from 'vitest';
import { lastPaid, linksOf, relevantPayment } from '../../renderer/screens/customer/relevant-payment.ts';
import { mayFill } from '../../renderer/stores/new-payment/fill-form.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';

const now = Date.UTC(2026, 10, 26, 12);
const hour = 3_600_000;

/** What the choice reads of a row; everything else is of no consequence. */
const row = (orderNumber: string, of: Partial<PaymentRow>): PaymentRow =>
  ({
    orderNumber,
    state: 'paid-confirmed',
    expiresAt: null,
    linkUsable: false,
    paidAt: null,
    ...of,
  }) as PaymentRow;

const open = row('OPEN', { state: 'waiting', linkUsable: true, expiresAt: now + hour });
const expired = row('EXPIRED', { state: 'waiting', linkUsable: true, expiresAt: now - 1 });
const paid = row('PAID', { paidAt: now - hour });
const unknown = row('UNKNOWN', { state: 'outcome-unknown' });

test('a caller is answered about a payment that can be paid or has no result, before a newer one that is over', () => {
  expect(relevantPayment([paid, open], now)?.orderNumber).toBe('OPEN');
  expect(relevantPayment([paid, unknown], now)?.orderNumber).toBe('UNKNOWN');
  expect(relevantPayment([paid, expired], now)?.orderNumber).toBe('PAID');
  expect(relevantPayment([expired, paid], now)?.orderNumber).toBe('EXPIRED');
  expect(relevantPayment([], now)).toBeNull();
});

test('the last paid payment is the one whose money came last, not the newest link', () => {
  const later = row('LATER', { paidAt: now - 1 });
  expect(lastPaid([paid, later])?.orderNumber).toBe('LATER');
  expect(lastPaid([open, paid])?.orderNumber).toBe('PAID');
  expect(lastPaid([open, expired])).toBeNull();
});

test('an expired link is offered again only while no newer payment replaces it', () => {
  expect(linksOf([expired, open], now).map(({ orderNumber }) => orderNumber)).toEqual(['EXPIRED', 'OPEN']);
  expect(linksOf([open, expired], now).map(({ orderNumber }) => orderNumber)).toEqual(['OPEN']);
  expect(linksOf([paid, expired], now)).toEqual([]);
});

test('only a live payment fills the form of a live profile', () => {
  expect(mayFill('live', 'live')).toBe(true);
  expect(mayFill('test', 'live')).toBe(false);
  expect(mayFill('sandbox', 'live')).toBe(false);
  expect(mayFill(null, 'live')).toBe(false);
  expect(mayFill('live', 'sandbox')).toBe(true);
  expect(mayFill('sandbox', 'test')).toBe(true);
});
