import { expect, test } from 'vitest';
import { ruledOutWords } from '../../scripts/check/prose.ts';

const wordsOf = (file: string, text: string): [number, string][] =>
  ruledOutWords(file, text).map(({ line, word }) => [line, word]);

test.each([
  ['a comment', 'code.ts', '/** Whoever calls. */\nexport const a = 1;\n', [[1, 'Whoever']]],
  ['a string', 'code.ts', "const a = 1;\nconst text = 'Read it anew.';\n", [[2, 'anew']]],
  ['a template text', 'code.ts', 'const text = `${1} stands here`;\n', [[1, 'stands']]],
  ['a text between tags', 'page.tsx', 'const a = <p>Nobody</p>;\n', [[1, 'Nobody']]],
  ['a document', 'page.md', 'One.\nIt lies here.\n', [[2, 'lies']]],
])('a ruled-out word is found in %s', (_, file, text, expected) => {
  expect(wordsOf(file, text)).toEqual(expected);
});

test('a phrase is found across the line break of a comment', () => {
  const text = '/**\n * It ends by\n * itself.\n */\nexport const a = 1;\n';
  expect(wordsOf('code.ts', text)[0]?.[0]).toBe(2);
});

test('a file name, an identifier and a writer’s name with "desk" are no prose, a sentence is', () => {
  expect(wordsOf('code.ts', "const a = ['desk', 'desk-1', 'counterfoil-desk-', 'agent.at-desk'];\n")).toEqual(
    [],
  );
  expect(wordsOf('code.ts', "test('a locked desk goes on', run);\n")).toEqual([
    [1, 'desk'],
    [1, 'goes on'],
  ]);
});

test('a line with a stated reason is an exception, and so is the line after it', () => {
  expect(wordsOf('code.ts', "const a = 'anew'; // prose-ok: a quotation\n")).toEqual([]);

  expect(wordsOf('code.ts', "// prose-ok: a quotation\nconst a = 'anew';\n")).toEqual([]);
});

test('the prose check skips identifiers, module paths and code in documents', () => {
  expect(wordsOf('code.ts', "import { heard } from './told.ts';\nheard();\n")).toEqual([]);
  expect(wordsOf('page.md', 'Call `heard()`.\n\n```\nnobody\n```\n')).toEqual([]);
});
