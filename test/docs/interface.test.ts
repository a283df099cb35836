import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/steps.ts';
import { bodiesOf } from './test-bodies.ts';

/**
 * docs/integrate/interface.md is complete: every section has a row; every row names code, one test by its
 * full title, and a part of an assertion in that test.
 */

/** The sections of the interface. A section with subsections may have rows only for those. */
const sections = '1 2.1 2.2 2.3 2.4 2.5 2.6 3.1 3.2 3.3 4 4.1 4.2 4.3 5 6 6.1 6.2 7 8 9'.split(' ');

const rows = readFileSync(join(root, 'docs', 'integrate', 'interface.md'), 'utf8')
  .split('\n')
  .filter(line => /^\| *\d/.test(line))
  .map(line => line.split('|').map(cell => cell.trim()))
  .map(([, section = '', description = '', code = '', named = '', asserted = '']) => {
    const [, file = '', title = ''] = /^`([^`]+)`: (.+)$/.exec(named) ?? [];
    const [, quote = ''] = /^`([^`]+)`$/.exec(asserted) ?? [];
    return { section, description, code, file, title, quote };
  });

test.each(sections)('section %s has a row', section => {
  expect(rows.some(row => row.section === section || row.section.startsWith(`${section}.`))).toBe(true);
});

test('no row belongs to a section that the interface does not have', () => {
  expect(rows.filter(({ section }) => !sections.includes(section))).toEqual([]);
});

describe.each(rows)('§$section: $description', ({ code, file, title, quote }) => {
  test('names existing code', () => {
    const files = [...code.matchAll(/`([^`]+)`/g)].map(([, named]) => named ?? '');
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter(named => !existsSync(join(root, named)))).toEqual([]);
  });

  test('quotes an assertion of the test with that title', () => {
    expect(quote.length).toBeGreaterThan(10);
    const bodies = bodiesOf(readFileSync(join(root, file), 'utf8'), title);
    expect(bodies).not.toEqual([]);
    expect(bodies.some(body => body.includes(quote))).toBe(true);
  });
});
