import { decimalOf } from '../money/signed-amount.ts';
import { readWire } from '../money/wire-amount.ts';
import type { Movement } from '../payments/movement.ts';
import type { PaymentRow } from '../payments/payment.ts';

/** Sums for the books: exact minor units of one currency, never a float. */

/** A time span, milliseconds, half-open. */
export type Period = { from: number; until: number };

/**
 * `minor`: a sum in minor units. `text`: one amount as received, which its currency does not allow. `unknown`: part
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
  payments: readonly Movement[];
};

/** The amount of one movement, without a sign. `currency`: of its payment. */
export const amountOf = (movement: Movement, currency: string): Amount => {
  if (movement.amount === null) return { kind: 'unknown' };
  const minor = readWire(movement.amount, currency);
  return minor === null ? { kind: 'text', text: movement.amount } : { kind: 'minor', minor };
};

/** The amount of one movement as the books add it up: what went back has a minus sign. */
export const signedAmountOf = (movement: Movement, currency: string): Amount => {
  const amount = amountOf(movement, currency);
  if (movement.kind === 'paid' || amount.kind === 'unknown') return amount;
  return amount.kind === 'minor'
    ? { kind: 'minor', minor: -amount.minor }
    : { kind: 'text', text: `-${amount.text}` };
};

const sumOf = (movements: readonly Movement[], currency: string): Amount => {
  const amounts = movements.map(movement => amountOf(movement, currency));
  const [only] = amounts;
  if (only && amounts.length === 1) return only;
  let minor = 0n;
  for (const amount of amounts) {
    if (amount.kind !== 'minor') return { kind: 'unknown' };
    minor += amount.minor;
  }
  return { kind: 'minor', minor };
};

/** The movements of a payment in a period; all of them if there is none. */
export const movementsIn = (row: PaymentRow, period: Period | null): readonly Movement[] =>
  period === null ? row.movements : row.movements.filter(({ at }) => at >= period.from && at < period.until);

/** What moved of a payment in a period, or ever. */
export const booksOf = (row: PaymentRow, period: Period | null): Books => {
  const moved = movementsIn(row, period);
  const currency = row.currency ?? '';
  const of = (kind: Movement['kind']) => moved.filter(movement => movement.kind === kind);
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
