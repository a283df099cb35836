import { formatMoney } from '../../../shared/money/format-amount.ts';

/** An amount that may have a minus sign, with its currency. */
export const signedMoney = (wire: string, currency: string, locale: string): string =>
  wire.startsWith('-')
    ? `−${formatMoney(wire.slice(1), currency, locale)}`
    : formatMoney(wire, currency, locale);
