import { expect, test } from 'vitest';
import { createIntl } from 'react-intl';
import { english } from '../../../tools/browser-harness/console.ts';
import { pseudoCatalogue, pseudoMessage } from '../../end-to-end/pseudo-locale.ts';

/** The third language, for tests of the window. */

test('letters of the pseudo-locale are Hebrew and its texts are about a third longer, in brackets', () => {
  expect(pseudoMessage('Close')).toBe('⟦גלסקה ~⟧');
  const text = 'New payment link · this profile';
  expect(pseudoMessage(text).length).toBeGreaterThan(text.length * 1.3);
});

test('arguments and plurals stay as they are in the pseudo-locale, and the texts within them change', () => {
  expect(pseudoMessage('Of {profile}')).toBe('⟦סו {profile} ~⟧');
  expect(pseudoMessage('{count, plural, =0 {No {what}} other {# links}}')).toMatch(
    /^⟦\{count, plural, =0 \{נס \{what\}\} other \{# לטנכק\}\} [~ ]+⟧$/,
  );
});

test('every message of the pseudo-locale is ICU', () => {
  const broken: string[] = [];
  const intl = createIntl({
    locale: 'en',
    messages: { ...pseudoCatalogue() },
    onError: error => broken.push(error.message),
  });
  for (const [key, message] of Object.entries(english)) {
    const names = [...message.matchAll(/\{(\w+)(?=[,}])/g)].map(([, name]) => name ?? '');
    intl.formatMessage({ id: key }, Object.fromEntries(names.map(name => [name, 2])));
  }
  expect(broken).toEqual([]);
});
