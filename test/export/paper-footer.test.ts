import { expect, test } from 'vitest';
import { paperStyle } from '../../main/export/papers/printed-page.ts';

/** The foot of every printed page: the merchant's name, the paper and its number. */

const footOf = (footer: string, side: 'left' | 'right'): string => {
  const style = paperStyle({ footer, pages: 'counter(page)', orientation: 'portrait', isCompact: false });
  return new RegExp(`@bottom-${side} \\{([^}]*)\\}`).exec(style)?.[1] ?? '';
};

test('no character of a merchant’s name ends the text at the foot of a page', () => {
  expect(footOf('A\fB\u000bC\u0085D"E\\F<G\r\nH', 'left')).toContain('content: "A B C D E F G  H";');
});

test('a long name of a merchant continues on a second line and leaves the page number free', () => {
  expect(footOf('A long name', 'left')).not.toContain('nowrap');
  expect(footOf('A long name', 'right')).toContain('nowrap');
});
