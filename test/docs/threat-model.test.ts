import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../tools/build/steps.ts';
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
/** The attempts of a section, one a line: the attempt, what stops it, and the tests that show it. */
const attemptsOf = (section: string): string[][] =>
  (section.split('\nNot stopped:\n')[0] ?? '')
    .split('\n')
    .filter(line => line.startsWith('- '))
    .map(line => /^- \*\*(.+?)\*\*: (.+?) \((`test\/.+)\)$/.exec(line)?.slice(1) ?? [line]);
/** The named tests. */
const named = (tests: string): { file: string; title: string }[] =>
  tests
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
  test.each(attemptsOf(section))('%s', (_attempt, protection = '', shownBy = '') => {
    expect(protection).not.toBe('');
    for (const { file, title } of named(shownBy)) {
      expect({ file, exists: existsSync(join(root, file)) }).toEqual({ file, exists: file !== '' });
      expect({ file, title, found: bodiesOf(textOf(file), title).length > 0 }).toMatchObject({ found: true });
    }
  });

  test('the section about an attacker lists what is not stopped', () => {
    const [, list = ''] = section.split('\nNot stopped:\n');
    expect(list).toMatch(/^\n- \S/);
  });
});

test('each of the twenty items of Electron’s checklist has a test of its number', () => {
  const titles = textOf('test/electron/electron-checklist.test.ts');
  for (let item = 1; item <= 20; item += 1) expect(titles).toMatch(new RegExp(`\\(\\s*['"]${item}\\. `));
});
