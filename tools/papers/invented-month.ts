import { msg, type Language } from '../../shared/messages/message.ts';
import { entry } from '../evidence/movements.ts';
import type { Entry } from '../../shared/payments/movement.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';
import type { Merchant } from '../../shared/settings/profile.ts';
import type { ReportFacts } from '../../main/export/about.ts';
import { createReportContext, type ReportContext } from '../../main/export/report-context.ts';

/** An invented hotel's month for papers: the same at every run. */

const hour = 3_600_000;
export const november = { from: Date.UTC(2026, 9, 31, 23), until: Date.UTC(2026, 10, 30, 23) };

const guests = [
  'Anna Nowak',
  'Ben Larsen',
  'Chloé García',
  'Łukasz Żółkiewski',
  'Elif Brown',
  'Fatima Okafor',
  'Jörg Müller',
  'Hana Tanaka',
  'Inês Conceição',
  'Kwame Rossi',
  'Margarethe von Hohenstein-Wallerstadt',
];
const stays = [
  'Two nights, room 12',
  'Deposit, blue suite',
  'Dinner for two',
  'Late check-out',
  'Conference room, half a day',
  'Spa day',
];

const pick = <T>(from: readonly T[], at: number): T => from[at % from.length] as T;

const moved = (kind: Entry['kind'], at: number, amount: string, number: number): Entry =>
  entry(kind, amount, {
    at,
    paymentId: `6f1d2c3b-0000-4000-8000-${String(number).padStart(12, '0')}`,
    rrn: String(630_000_000_000 + number * 7_919),
    approvalCode: 'A1B2C3',
  });

/** `count` payments of November, every 25th with a refund of a part. `currencies`: in turn. */
export const monthOfPayments = (count: number, currencies: readonly string[] = ['EUR']): PaymentRow[] =>
  Array.from({ length: count }, (_, number): PaymentRow => {
    const day = Math.floor((number * 30) / count);
    const at = november.from + day * 24 * hour + (8 + ((number * 7) % 13) + (number % 5) / 6) * hour;
    const currency = pick(currencies, number);
    const whole = String(40 + ((number * 137) % 960));
    const amount = currency === 'JPY' ? whole : `${whole}.${pick(['00', '50', '90'], number)}`;
    const refund = number % 25 === 7 ? [moved('refund', at + 26 * hour, '20', number)] : [];
    const inPeriod = refund.filter(one => one.at < november.until);
    return {
      profileId: 'hotel',
      orderNumber: `HH-2026${String(1_000 + number)}`,
      raisedHere: true,
      state: inPeriod.length > 0 ? 'refund-seen' : 'paid-confirmed',
      since: at,
      amount,
      currency,
      description: pick(stays, number * 5 + day),
      customer: { name: pick(guests, number * 3 + day), email: 'guest@example.com' },
      customerFrom: 'request',
      series: null,
      review: null,
      dispute: null,
      entries: [moved('paid', at, amount, number), ...inPeriod],
      paidAmount: amount,
      paidCurrency: currency,
      pendingSince: null,
      expiresAt: null,
      reason: null,
      paidAt: at,
      checkedAt: null,
      concern: null,
      linkUsable: false,
      paymentIds: [],
      flags: [],
      basis: null,
      cardLast4: String(1_000 + ((number * 379) % 9_000)),
      firstAt: at,
      lastAt: at,
      agent: 'Grace Hopper',
      events: 5,
    };
  });

export const paperContext = (language: Language, locale: string): ReportContext =>
  createReportContext({
    readers: 'people',
    language,
    locale,
    zone: 'Europe/Berlin',
    now: november.until + 9 * hour,
    period: november,
    profileName: id => id,
  });

export const paperFacts: ReportFacts = {
  merchant: null,
  profile: msg('profile.with-kind', { profile: 'Harbour Hotel', kind: msg('kind.live') }),
  contents: 'period',
  filter: null,
  createdBy: 'Grace Hopper',
  missing: [],
  ends: [{ writer: 'front-counter', seq: 4_210, hash: 'c0ffee'.padEnd(64, '5a') }],
  headFile: 'statement-2026-11.pdf.head.json',
};

/** `logo`: a data URL; empty = none. */
export const hotelMerchant = (logo: string): Merchant => ({
  name: 'Harbour Hotel GmbH',
  address: ['Am Hafen 12', '23966 Wismar', 'Germany'],
  phone: '+49 3841 555 0100',
  logo,
});
