import { expect, test } from 'vitest';
import { commandFormatter, isKnownLanguage } from '../../shared/messages/command-language.ts';
import { formatterFor } from '../../shared/messages/catalogues.ts';
import { msg } from '../../shared/messages/message.ts';

const message = msg('error.agent.wrong-pin');
const languageOf = (args: readonly string[], environment: NodeJS.ProcessEnv): string =>
  commandFormatter(args, environment)(message);
const english = formatterFor('en')(message);
const german = formatterFor('de')(message);

test.each([
  [['--language', 'de'], { LANG: 'en_GB.UTF-8' }, german],
  [['--language=en'], { LC_ALL: 'de_DE.UTF-8' }, english],
  [[], { LC_ALL: 'de_DE.UTF-8', LANG: 'en_US.UTF-8' }, german],
  [[], { LC_ALL: '', LC_MESSAGES: 'de_AT@euro', LANG: 'en_US' }, german],
  [[], { LC_MESSAGES: 'C', LANG: 'de_DE' }, english],
  [[], { LANG: 'de' }, german],
  [[], { LANG: 'C.UTF-8' }, english],
  [[], { LANG: 'fr_FR.UTF-8' }, english],
  [[], { LANG: '../nonsense' }, english],
  [[], {}, english],
  [['--language'], {}, english],
])('the language of %j in %j', (args, environment, text) => {
  expect(languageOf(args, environment)).toBe(text);
});

test('a language that the commands do not have is unknown', () => {
  expect([undefined, 'en', 'de', 'fr', ''].map(isKnownLanguage)).toEqual([true, true, true, false, false]);
});
