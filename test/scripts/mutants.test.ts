import { expect, test } from 'vitest';
import { findMutants } from '../../scripts/mutants/find-mutants.ts';
import { instrument } from '../../scripts/mutants/instrument.ts';

const changesOf = (text: string): string[] =>
  findMutants('code.ts', text).map(({ original, replacement }) => `${original} -> ${replacement}`);

test.each([
  ['const a = b === c;', ['b === c -> b !== c']],
  ['const a = b < c;', ['b < c -> b <= c', 'b < c -> b >= c']],
  ['const a = b ?? c;', ['b ?? c -> b']],
  ["const a = b ?? '';", ["b ?? '' -> b"]],
  ['const a = !b;', ['!b -> b']],
  ['const a = 2;', ['2 -> 3']],
  ["const a = 'x';", ["'x' -> ''"]],
  ['if (a) b();', ['a -> true', 'a -> false', 'b() -> void 0']],
  ['const a = () => b;', ['b -> null']],
  ['const a = b.find(c);', ['find -> findLast']],
  ['const a = b.trim();', ['b.trim() -> b']],
])('%s has the mutants %j', (text, changes) => {
  expect(changesOf(text)).toEqual(changes);
});

test.each([
  "import { a } from 'b';",
  "type A = 'x' | 1;",
  'const a: Record<string, 1> = b;',
  "const a = fail('A text for people.');",
  // Parentheses would end the optional chain.
  'const a = b?.c.trim().length;',
])('%s has no mutant', text => {
  expect(changesOf(text)).toEqual([]);
});

test('one text holds all mutants, and behaves as before until one of them is selected', () => {
  const text = `
    const list = [1, 2, 3];
    const sum = numbers => {
      let sum = 0;
      for (const one of numbers) {
        if (one < 0 || one === list.find(other => other > 2)) continue;
        sum += one;
      }
      return sum;
    };
    return [sum(list), list?.find(one => one > 1)];
  `;
  const mutants = findMutants('code.ts', `const f = () => {${text}};`);
  const written = instrument(`const f = () => {${text}};`, mutants, 10);
  const runWith = (active: number): unknown => {
    Object.assign(globalThis, { mutants: { isActive: (id: number) => id === active } });
    // oxlint-disable-next-line typescript/no-implied-eval -- what the instrumented text does is what is tested.
    return (new Function(`${written} return f();`) as () => unknown)();
  };
  const original = [3, 2];
  expect(runWith(-1)).toEqual(original);
  expect(written.split('\n')).toHaveLength(text.split('\n').length);
  const changed = mutants.filter((_, index) => {
    try {
      return JSON.stringify(runWith(10 + index)) !== JSON.stringify(original);
    } catch {
      return true;
    }
  });
  const unchanged = mutants.filter(mutant => !changed.includes(mutant));
  // These make no difference to the list; all others do.
  expect(unchanged.map(({ original, replacement }) => `${original} -> ${replacement}`)).toEqual([
    '3 -> 4',
    'one < 0 -> one <= 0',
    '0 -> 1',
    'one === list.find(other => other > 2) -> one !== list.find(other => other > 2)',
    'find -> findLast',
  ]);
});
