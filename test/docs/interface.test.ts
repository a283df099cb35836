import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { interfaceFaults, interfaceRows, plantFault } from '../../scripts/mutants/interface-rows.ts';
import { root } from '../../tools/build/steps.ts';
import { bodiesOf } from './test-bodies.ts';

/**
 * docs/integrate/interface.md is complete: every section has a row; every row names code, one test by its full title,
 * and a fault that can be planted. `npm run mutants -- --interface` runs the tests with the faults.
 */

/** The sections of the interface. A section with subsections may have rows only for those. */
const sections = '1 2.1 2.2 2.3 2.4 2.5 2.6 3.1 3.2 3.3 4 4.1 4.2 4.3 5 6 6.1 6.2 7 8 9'.split(' ');

const rows = interfaceRows();

test.each(sections)('section %s has a row', section => {
  expect(rows.some(row => row.section === section || row.section.startsWith(`${section}.`))).toBe(true);
});

test('no row belongs to a section that the interface does not have', () => {
  expect(rows.filter(({ section }) => !sections.includes(section))).toEqual([]);
});

test('no two rows have the same sentence', () => {
  const sentences = rows.map(({ section, sentence }) => `${section} ${sentence}`);
  expect(sentences.filter((sentence, at) => sentences.indexOf(sentence) !== at)).toEqual([]);
});

test('every item of the page is a row, and every fault belongs to one', () => {
  const page = readFileSync(join(root, 'docs/integrate/interface.md'), 'utf8');
  expect(rows).toHaveLength([...page.matchAll(/^- /gm)].length);
  expect([...interfaceFaults().keys()]).toEqual(
    rows.map(({ section, sentence }) => `${section} ${sentence}`),
  );
});

describe.each(rows)('§$section: $sentence', row => {
  test('names existing code', () => {
    expect(row.code.length).toBeGreaterThan(0);
    expect(row.code.filter(file => !existsSync(join(root, file)))).toEqual([]);
  });

  test('names a test by its title, which needs no window', () => {
    expect(row.testFile).toMatch(/\.test\.ts$/);
    expect(bodiesOf(readFileSync(join(root, row.testFile), 'utf8'), row.title)).not.toEqual([]);
  });

  test('names one fault that its code can have', () => {
    expect(plantFault(row)).toEqual({ faulty: expect.any(String) as string });
  });
});
