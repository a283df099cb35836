import { formatMoney } from '../../../shared/money/format-amount.ts';

/** A wire amount in the locale's notation without its currency, for a column whose head names it. */
export const plainAmount = (wire: string, locale: string): string => formatMoney(wire, '', locale);

/** An amount that may have a minus sign, with its currency. */
export const signedMoney = (wire: string, currency: string, locale: string): string =>
  wire.startsWith('-')
    ? `−${formatMoney(wire.slice(1), currency, locale)}`
    : formatMoney(wire, currency, locale);
