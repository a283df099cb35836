import { createHash } from 'node:crypto';
import { currencies, firstNames, nameEnds, nameStarts } from './payments.ts';

/**
 * Callbacks as varied as a gateway's, signed with `password` (§5.3): distinct orders, amounts, customers and
 * descriptions; of fifty one repeats an earlier one, one refunds an earlier payment, and two are declined.
 */

const goods =
  'night|Deposit for room|Dinner for table|Blue chair, model|Repair of bicycle|Concert ticket, row|Annual membership, number|Parking, space|Invoice|Course, group|Delivery to district|Spa voucher'.split(
    '|',
  );
const countries = ['DE', 'PL', 'FR', 'ES', 'SE', 'GB', 'US', 'IT', 'NL', 'CH'];

/** A well-mixed 32-bit number for each index and use. */
const mixed = (index: number, use: number): number => {
  let state = Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(use + 1, 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 16), 0x7feb352d);
  state = Math.imul(state ^ (state >>> 15), 0x846ca68b);
  return (state ^ (state >>> 16)) >>> 0;
};

const pick = (from: readonly string[], index: number, use: number): string =>
  from[mixed(index, use) % from.length] ?? '';

const digits = (index: number, use: number, length: number): string =>
  String(mixed(index, use)).padStart(length, '7').slice(0, length);

/** The kind of the callback with an index, and the index of the payment that it belongs to. */
const planOf = (index: number): { kind: 'paid' | 'declined' | 'refunded' | 'repeated'; of: number } => {
  const slot = index % 50;
  if (slot === 49) return { kind: 'repeated', of: index - 7 };
  if (slot === 24) return { kind: 'refunded', of: index - 3 };
  return { kind: slot === 12 || slot === 37 ? 'declined' : 'paid', of: index };
};

/** How many distinct payments the first `count` callbacks belong to. */
export const paymentsIn = (count: number): number =>
  count - Math.floor((count + 25) / 50) - Math.floor(count / 50);

const asciiOf = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[^a-z]/g, '');

const outcomes = {
  paid: { type: 'sale', status: 'success' },
  declined: { type: 'sale', status: 'fail', reason: 'Insufficient funds' },
  refunded: { type: 'refund', status: 'success' },
};

/** The form body of one callback. `index`: from 0. */
export const realCallback = (password: string, index: number): string => {
  const { kind, of } = planOf(index);
  if (kind === 'repeated') return realCallback(password, of);
  const id = `${mixed(of, 1).toString(16).padStart(8, '0')}-5b1c-4${digits(of, 2, 3)}-a${digits(of, 3, 3)}-${String(of).padStart(12, '0')}`;
  const number = `R-${of.toString(36).toUpperCase()}-${digits(of, 4, 3)}`;
  const amount = `${5 + (mixed(of, 5) % 1_500)}.${digits(of, 6, 2)}`;
  const currency = pick(currencies, of, 7);
  const description = `${pick(goods, of, 8)} ${mixed(of, 9) % 900}`;
  const first = pick(firstNames, of, 10);
  const last = `${pick(nameStarts, of, 11)}${pick(nameEnds, of, 21)}`;
  const inner = createHash('md5').update(
    `${id}${number}${amount}${currency}${description}${password}`.toUpperCase(),
  );
  const at = new Date(1_788_000_000_000 + index * 1_000).toISOString().slice(0, 19).replace('T', ' ');
  return new URLSearchParams({
    id,
    order_number: number,
    order_amount: amount,
    order_currency: currency,
    order_description: description,
    ...outcomes[kind],
    rrn: digits(index, 12, 10).padStart(12, '1'),
    approval_code: mixed(index, 13).toString(36).slice(0, 6).toUpperCase(),
    card: `${digits(of, 14, 6)}****${digits(of, 15, 4)}`,
    card_expiration_date: `0${1 + (mixed(of, 16) % 9)}/20${27 + (mixed(of, 17) % 9)}`,
    customer_name: `${first} ${last}`,
    customer_email: `${asciiOf(first)}.${asciiOf(last)}${mixed(of, 18) % 97}@example.com`,
    customer_country: pick(countries, of, 19),
    customer_ip: `192.0.2.${mixed(of, 20) % 250}`,
    date: at,
    hash: createHash('sha1').update(inner.digest('hex')).digest('hex'),
  }).toString();
};
