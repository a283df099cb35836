import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/steps.ts';
import { bodiesOf } from './test-bodies.ts';

/** docs/build/threat-model.md: every protection is shown by a test that exists, every attacker says what is not stopped. */

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');
const model = textOf('docs/build/threat-model.md');

/** The sections by their headings. */
const sections = new Map(
  model
    .split(/^## /m)
    .slice(1)
    .map(section => [section.slice(0, section.indexOf('\n')), section] as const),
);
/** The cells of a section's table, without its two first lines. */
const rowsOf = (section: string): string[][] =>
  section
    .split('\n')
    .filter(line => line.startsWith('|'))
    .slice(2)
    .map(line =>
      line
        .split('|')
        .slice(1, -1)
        .map(cell => cell.trim()),
    );
/** The tests that a cell names. */
const named = (cell: string): { file: string; title: string }[] =>
  cell
    .split(/; (?=`test\/)/)
    .map(one => /^`([^`]+)`: (.+)$/.exec(one))
    .map(found => ({ file: found?.[1] ?? '', title: found?.[2] ?? '' }));

const attackers = [...sections].filter(([, section]) => section.includes('\nNot stopped:\n'));

test('the attackers are those that the document for IT names', () => {
  const short = textOf('docs/use/security.md');
  expect(attackers.length).toBeGreaterThan(7);
  expect(attackers.map(([heading]) => heading).filter(heading => !short.includes(heading))).toEqual([]);
});

describe.each(attackers)('%s', (_heading, section) => {
  test.each(rowsOf(section))('%s', (attempt, protection, shownBy = '') => {
    expect([attempt, protection].filter(cell => !cell)).toEqual([]);
    for (const { file, title } of named(shownBy)) {
      expect({ file, exists: existsSync(join(root, file)) }).toEqual({ file, exists: file !== '' });
      expect({ file, title, found: bodiesOf(textOf(file), title).length > 0 }).toMatchObject({ found: true });
    }
  });

  test('lists what is not stopped', () => {
    const [, list = ''] = section.split('\nNot stopped:\n');
    expect(list).toMatch(/^\n- \S/);
  });
});

describe('Electron’s checklist', () => {
  const rows = rowsOf(sections.get("Electron's security checklist") ?? '');

  test('has its twenty items, each with a test of that number', () => {
    expect(rows.map(([item = '']) => Number.parseInt(item, 10))).toEqual(
      Array.from({ length: 20 }, (_, at) => at + 1),
    );
    const titles = textOf('test/electron/electron-checklist.test.ts');
    for (let item = 1; item <= 20; item += 1) expect(titles).toMatch(new RegExp(`\\(\\s*['"]${item}\\. `));
  });

  test.each(rows.filter(([, shownBy]) => shownBy))('names a test that exists: %s', (_item, shownBy = '') => {
    for (const { file, title } of named(shownBy)) expect(bodiesOf(textOf(file), title)).not.toEqual([]);
  });
});
