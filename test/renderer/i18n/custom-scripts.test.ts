import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatScript, type ScriptValues } from '../../../renderer/i18n/script-text.ts';
import {
  maxSentenceChars,
  parseScript,
  allowedPlaceholders,
  type Placeholder,
} from '../../../shared/merchant-texts/custom-scripts.ts';
import { paymentStates, type PaymentState } from '../../../shared/payments/payment-kinds.ts';

/** The merchant's own scripts: what is accepted, and what is refused and why. */

const values: ScriptValues = { amount: 'EUR 123.40', order: 'CF-1001', time: '14:02', minutes: 12 };
const shownText = (text: string, state: PaymentState, more: Partial<ScriptValues> = {}): string => {
  const read = parseScript(text, state);
  if (!read.ok) throw new Error(`${read.problem.kind} ${read.problem.found}`);
  return formatScript(read.parts, { ...values, ...more }, 'en');
};
const problem = (text: string, state: PaymentState = 'waiting') => {
  const read = parseScript(text, state);
  return read.ok ? null : read.problem;
};

test('a script of the merchant is shown with its values', () => {
  expect(shownText('Received {amount} for {order}, thank you!', 'paid-confirmed')).toBe(
    'Received EUR 123.40 for CF-1001, thank you!',
  );
});

test('a script of the merchant uses the plural forms of the language', () => {
  const text =
    'It works for {minutes, plural, =0 {hardly a minute} one {one minute} other {# minutes}} more.';
  expect([0, 1, 12].map(minutes => shownText(text, 'waiting', { minutes }))).toEqual([
    'It works for hardly a minute more.',
    'It works for one minute more.',
    'It works for 12 minutes more.',
  ]);
});

test('a script of the merchant contains an apostrophe as an ordinary character', () => {
  expect(shownText("I'll call you; don't pay again.", 'processing')).toBe("I'll call you; don't pay again.");
});

test.each([
  ['x'.repeat(maxSentenceChars + 1), 'too-long'],
  ['One\nTwo', 'line-break'],
  ['One\tTwo', 'hidden'],
  ['Turned \u202eround', 'hidden'],
  ['Card 4111 1111 1111 1111', 'card-number'],
  ['{minutes}', 'no-words'],
  ['Until {time}', 'unknown'],
  ['Works {}', 'unknown'],
  ['Works {minutes', 'unreadable'],
  ['Works minutes}', 'unreadable'],
  ['Works {minutes, number}', 'unreadable'],
  ['Works {minutes, plural, one {a minute}}', 'plural'],
  ['Works {minutes, plural, other {# minutes} other {more}}', 'plural'],
])('a script of the merchant is refused with the reason: %j is %s', (text, kind) => {
  expect(problem(text)?.kind).toBe(kind);
});

test('a script of the merchant may have the maximum length, and no more', () => {
  expect(problem('x'.repeat(maxSentenceChars))).toBeNull();
});

test('the default scripts, in both languages, use exactly the permitted placeholders, and are valid', () => {
  for (const language of ['en', 'de']) {
    const catalogue = JSON.parse(readFileSync(`shared/messages/${language}.json`, 'utf8')) as Record<
      string,
      string
    >;
    for (const state of paymentStates) {
      const text = catalogue[`say.${state}`] ?? '';
      const names = new Set([...text.matchAll(/\{(amount|order|time|minutes)\b/g)].map(([, name]) => name));
      expect(names).toEqual(new Set<string | undefined>(allowedPlaceholders[state]));
      expect(problem(text, state)).toBeNull();
    }
  }
});

test('every accepted script is shown with any values, without a placeholder’s braces, and never throws', () => {
  const names: readonly Placeholder[] = ['amount', 'order', 'time', 'minutes'];
  const piece = fc.oneof(
    fc.string({ maxLength: 12, unit: 'grapheme' }),
    fc.constantFrom(...names.map(name => `{${name}}`), '{', '}', '#', ', plural, other {', "'"),
    fc.constantFrom('{minutes, plural, one {a minute} other {# minutes}}', '{ minutes }'),
  );
  const texts = fc.array(piece, { maxLength: 8 }).map(pieces => pieces.join(''));
  const anyValues = fc.record({
    amount: fc.string(),
    order: fc.string(),
    time: fc.string(),
    minutes: fc.nat(),
  });
  let accepted = 0;
  fc.assert(
    fc.property(texts, fc.constantFrom(...paymentStates), anyValues, (text, state, given) => {
      const read = parseScript(text, state);
      if (!read.ok) {
        expect(read.problem.kind).not.toBe('');
        return;
      }
      accepted += 1;
      const plain = { ...given, amount: 'A', order: 'O', time: 'T' };
      for (const language of ['en', 'de'] as const) {
        expect(typeof formatScript(read.parts, given, language)).toBe('string');
        expect(formatScript(read.parts, plain, language)).not.toMatch(/[{}]/);
        expect(formatScript(read.parts, plain, language).trim()).not.toBe('');
      }
    }),
    { numRuns: 3_000 },
  );
  expect(accepted).toBeGreaterThan(100);
});
