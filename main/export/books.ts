import type { PaymentRow } from '../../shared/payments/payment.ts';
import { amountOf, booksOf, entriesIn, isMinus, type Period } from '../../shared/reports/payment-books.ts';

/** Sums for the books over many payments: exact minor units of one currency, never a float. */

/** Sums of one currency, of a day or of all days. */
export type Totals = {
  payments: number;
  returns: number;
  paid: bigint;
  refunded: bigint;
  disputed: bigint;
  /** What is known of payments whose net is not: in the three sums, and not in the net. */
  outsideNet: bigint;
  /** The entries that are in no sum, because their amount is unknown or unreadable. */
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

/** A counter-entry of an earlier period takes off an entry that this one does not count. */
const withoutNegativeCounts = ({ payments, returns, notCounted, ...sums }: Totals): Totals => ({
  ...sums,
  payments: Math.max(0, payments),
  returns: Math.max(0, returns),
  notCounted: Math.max(0, notCounted),
});

/** Adds up movements by currency and day. `dayOf` returns the ISO date of an instant in the merchant's zone. */
export const totalsCounter = (period: Period | null, dayOf: (at: number) => string) => {
  const currencies = new Map<string, { all: Totals; days: Map<string, Totals> }>();
  return {
    add: (row: PaymentRow): void => {
      const currency = row.currency ?? '';
      const isNetKnown = booksOf(row, period).net?.kind === 'minor';
      for (const entry of entriesIn(row, period)) {
        const of = currencies.get(currency) ?? { all: noTotals(), days: new Map<string, Totals>() };
        currencies.set(currency, of);
        const day = dayOf(entry.at);
        const ofDay = of.days.get(day) ?? noTotals();
        of.days.set(day, ofDay);
        const amount = amountOf(entry, currency);
        for (const totals of [of.all, ofDay]) {
          const sign = entry.isCounter ? -1 : 1;
          if (entry.kind === 'paid') totals.payments += sign;
          else totals.returns += sign;
          const sum = { paid: 'paid', refund: 'refunded', void: 'refunded', chargeback: 'disputed' } as const;
          if (amount.kind === 'minor') {
            totals[sum[entry.kind]] += BigInt(sign) * amount.minor;
            if (!isNetKnown) totals.outsideNet += isMinus(entry) ? -amount.minor : amount.minor;
          } else totals.notCounted += sign;
        }
      }
    },
    read: (): CurrencyTotals[] =>
      [...currencies]
        .map(([currency, { all, days }]) => ({
          currency,
          all: withoutNegativeCounts(all),
          days: [...days]
            .map(([day, totals]) => ({ day, totals: withoutNegativeCounts(totals) }))
            .sort((one, other) => (one.day < other.day ? -1 : 1)),
        }))
        .sort(
          (one, other) => other.all.payments - one.all.payments || (one.currency < other.currency ? -1 : 1),
        ),
  };
};
