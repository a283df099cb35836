import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/steps.ts';

/** docs/interface.md holds what it promises: every section a row, every row a file and a test that exist. */

const original = join(root, '..', 'shared', 'interface', 'payment-gateway-interface.md');
const known = '1 2.1 2.2 2.3 2.4 2.5 2.6 3.1 3.2 3.3 4 4.1 4.2 4.3 5 6 6.1 6.2 7 8 9'.split(' ');

/** Sections that say something themselves: those with parts of their own may leave it to them. */
const sections = existsSync(original)
  ? [...readFileSync(original, 'utf8').matchAll(/^#{2,3} ([\d.]+?)\.? /gm)].map(([, number]) => number ?? '')
  : known;

const rows = readFileSync(join(root, 'docs', 'interface.md'), 'utf8')
  .split('\n')
  .filter(line => /^\| *\d/.test(line))
  .map(line => line.split('|').map(cell => cell.trim()))
  .map(([, section = '', says = '', code = '', shown = '']) => ({ section, says, code, shown }));

test.each(sections)('section %s has a row', section => {
  const own = rows.some(row => row.section === section || row.section.startsWith(`${section}.`));
  expect(own).toBe(true);
});

describe.each(rows)('§$section: $says', ({ code, shown }) => {
  test('names code that exists', () => {
    const files = [...code.matchAll(/`([^`]+)`/g)].map(([, file]) => file ?? '');
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter(file => !existsSync(join(root, file)))).toEqual([]);
  });

  test('names a test that exists', () => {
    const [, file = '', title = ''] = /^`([^`]+)`: (.+)$/.exec(shown) ?? [];
    expect(existsSync(join(root, file))).toBe(true);
    expect(title.length).toBeGreaterThan(5);
    expect(readFileSync(join(root, file), 'utf8')).toContain(title);
  });
});
