import { hash } from 'node:crypto';
import type { Event } from '../../../shared/payments/evidence.ts';
import type { Payment, PaymentRow } from '../../../shared/payments/payment.ts';
import { readPhoneNumber } from '../../../shared/phone-number.ts';
import { folded } from '../../../shared/search-query/fold-text.ts';

/** What the merchant typed about a customer. */
export type TypedDetails = Readonly<{
  name?: string | null | undefined;
  email?: string | null | undefined;
  phone?: string | null | undefined;
}>;

/** What the merchant typed, in the latest spelling of each detail. `rows`: newest first. */
export const detailsOf = (
  rows: readonly Pick<PaymentRow, 'customer' | 'customerFrom'>[],
): { name: string | null; email: string | null; phone: string | null } => {
  const latest = (name: 'name' | 'email' | 'phone'): string | null =>
    rows
      .map(({ customer, customerFrom }) =>
        customerFrom === 'request' ? customer?.[name]?.trim() : undefined,
      )
      .find(text => text !== undefined && text !== '') ?? null;
  return { name: latest('name'), email: latest('email'), phone: latest('phone') };
};

/** The details that identify a customer, the surest first: two people may share a name, hardly an address. */
export type KeyKind = 'email' | 'phone' | 'name';
export type CustomerKey = { kind: KeyKind; key: string };

/** Half of the digest's characters: 96 bits tell any number of customers apart, and keep the index small. */
const keyLength = 16;

const digestOf = (profileId: string, kind: KeyKind | 'series', value: string): string =>
  hash('sha256', JSON.stringify([profileId, kind, value]), 'base64url').slice(0, keyLength);

const plain = (text: string): string => folded(text).trim().replaceAll(/\s+/g, ' ');

/** A name's words in one order: "O’Brien, Zoë" and "zoe obrien" are one name. */
const nameWords = (name: string): string[] =>
  plain(name)
    .replaceAll(/['`-]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
    .sort();

/**
 * The keys of a customer in one profile, the surest first: the e-mail address, the phone number in international form,
 * the full name. Letter case, accents, blanks, apostrophes
 * and the order of the names make no difference. A first name alone says nothing.
 */
export const customerKeysOf = (profileId: string, { name, email, phone }: TypedDetails): CustomerKey[] => {
  const address = plain(email ?? '');
  const number = readPhoneNumber(phone ?? '');
  const names = nameWords(name ?? '');
  const values: [KeyKind, string | null][] = [
    ['email', /^[^\s@]+@[^\s@]+$/.test(address) ? address : null],
    ['phone', number],
    ['name', names.length > 1 ? names.join(' ') : null],
  ];
  return values.flatMap(([kind, value]) =>
    value === null ? [] : [{ kind, key: digestOf(profileId, kind, value) }],
  );
};

/** The key of a series' charges, whose customer is that of the first payment. */
export const seriesKeyOf = (profileId: string, firstPaymentId: string): string =>
  digestOf(profileId, 'series', firstPaymentId.toLowerCase());

/** The key of payments whose surest key it is. */
export const asSurest = (key: string): string => `!${key}`;

type Keyed = Pick<
  PaymentRow,
  'profileId' | 'customer' | 'customerFrom' | 'raisedHere' | 'series' | 'paymentIds'
>;

/** The keys of a payment from what the merchant typed: never from a callback or a look-up. */
export const typedKeysOf = ({ profileId, customer, customerFrom }: Keyed): CustomerKey[] =>
  customerFrom === 'request' && customer ? customerKeysOf(profileId, customer) : [];

/** The first payment of the series that a payment may be a charge of; null if it is not a charge. */
export const firstOfSeries = ({ customerFrom, raisedHere, series, paymentIds }: Keyed): string | null =>
  series !== null &&
  raisedHere &&
  customerFrom !== 'request' &&
  !paymentIds.some(id => id.toLowerCase() === series.firstPaymentId.toLowerCase())
    ? series.firstPaymentId
    : null;

/** Every entry that the row of a payment can have in the index. A row does not say whether it is a charge. */
export const entriesOf = (row: Keyed): string[] => {
  const [surest, ...others] = typedKeysOf(row);
  if (surest) return [asSurest(surest.key), ...others.map(({ key }) => key)];
  const first = firstOfSeries(row);
  return first === null ? [] : [asSurest(seriesKeyOf(row.profileId, first))];
};

const isCharge = (event: Event): boolean =>
  event.kind === 'operation.requested' && event.body.operation === 'recurring';

/** The entries of a payment in the index of customers. */
export const customerEntries = (payment: Payment, events: readonly Event[]): string[] =>
  payment.customerFrom === 'request' || events.some(isCharge) ? entriesOf(payment) : [];

/** A join of this payment's customer with that of another order, which was not undone. */
export type ProjectedJoin = { event: string; otherOrder: string; agent: string; at: number };

/** The joins that the events of an order record and do not undo. */
export const joinsIn = (events: readonly Event[]): ProjectedJoin[] => {
  const joins = new Map<string, ProjectedJoin>();
  const separated = new Set<string>();
  for (const { kind, id, body, agent, happenedAt } of events)
    if (kind === 'customer.joined')
      joins.set(id, { event: id, otherOrder: body.otherOrder, agent, at: happenedAt });
    else if (kind === 'customer.separated') separated.add(body.joined);
  return [...joins.values()].filter(({ event }) => !separated.has(event));
};
