import { getLocalTimeZone } from '@internationalized/date';
import { splitIntoDays } from '../../../shared/days.ts';
import { exactAmount, mostDigits, signedText, wireOf } from '../../../shared/money/wire-amount.ts';
import { noOutcomes } from '../../../shared/payments/outcomes.ts';
import type { MovedMoney } from '../../../shared/money/moved-money.schema.ts';
import type { CurrencyOverview, MovedPeriod } from '../../../shared/reports/overview.ts';
import type { Span } from '../../../shared/reports/periods.ts';

/** A sum with a minus sign where a counter-entry is larger than the entries of the period. */
const exactSigned = (wire: string): bigint =>
  wire.startsWith('-') ? -(exactAmount(wire.slice(1)) ?? 0n) : (exactAmount(wire) ?? 0n);

/** What went back, in any way. */
const backOf = ({ refundedAmount, voidedAmount, disputedAmount }: MovedMoney): string => {
  const parts = [refundedAmount, voidedAmount, disputedAmount];
  const sum = parts.reduce((whole, part) => whole + exactSigned(part), 0n);
  return signedText(sum, mostDigits(parts));
};

/** The links of a currency with its money, and the paid money of as many days before, in the wire form. */
export type CurrencyMoney = CurrencyOverview & {
  /** `paidAmount`: up to the present time of day while the period lasts. */
  before: { days: string[]; paidAmount: string };
};

const noLinks: Omit<CurrencyOverview, 'currency' | 'days'> = {
  figures: {
    outcomes: noOutcomes(),
    refused: 0,
    converted: 0,
    raisedAmount: '0',
    unreadAmounts: 0,
    paidAmount: '0',
    returnedAmount: '0',
    netAmount: '0',
    outsideNetAmount: '0',
    uncounted: 0,
  },
  medianToPay: null,
  agents: [],
};

/**
 * The links of a period with its money by the date on which it moved, as in the statement: also of currencies without
 * a link in the period.
 */
export const withMoved = (
  counted: readonly CurrencyOverview[],
  { total, days, before }: MovedPeriod,
  span: Span,
): CurrencyMoney[] => {
  const isCounted = (currency: string): boolean => counted.some(one => one.currency === currency);
  const bounds = splitIntoDays(span.from, span.until, getLocalTimeZone());
  const others = total
    .filter(({ currency }) => !isCounted(currency))
    .map(({ currency }): CurrencyOverview => {
      const own = bounds.slice(1).map((until, index) => ({ from: bounds[index] ?? until, until }));
      const blank = { outcomes: noOutcomes(), converted: 0, paidAmount: '0' };
      return { ...noLinks, currency, days: own.map(day => ({ ...day, ...blank })) };
    });
  return [...counted, ...others].map(of => {
    const own = (moved: readonly MovedMoney[] | undefined): MovedMoney | undefined =>
      moved?.find(({ currency }) => currency === of.currency);
    const none = wireOf(0n, of.currency);
    const paid = (moved: readonly MovedMoney[] | undefined): string => own(moved)?.paidAmount ?? none;
    const money = own(total);
    return {
      ...of,
      figures: {
        ...of.figures,
        paidAmount: paid(total),
        returnedAmount: money ? backOf(money) : none,
        netAmount: money?.netAmount ?? none,
        uncounted: money?.uncounted ?? 0,
      },
      days: of.days.map((day, index) => ({ ...day, paidAmount: paid(days[index]) })),
      before: { days: before.days.map(paid), paidAmount: paid(before.total) },
    };
  });
};
