import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { interfaceFaults, interfaceRows, plantFault } from '../../scripts/mutants/interface-faults.ts';
import { root } from '../../tools/build/steps.ts';
import { bodiesOf } from './test-bodies.ts';

/**
 * docs/integrate/interface.md is complete: every section has a row; every row names code and a file
 * of tests, and has faults that can be planted, each with the title of the test that notices it. `npm run mutants -- --interface`
 * runs the tests with the faults.
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
  test('a row of the interface’s page names existing code', () => {
    expect(row.code.length).toBeGreaterThan(0);
    expect(row.code.filter(file => !existsSync(join(root, file)))).toEqual([]);
  });

  test('a row of the interface’s page has tests by their titles, which need no window', () => {
    expect(row.testFile).toMatch(/\.test\.ts$/);
    const source = readFileSync(join(root, row.testFile), 'utf8');
    expect(row.faults.filter(({ title }) => bodiesOf(source, title).length === 0)).toEqual([]);
  });

  test('a row of the interface’s page has faults that its code can have', () => {
    expect(row.faults).not.toEqual([]);
    for (const fault of row.faults)
      expect(plantFault(row, fault)).toEqual({ faulty: expect.any(String) as string });
  });
});
