import { readWire } from '../../shared/money/wire-amount.ts';
import type { Movement } from '../../shared/payments/movement.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';

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

const amountOf = (movement: Movement, currency: string): Amount => {
  if (movement.amount === null) return { kind: 'unknown' };
  const minor = readWire(movement.amount, currency);
  return minor === null ? { kind: 'text', text: movement.amount } : { kind: 'minor', minor };
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

/** Sums of one currency, of a day or of all days. */
export type Totals = {
  payments: number;
  returns: number;
  paid: bigint;
  refunded: bigint;
  disputed: bigint;
  /** What is known of payments whose net is not: in the three sums, and not in the net. */
  outsideNet: bigint;
  /** The movements that are in no sum, because their amount is unknown or unreadable. */
  notCounted: number;
};

const noTotals = (): Totals => ({
  payments: 0,
  returns: 0,
  paid: 0n,
  refunded: 0n,
  disputed: 0n,
  outsideNet: 0n,
  notCounted: 0,
});

/** The net of the payments whose net is known: an unknown refund does not count as none. */
export const netOf = ({ paid, refunded, disputed, outsideNet }: Totals): bigint =>
  paid - refunded - disputed - outsideNet;

/** One currency's sums: in total, and by day in ascending order. `day` is an ISO date. */
export type CurrencyTotals = { currency: string; all: Totals; days: { day: string; totals: Totals }[] };

/** Adds up movements by currency and day. `dayOf` returns the ISO date of an instant in the merchant's zone. */
export const totalsCounter = (period: Period | null, dayOf: (at: number) => string) => {
  const currencies = new Map<string, { all: Totals; days: Map<string, Totals> }>();
  return {
    add: (row: PaymentRow): void => {
      const currency = row.currency ?? '';
      const isNetKnown = booksOf(row, period).net?.kind === 'minor';
      for (const movement of movementsIn(row, period)) {
        const of = currencies.get(currency) ?? { all: noTotals(), days: new Map<string, Totals>() };
        currencies.set(currency, of);
        const day = dayOf(movement.at);
        const ofDay = of.days.get(day) ?? noTotals();
        of.days.set(day, ofDay);
        const amount = amountOf(movement, currency);
        for (const totals of [of.all, ofDay]) {
          if (movement.kind === 'paid') totals.payments += 1;
          else totals.returns += 1;
          const sum = { paid: 'paid', refund: 'refunded', void: 'refunded', chargeback: 'disputed' } as const;
          if (amount.kind === 'minor') {
            totals[sum[movement.kind]] += amount.minor;
            if (!isNetKnown) totals.outsideNet += movement.kind === 'paid' ? amount.minor : -amount.minor;
          } else totals.notCounted += 1;
        }
      }
    },
    read: (): CurrencyTotals[] =>
      [...currencies]
        .map(([currency, { all, days }]) => ({
          currency,
          all,
          days: [...days]
            .map(([day, totals]) => ({ day, totals }))
            .sort((one, other) => (one.day < other.day ? -1 : 1)),
        }))
        .sort(
          (one, other) => other.all.payments - one.all.payments || (one.currency < other.currency ? -1 : 1),
        ),
  };
};
