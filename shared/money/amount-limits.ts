import { readWire } from './wire-amount.ts';

/**
 * Reads limits written as `EUR 500.00, JPY 20000`; empty = none. Returns minor units by currency; a currency that is
 * not named has no limit. Null if an entry is not a currency with an amount that it can have, or a currency has two.
 */
export const readAmountLimits = (text: string): ReadonlyMap<string, bigint> | null => {
  const limits = new Map<string, bigint>();
  for (const entry of text.split(',').map(part => part.trim())) {
    if (entry === '') continue;
    const [code = '', amount = '', ...more] = entry.split(/[\s:=]+/);
    const currency = code.toUpperCase();
    const minor = readWire(amount, currency);
    if (minor === null || more.length > 0 || limits.has(currency)) return null;
    limits.set(currency, minor);
  }
  return limits;
};
