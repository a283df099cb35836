import { createHash } from 'node:crypto';
import type { EventDraft } from '../../shared/payments/evidence.ts';
import { accepted, callback, draft, lookUp, note, requested, start } from '../../tools/evidence/evidence.ts';

/** Payments for benchmarks: two runs have the same ones; five events each. */

const firstNames = 'Anna Ben Chloé Dmitri Elif Fatima Götz Hana Ines Jörg Kwame Lea'.split(' ');
/** Parts of surnames: 18,000 different ones, as many as a shop with a million customers has. */
const nameStarts =
  'Bau Berg Brand Dorn Eber Falk Fried Gold Grün Hart Heid Kauf Kirch Kron Lang Linden Mar Neu Nowak Ober Rau Rosen Sand Schön Stein Stroh Vogel Wald Weiß Winter Zell'.split(
    ' ',
  );
const nameMiddles = ' ber den e el er fel gel hof in ken la ler man ner o ren sen ter wel'.split(' ');
const nameEnds =
  ' acker ak berg born dt eck er feld ga haus hof ić ini ko land mann mayer mus nik ova owicz rath sen ski son stein thal wald øe'.split(
    ' ',
  );
const goods = [
  'Two nights, room 12',
  'Blue chair',
  'Annual membership',
  'Concert ticket',
  'Repair of a bicycle',
];
const currencies = ['EUR', 'EUR', 'EUR', 'EUR', 'USD', 'USD', 'GBP', 'PLN', 'SEK', 'CHF'];

/** Well-mixed hexadecimal digits for the payment with an index and one use. */
const digest = (index: number, use: string): string =>
  createHash('sha1').update(`${index} ${use}`).digest('hex');
const number = (index: number, use: string, below: number): number =>
  Number.parseInt(digest(index, use).slice(0, 8), 16) % below;
const pick = <T>(index: number, use: string, from: readonly T[]): T | undefined =>
  from[number(index, use, from.length)];

const longestSpacing = 31_000;
/** Six years: the ids of payments in a shared log begin with 2020. */
const longestHistory = 6 * 365 * 86_400_000;

/** Milliseconds between two of `count` payments. */
export const spacingOf = (count: number): number =>
  Math.min(longestSpacing, Math.floor(longestHistory / count));

/** The customer of the payment with an index. */
export const customerOf = (index: number): { name: string; email: string; phone: string } => {
  const last = `${pick(index, 'start', nameStarts)}${pick(index, 'middle', nameMiddles)}${pick(index, 'end', nameEnds)}`;
  const name = `${pick(index, 'first', firstNames)} ${last}`;
  return {
    name,
    email: `${name.toLowerCase().replaceAll(/[^a-z]+/g, '.')}${index % 997}@example.com`,
    phone: `+49171${String(number(index, 'phone', 1e7)).padStart(7, '0')}`,
  };
};

/**
 * One payment's five events, oldest first. `index`: its number; `lastAt`: milliseconds at which the last of `count`
 * payments was created. About 70 % are paid and confirmed, 10 % declined, 10 % never paid, the rest refunded, charged
 * back, contradictory or not created here.
 */
export const paymentEvents = (index: number, count: number, lastAt: number): EventDraft[] => {
  const raisedAt = lastAt - (count - 1 - index) * spacingOf(count) - start;
  const orderNumber = `CF-2026-${String(index).padStart(7, '0')}`;
  const amount = `${5 + number(index, 'amount', 900)}.${digest(index, 'cents').replaceAll(/\D/g, '').slice(0, 2)}`;
  const currency = index % 10_007 === 0 ? 'JPY' : (pick(index, 'currency', currencies) ?? 'EUR');
  const description = pick(index, 'goods', goods) ?? '';
  const customer = customerOf(index);
  const id = digest(index, 'id');
  const paymentId = `${id.slice(0, 8)}-${id.slice(8, 12)}-4${id.slice(12, 15)}-a${id.slice(15, 18)}-${id.slice(18, 30)}`;
  const order = { number: orderNumber, amount, currency, description };
  const profileId = pick(index, 'profile', ['hotel', 'hotel', 'hotel', 'shop']) ?? '';
  const frame = { profileId, orderNumber };
  const idempotencyKey = digest(index, 'key');
  const calls = (at: number, type: string, status: string, more = {}): EventDraft => {
    const fields = {
      id: paymentId,
      order_number: orderNumber,
      order_amount: amount,
      order_currency: currency,
      order_description: description,
      rrn: String(number(index, 'rrn', 1e9)),
      customer_name: customer.name,
      customer_email: customer.email,
      date: new Date(start + raisedAt + at).toISOString().slice(0, 19).replace('T', ' '),
      hash: digest(index, type),
      ...more,
    };
    return {
      ...callback(raisedAt + at, type, status, fields),
      ...frame,
      dedupeKey: `${paymentId} ${type} ${at}`,
    };
  };
  const observed = (status: string): EventDraft =>
    lookUp(raisedAt + 95_000, status, { paymentId, order, customer: { ...customer } }, frame);
  const shared = (at: number) => draft('link.shared', raisedAt + at, { channel: 'copy' }, frame);
  const raised = [
    requested(raisedAt, { idempotencyKey, amount, currency, description, customer }, frame),
    accepted(raisedAt + 400, { idempotencyKey, link: `https://pay.example.com/auth/${id}` }, frame),
  ];
  const sale = calls(90_000, 'sale', 'success');
  const dice = number(index, 'dice', 1_000);
  if (dice < 100)
    return [...raised, shared(2_000), shared(5_000), note(raisedAt + 9_000, 'Will call back', frame)];
  if (dice < 200)
    return [
      ...raised,
      shared(2_000),
      calls(60_000, 'redirect', 'success'),
      calls(90_000, 'sale', 'fail', { reason: 'Declined' }),
    ];
  if (dice < 220) return [...raised, sale, observed('settled'), calls(9e6, 'refund', 'success')];
  if (dice < 222) return [...raised, sale, observed('settled'), calls(9e6, 'chargeback', 'success')];
  if (dice < 225) return [...raised, shared(2_000), sale, observed('decline')];
  if (dice < 250)
    return [
      calls(0, 'redirect', 'success'),
      calls(1_000, '3ds', 'success'),
      calls(2_000, 'sale', 'waiting'),
      calls(9_000, 'sale', 'success'),
      observed('settled'),
    ];
  return [...raised, calls(60_000, '3ds', 'success'), sale, observed('settled')];
};
