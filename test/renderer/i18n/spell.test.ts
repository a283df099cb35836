import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { translateTo } from '../../../tools/app-harness/translate.ts';
import { spellLink, spellSign } from '../../../renderer/i18n/spell.ts';

test('letters, capitals, digits and symbols of a spelled link each have a word in both languages', () => {
  expect(spellSign('k', translateTo('en'))).toEqual({ sign: 'k', word: 'kilo', kind: 'lower' });
  expect(spellSign('K', translateTo('en'))).toEqual({ sign: 'K', word: 'capital Kilo', kind: 'upper' });
  expect(spellSign('7', translateTo('de'))).toEqual({ sign: '7', word: 'sieben', kind: 'digit' });
  expect(spellSign('/', translateTo('de'))).toEqual({ sign: '/', word: 'Schrägstrich', kind: 'mark' });
  expect(spellSign('z', translateTo('de')).word).toBe('zwickau');
});

test('groups of a spelled link have at most four characters, and symbols are separate', () => {
  expect(
    spellLink('https://ab.cd/x1Y2z', translateTo('en')).map(group => group.map(({ sign }) => sign).join('')),
  ).toEqual(['http', 's', ':', '/', '/', 'ab', '.', 'cd', '/', 'x1Y2', 'z']);
});

test('the spelling contains every character of the link', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), link => {
      const groups = spellLink(link, translateTo('en'));
      expect(
        groups
          .flat()
          .map(({ sign }) => sign)
          .join(''),
      ).toBe(link);
      expect(groups.every(group => group.length > 0 && group.length <= 4)).toBe(true);
    }),
  );
});
