import { decimalOf } from '../money/signed-amount.ts';
import { countedWire } from '../money/wire-amount.ts';
import type { Entry } from '../payments/movement.ts';
import type { PaymentRow } from '../payments/payment.ts';

/** Sums for the books: exact minor units of one currency, never a float. */

/** A time span, milliseconds, half-open. */
export type Period = { from: number; until: number };

/**
 * `minor`: a sum in minor units. `text`: one amount as received, which its currency does not allow or no sum can hold. `unknown`: part
 * of the sum was not reported.
 */
export type Amount = { kind: 'minor'; minor: bigint } | { kind: 'text'; text: string } | { kind: 'unknown' };

/** What moved, by kind; null for all if nothing moved. */
export type Books = {
  paid: Amount | null;
  refunded: Amount | null;
  disputed: Amount | null;
  net: Amount | null;
  /** The first payment and the last return, milliseconds. */
  paidAt: number | null;
  returnedAt: number | null;
  /** The paid attempts. */
  payments: readonly Entry[];
};

/** The amount of one entry without a sign. `currency`: of its payment; an amount in another one is not added up. */
export const amountOf = (entry: Entry, currency: string): Amount => {
  if (entry.amount === null) return { kind: 'unknown' };
  if (entry.currency !== null && entry.currency !== currency)
    return { kind: 'text', text: `${entry.amount} ${entry.currency}` };
  const minor = countedWire(entry.amount, currency);
  return minor === null ? { kind: 'text', text: entry.amount } : { kind: 'minor', minor };
};

/** Whether an entry takes money off: what went back, or a counter-entry of what came in. */
export const isMinus = ({ kind, isCounter }: Pick<Entry, 'kind' | 'isCounter'>): boolean =>
  (kind === 'paid') === isCounter;

/** The amount of one entry as the books add it up: what went back has a minus sign, its counter-entry has none. */
export const signedAmountOf = (entry: Entry, currency: string): Amount => {
  const amount = amountOf(entry, currency);
  if (!isMinus(entry) || amount.kind === 'unknown') return amount;
  return amount.kind === 'minor'
    ? { kind: 'minor', minor: -amount.minor }
    : { kind: 'text', text: `-${amount.text}` };
};

/** The sum of entries of one kind: a counter-entry takes its entry off, also one of unknown size. */
const sumOf = (entries: readonly Entry[], currency: string): Amount => {
  const [only] = entries;
  if (only && entries.length === 1 && !only.isCounter) return amountOf(only, currency);
  let minor = 0n;
  let uncounted = 0;
  for (const entry of entries) {
    const amount = amountOf(entry, currency);
    const sign = entry.isCounter ? -1 : 1;
    if (amount.kind === 'minor') minor += BigInt(sign) * amount.minor;
    else uncounted += sign;
  }
  return uncounted > 0 ? { kind: 'unknown' } : { kind: 'minor', minor };
};

/** The entries of a payment in a period; all of them if there is none. */
export const entriesIn = (row: PaymentRow, period: Period | null): readonly Entry[] =>
  period === null ? row.entries : row.entries.filter(({ at }) => at >= period.from && at < period.until);

/** What moved of a payment in a period, or ever. */
export const booksOf = (row: PaymentRow, period: Period | null): Books => {
  const moved = entriesIn(row, period);
  const currency = row.currency ?? '';
  const of = (kind: Entry['kind']) => moved.filter(entry => entry.kind === kind);
  const payments = of('paid');
  const returns = moved.filter(({ kind }) => kind !== 'paid');
  const shared = { paidAt: payments[0]?.at ?? null, returnedAt: returns.at(-1)?.at ?? null, payments };
  if (moved.length === 0) return { paid: null, refunded: null, disputed: null, net: null, ...shared };
  const refunds = returns.filter(({ kind }) => kind !== 'chargeback');
  const [paid, refunded, disputed] = [payments, refunds, of('chargeback')].map(kind => sumOf(kind, currency));
  const isExact = paid?.kind === 'minor' && refunded?.kind === 'minor' && disputed?.kind === 'minor';
  const net: Amount = isExact
    ? { kind: 'minor', minor: paid.minor - refunded.minor - disputed.minor }
    : returns.length === 0 && paid
      ? paid
      : { kind: 'unknown' };
  return { paid: paid ?? null, refunded: refunded ?? null, disputed: disputed ?? null, net, ...shared };
};

/**
 * What went back of a payment ever, without chargebacks, and what is left of it: decimal texts, perhaps with a minus
 * sign. Null if nothing moved or an amount is unknown, which is not zero.
 */
export const moneyOf = (row: PaymentRow): { refunded: string | null; net: string | null } => {
  const { refunded, net } = booksOf(row, null);
  const currency = row.currency ?? '';
  const textOf = (amount: Amount | null): string | null => {
    if (amount === null || amount.kind === 'unknown') return null;
    return amount.kind === 'text' ? amount.text : decimalOf(amount.minor, currency);
  };
  return { refunded: textOf(refunded), net: textOf(net) };
};
