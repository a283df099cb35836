import { readWire, wireOf } from './wire-amount.ts';

/** Minor units as a decimal text in the currency's digits, with a minus sign if negative. */
export const decimalOf = (minor: bigint, currency: string): string =>
  minor < 0n ? `-${wireOf(-minor, currency)}` : wireOf(minor, currency);

/** Minor units of such a text; null if it has not that form, or the currency is unknown. */
export const minorOf = (text: string, currency: string): bigint | null => {
  const minor = readWire(text.replace(/^-/, ''), currency);
  return minor !== null && text.startsWith('-') ? -minor : minor;
};
