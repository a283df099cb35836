import { wireOf } from './wire-amount.ts';

/** Minor units as a decimal text in the currency's digits, with a minus sign if negative. */
export const decimalOf = (minor: bigint, currency: string): string =>
  minor < 0n ? `-${wireOf(-minor, currency)}` : wireOf(minor, currency);
