import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../tools/build/steps.ts';

/** The window's styles use logical sides (start, end), so that they work in both writing directions. */

const folder = join(root, 'renderer', 'styles');
const physical =
  /^(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:top|right|bottom|left)\b.*|border-(?:top|bottom)-(?:left|right)-radius|top|right|bottom|left|(?:min-|max-)?(?:width|height)|float|clear)$/;
const sided = /^(?:text-align|caption-side|justify-\w+|align-\w+)\s*:\s*(?:left|right)\b/;
/** Four values with different left and right sides. */
const lopsided =
  /^(?:margin|padding|border-(?:width|color|style)|inset)\s*:\s*(\S+)\s+(\S+)\s+(\S+)\s+(\S+)$/;

/** The declarations of a style sheet, line by line. */
const faultsOf = (css: string): string[] => {
  const declarations = css
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/\([^()]*\)/g, '()')
    .split(/[{};]/)
    .map(one => one.trim().replaceAll(/\s+/g, ' '));
  return declarations.filter(one => {
    const [property = '', value] = one.split(/\s*:\s*/, 2);
    const sides = lopsided.exec(one);
    return (
      (value !== undefined && physical.test(property)) ||
      sided.test(one) ||
      (sides !== null && sides[2] !== sides[4])
    );
  });
};

test.each(readdirSync(folder, { encoding: 'utf8', recursive: true }).filter(file => file.endsWith('.css')))(
  '%s contains no left and no right',
  file => {
    expect(faultsOf(readFileSync(join(folder, file), 'utf8'))).toEqual([]);
  },
);

test('a physical side is reported', () => {
  const bad = [
    'margin-left: 1rem',
    'border-right: 1px solid',
    'left: 0',
    'text-align: right',
    'padding: 0 1rem 0 2rem',
    'border-top-left-radius: 2px',
    'width: 3rem',
  ];
  expect(faultsOf(`.a { ${bad.join('; ')}; inset-inline-start: 0; margin: 0 1px 0 1px }`)).toEqual(bad);
});
