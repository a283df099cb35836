import { exponentOf } from './currencies.ts';
import { amountRules } from './wire-amount.ts';

type Rule = (typeof amountRules)[number];

/** The rules of a profile: one for all currencies, null = not chosen yet, and its exceptions as text. */
type AmountRules = { amountRule: Rule | null; amountExceptions: string };

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
export const amountRuleFor = (rules: AmountRules, currency: string): Rule | null =>
  readAmountExceptions(rules.amountExceptions)?.get(currency) ?? rules.amountRule;
