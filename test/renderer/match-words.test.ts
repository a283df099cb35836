import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchGroups } from '../../renderer/stores/search/match-words.ts';

const items = [
  { name: 'Receiver' },
  { name: 'Erase customer details after', also: 'retention privacy' },
  { name: 'Café Zürich' },
  { name: 'Statement of October 2026', also: 'Oktober 2026' },
  { name: 'Export for accounting…' },
];
const found = (typed: string): string[] => matchGroups({ all: items }, typed).all.map(({ name }) => name);

test.each([
  ['ZURICH cafe', 'Café Zürich'],
  ['accounting export', 'Export for accounting…'],
  ['retention', 'Erase customer details after'],
  ['oktober statement', 'Statement of October 2026'],
  ['2026 oct', 'Statement of October 2026'],
])('%j finds %j: without regard to case, accents and the order of words', (typed, name) => {
  expect(found(typed)).toEqual([name]);
});

test('all typed words must match', () => {
  expect(found('receiver accounting')).toEqual([]);
  expect(found('…')).toEqual([]);
});

test('a result that begins with the text comes before one that contains it, and hidden words come last', () => {
  const groups = { all: [{ name: 'Backups', also: 'log' }, { name: 'Payment log' }, { name: 'Log out' }] };
  expect(matchGroups(groups, 'log').all.map(({ name }) => name)).toEqual([
    'Log out',
    'Payment log',
    'Backups',
  ]);
});

test('slips count only if nothing in any group matches as it was typed', () => {
  const groups = { one: [{ name: 'Theme' }], other: [{ name: 'There' }] };
  expect(matchGroups(groups, 'theme').other).toEqual([]);
  expect(matchGroups(groups, 'thexe')).toEqual({ one: [{ name: 'Theme' }], other: [{ name: 'There' }] });
});

const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');

test('a word with one wrong, missing, additional or swapped letter is found', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('receiver', 'accounting', 'customer', 'statement'),
      fc.nat(),
      fc.constantFrom(...letters),
      fc.constantFrom('wrong', 'missing', 'additional', 'swapped'),
      (word, seed, letter, slip) => {
        const at = seed % word.length;
        const [before, rest] = [word.slice(0, at), word.slice(at)];
        const typed = {
          wrong: before + letter + rest.slice(1),
          missing: before + rest.slice(1),
          additional: before + letter + rest,
          swapped: before + (rest[1] ?? '') + (rest[0] ?? '') + rest.slice(2),
        }[slip];
        expect(found(typed).join(' ').toLowerCase()).toContain(word);
      },
    ),
  );
});

test('a text of two thousand arbitrary characters neither fails nor finds by accident', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 200, maxLength: 2_000, unit: 'grapheme' }), typed => {
      expect(found(`zzqx ${typed}`)).toEqual([]);
    }),
    { numRuns: 30 },
  );
});
