/** A mutant that no test can or need notice. `line`: the text of its line; `change`: as `npm run mutants` prints it. */
export type Exception = { file: string; line: string; change: string; reason: string };

const signature = 'main/signatures/signature.ts';
const amountRules = 'shared/money/amount-rules.ts';
const typedAmount = 'shared/money/typed-amount.ts';
const reduceCallbacks = 'shared/payment-reducer/reduce-callbacks.ts';
const reduceDifferences = 'shared/payment-reducer/reduce-differences.ts';
const reduce = 'shared/payment-reducer/reduce.ts';
const reduceLinks = 'shared/payment-reducer/reduce-links.ts';
const formatAmount = 'shared/money/format-amount.ts';
const wireAmount = 'shared/money/wire-amount.ts';

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
  {
    file: 'shared/payment-reducer/reduce-attempts.ts',
    line: 'steps.indexOf(one) > steps.indexOf(other);',
    change: 'indexOf -> lastIndexOf',
    reason: 'Each step is listed once.',
  },
  {
    file: reduceCallbacks,
    line: "events.filter(event => event.kind === 'callback.reverified'),",
    change: "events.filter(event => event.kind === 'callback.reverified') -> events",
    reason: 'Other events name no callback, so that no callback finds them.',
  },
  {
    file: reduceCallbacks,
    line: "const key = callbacks.length === 1 ? '' : deliveryKey(event);",
    change: 'callbacks.length === 1 -> false',
    reason: 'The key of a single callback only costs time.',
  },
  {
    file: reduceCallbacks,
    line: "const key = callbacks.length === 1 ? '' : deliveryKey(event);",
    change: "'' -> '?'",
    reason: 'A single callback may have any key.',
  },
  {
    file: reduceDifferences,
    line: 'return smaller !== null && larger !== null && smaller < larger;',
    change: 'smaller < larger -> smaller <= larger',
    reason: 'Only amounts that differ are compared here.',
  },
  {
    file: reduceDifferences,
    line: "const [ours, reported] = [match.ours[field] ?? '', theirs[field] ?? ''];",
    change: "match.ours[field] ?? '' -> match.ours[field]",
    reason: 'A field that our request leaves out agrees with any report; the types require the default.',
  },
  {
    file: reduceLinks,
    line: 'if (paidAt === null) continue;',
    change: 'paidAt === null -> false',
    reason:
      'No link was issued before the time 0, which is the value of null here; the types require the check.',
  },
  {
    file: reduceLinks,
    line: 'if (paidAt === null) continue;',
    change: 'continue; -> nothing',
    reason:
      'No link was issued before the time 0, which is the value of null here; the types require the check.',
  },
  {
    file: reduceLinks,
    line: "const amount = movements.find(({ kind }) => kind === 'paid')?.amount ?? null;",
    change: 'find -> findLast',
    reason: 'The money of one payment id comes in once.',
  },
  {
    file: reduce,
    line: 'attemptHistories.flatMap(({ paidAt }) => paidAt ?? []),',
    change: 'paidAt ?? [] -> paidAt',
    reason: 'A time null is before every link; the types require the default.',
  },
  {
    file: reduce,
    line: 'const paid = history && trusted.find(({ event }) => event === history.basis.event);',
    change: 'find -> findLast',
    reason: 'Each callback is listed once.',
  },
  {
    file: formatAmount,
    line: 'if (known) return known;',
    change: 'known -> false',
    reason: 'The cache only saves time.',
  },
  {
    file: formatAmount,
    line: 'formats.set(key, made);',
    change: 'formats.set(key, made) -> void 0',
    reason: 'The cache only saves time.',
  },
  {
    file: formatAmount,
    line: 'return formatOf(locale, null, Math.max(sent, exponentOf(currency) ?? 0)).format(figures);',
    change: 'exponentOf(currency) ?? 0 -> exponentOf(currency)',
    reason: 'Math.max reads null as 0; the types require the number.',
  },
  {
    file: typedAmount,
    line: 'if (known) return known;',
    change: 'known -> false',
    reason: 'The cache only saves time.',
  },
  {
    file: typedAmount,
    line: 'separators.set(locale, found);',
    change: 'separators.set(locale, found) -> void 0',
    reason: 'The cache only saves time.',
  },
  {
    file: typedAmount,
    line: "const options = { useGrouping: 'always', minimumFractionDigits: 1 } as const;",
    change: '1 -> 2',
    reason: 'Any fraction has the same separator.',
  },
  {
    file: typedAmount,
    line: 'const parts = format.formatToParts(1_234_567_890);',
    change: '1_234_567_890 -> 1234567891',
    reason: 'Any long number has the same separators.',
  },
  {
    file: typedAmount,
    line: "const separator = (type: string): string => normalised(parts.find(part => part.type === type)?.value ?? '');",
    change: 'find -> findLast',
    reason: 'All group separators of a number are equal.',
  },
  {
    file: typedAmount,
    line: "const separator = (type: string): string => normalised(parts.find(part => part.type === type)?.value ?? '');",
    change:
      "parts.find(part => part.type === type)?.value ?? '' -> parts.find(part => part.type === type)?.value",
    reason: 'A long number with a fraction has both separators in any locale; the types require the default.',
  },
  {
    file: typedAmount,
    line: "if (marks.length === 0) return figures.join('');",
    change: "'' -> '?'",
    reason: 'Without marks there is one figure, and nothing to join.',
  },
  {
    file: typedAmount,
    line: "return whole === null ? null : { whole, fraction: figures.at(-1) ?? '' };",
    change: "figures.at(-1) ?? '' -> figures.at(-1)",
    reason: 'A text has at least one figure; the types require the default.',
  },
  {
    file: typedAmount,
    line: "const readers = ['en', 'de', 'en-IN'];",
    change: "'en' -> ''",
    reason: 'An invalid locale counts as English.',
  },
  {
    file: wireAmount,
    line: 'if (digits >= own) return ok(decimalText(minor * 10n ** BigInt(digits - own), digits));',
    change: 'digits >= own -> digits > own',
    reason: 'With equal digits both ways give the same text.',
  },
  {
    file: wireAmount,
    line: "return parts && { whole: parts[1] ?? '', fraction: parts[2] ?? '' };",
    change: "parts[1] ?? '' -> parts[1]",
    reason: 'The group takes part in every match; the types require the default.',
  },
];
