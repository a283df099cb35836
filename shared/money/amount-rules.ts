import { exponentOf } from './currencies.ts';
import type { Profile } from '../settings/profile.ts';
import { amountRules } from './wire-amount.ts';

type Rule = (typeof amountRules)[number];

/**
 * Reads exceptions written as `JPY two-digits, VND integer`; empty = none. Null if an entry is not a currency with a
 * rule, or a currency has two.
 */
export const readAmountExceptions = (text: string): ReadonlyMap<string, Rule> | null => {
  const exceptions = new Map<string, Rule>();
  for (const entry of text.split(',').map(part => part.trim())) {
    if (entry === '') continue;
    const [code = '', name = '', ...more] = entry.split(/[\s:=]+/);
    const currency = code.toUpperCase();
    const rule = amountRules.find(one => one === name.toLowerCase());
    if (!rule || more.length > 0 || exponentOf(currency) === null || exceptions.has(currency)) return null;
    exceptions.set(currency, rule);
  }
  return exceptions;
};

/** The profile's rule for amounts of a currency whose ISO 4217 digits are not two (§2.2); null = not chosen yet. */
export const amountRuleFor = (
  profile: Pick<Profile, 'amountRule' | 'amountExceptions'>,
  currency: string,
): Rule | null => readAmountExceptions(profile.amountExceptions)?.get(currency) ?? profile.amountRule;
