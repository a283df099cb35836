/** A mutant that no test can or need notice. `line`: the text of its line; `change`: as `npm run mutants` prints it. */
export type Exception = { file: string; line: string; change: string; reason: string };

const signature = 'main/signatures/signature.ts';
const amountRules = 'shared/money/amount-rules.ts';

export const exceptions: readonly Exception[] = [
  {
    file: signature,
    line: "given.write(claimed.toLowerCase(), 'latin1');",
    change: "'latin1' -> ''",
    reason: 'Hexadecimal digits have the same bytes in the default encoding.',
  },
  {
    file: signature,
    line: "expected.write(hashOf(text, { digest, uppercasing }), 'latin1');",
    change: "'latin1' -> ''",
    reason: 'Hexadecimal digits have the same bytes in the default encoding.',
  },
  {
    file: signature,
    line: "if (matches('ascii')) return { uppercasing: 'ascii' };",
    change: "'ascii' -> ''",
    reason: 'Any value but "unicode" selects the upper-casing of ASCII; the types allow no other.',
  },
  {
    file: amountRules,
    line: "const [code = '', name = '', ...more] = entry.split(/[\\s:=]+/);",
    change: "'' -> '?'",
    reason: 'A text has at least one part, and neither default is the name of a rule.',
  },
  {
    file: amountRules,
    line: 'const rule = amountRules.find(one => one === name.toLowerCase());',
    change: 'find -> findLast',
    reason: 'Each rule is listed once.',
  },
  {
    file: 'shared/payment-reducer/reduce-amounts.ts',
    line: 'Number(amount) * 4 + Number(currency) * 2 + Number(description);',
    change: '4 -> 5',
    reason: 'Every weight above three puts the amount before the two others.',
  },
];
