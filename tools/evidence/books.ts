import type { EventDraft } from '../../shared/payments/evidence.ts';
import { type ProfileDraft, profileDefaults } from '../../shared/settings/profile.ts';
import { accepted, callback, hour, requested, withRefundedAmount } from './evidence.ts';

/** A merchant's month for tests of exports: three currencies, refunds, a chargeback, texts like formulas. */

export const hotel: ProfileDraft = {
  ...profileDefaults,
  name: 'Hotel am See',
  kind: 'live',
  baseUrl: 'https://pay.merchant-gateway.eu',
  merchantKey: 'hotel-key',
  successUrl: 'https://shop.eu/paid',
  cancelUrl: 'https://shop.eu/cancelled',
  merchant: {
    name: 'Hotel am See GmbH',
    address: ['Seestraße 12', '78464 Konstanz'],
    phone: '+49 7531 1234',
    logo: '',
  },
  timeZone: 'Europe/Berlin',
};

/** October 2026 in Berlin: summer time ends on the 25th. */
export const october = { from: Date.UTC(2026, 8, 30, 22), until: Date.UTC(2026, 9, 31, 23) };

const minute = 60_000;
const day = 24 * hour;

/** One order of the month. `number`: from 0; one every eleven hours from 5 October, 12:00 UTC. */
const orderOf = (profileId: string, number: number): EventDraft[] => {
  const frame = { profileId, orderNumber: `HS-${1000 + number}`, agent: 'Ada' };
  const paymentId = `6f1d2c3b-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const at = number * 11 * hour;
  const currency = number % 9 === 0 ? 'JPY' : number % 5 === 0 ? 'CHF' : 'EUR';
  const amount = currency === 'JPY' ? String(1_200 + number) : (number * 37.5 + 20).toFixed(2);
  const description = number % 7 === 0 ? '=1+1 "Suite"; Frühstück' : `Zimmer ${number}, zwei Nächte`;
  const reported = (when: number, type: string, status: string, more: Record<string, string> = {}) =>
    callback(
      when,
      type,
      status,
      {
        id: paymentId,
        order_number: frame.orderNumber,
        order_amount: amount,
        order_currency: currency,
        order_description: description,
        date: String(when),
        customer_name: 'A. Nowak-Meier',
        ...more,
      },
      undefined,
      { ...frame, agent: 'console', paymentId },
    );
  const customer = { name: 'Anna Nowak', email: 'anna@example.com' };
  const link = [
    requested(at, { amount, currency, description, customer }, frame),
    accepted(at + 500, {}, frame),
  ];
  if (number % 6 === 5) return [...link, reported(at + minute, 'sale', 'fail')];
  const paid = [
    ...link,
    reported(at + minute, 'redirect', 'success'),
    reported(at + 2 * minute, 'sale', 'success'),
  ];
  if (number % 8 === 3 && currency !== 'JPY')
    return [...paid, withRefundedAmount(reported(at + day, 'refund', 'success', { order_amount: '10.00' }))];
  if (number === 14) return [...paid, reported(at + day, 'refund', 'success')];
  if (number === 22) return [...paid, reported(at + 2 * day, 'chargeback', 'success')];
  return paid;
};

export const booksOfOctober = (profileId: string): EventDraft[] =>
  Array.from({ length: 60 }, (_, number) => orderOf(profileId, number)).flat();
