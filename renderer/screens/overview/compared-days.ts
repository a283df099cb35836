import { getLocalTimeZone } from '@internationalized/date';
import { dayAt } from '../../../shared/days.ts';
import type { CurrencyMoney } from '../../stores/reports/moved-money.ts';
import type { Span } from '../../../shared/reports/periods.ts';
import { dateFormat } from '../../i18n/text.ts';

/** The paid amount of the day in the same place of the days before, in wire form; null if there was no such day. */
export const paidBefore = ({ days, before }: CurrencyMoney, index: number): string | null =>
  // Where a zone skipped a day, the days before are fewer.
  before.days[index - days.length + before.days.length] ?? null;

/**
 * The change against the days before, as a share of their paid amount; null if nothing was paid in them. Rounded
 * for display: sums are compared as numbers.
 */
export const changeOf = ({ figures, before }: CurrencyMoney): number | null => {
  const then = Number(before.paidAmount);
  return then > 0 ? Number(figures.paidAmount) / then - 1 : null;
};

/** A scale of at most five steps: the value at its top and of one step, a round number each. */
export const scaleOf = (most: number): { top: number; step: number } => {
  const least = Math.max(most, Number.MIN_VALUE) / 5;
  const unit = 10 ** Math.floor(Math.log10(least));
  const step = ([1, 2, 2.5, 5, 10].find(one => one * unit >= least * 0.999_999) ?? 10) * unit;
  return { top: Math.ceil((most / step) * 0.999_999) * step, step };
};

export const dayText = (at: number, locale: string, long: boolean): string =>
  dateFormat(locale, {
    day: 'numeric',
    month: 'short',
    timeZone: getLocalTimeZone(),
    ...(long ? { weekday: 'short' } : {}),
  }).format(at);

/** The days of a time span as `24 Oct – 22 Nov`; one day as `Sun, 22 Nov`. */
export const daysText = ({ from, until }: Span, locale: string): string => {
  const last = until - 1;
  return dayAt(from).compare(dayAt(last)) === 0
    ? dayText(from, locale, true)
    : dateFormat(locale, { day: 'numeric', month: 'short', timeZone: getLocalTimeZone() }).formatRange(
        from,
        last,
      );
};
