import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createIntl } from '@formatjs/intl';
import { staleMessageFiles } from '../../scripts/generate/messages.ts';
import { root } from '../../tools/build/steps.ts';
import de from '../../shared/messages/de.json' with { type: 'json' };
import en from '../../shared/messages/en.json' with { type: 'json' };
import { formatterFor } from '../../shared/messages/catalogues.ts';
import { joined, msg, quoted, type MessageKey } from '../../shared/messages/message.ts';
import { chooseLanguage, type Language } from '../../shared/messages/message.ts';
import { errorCodes } from '../../shared/errors.ts';
import { shareChannelSchema } from '../../shared/payments/evidence.ts';
import { flagKinds, paymentStates } from '../../shared/payments/payment.ts';
import { reconciliationActions, reconciliationCauses } from '../../shared/reports/reconcile.ts';

const catalogues = { en, de };
const languages = Object.keys(catalogues) as Language[];
const keys = Object.keys(catalogues.en) as MessageKey[];

/** The names of a message's placeholders, without the branches of a plural. */
const valuesOf = (message: string): string[] =>
  [
    ...new Set(
      [...message.matchAll(/(?<!(?:=\d+|zero|one|two|few|many|other)\s)\{(\w+)(?=[,}])/g)].map(
        ([, name]) => name ?? '',
      ),
    ),
  ].sort();

test('every language has the same messages, none of them empty', () => {
  for (const language of languages) {
    expect(Object.keys(catalogues[language])).toEqual(Object.keys(catalogues.en));
    expect(keys.filter(key => catalogues[language][key].trim() === '')).toEqual([]);
  }
});

test.each(languages)('every message of %s is ICU and has the same values as in English', language => {
  const broken: string[] = [];
  const intl = createIntl({
    locale: language,
    messages: catalogues[language],
    onError: error => broken.push(error.message),
  });
  for (const key of keys) {
    const values = valuesOf(catalogues[language][key]);
    expect({ key, values }).toEqual({ key, values: valuesOf(catalogues.en[key]) });
    for (const count of [0, 1, 5, 60]) {
      const text = intl.formatMessage({ id: key }, Object.fromEntries(values.map(name => [name, count])));
      // Quoted braces are intended. `undefined` is also a status of the interface; a missing value is in
      // `broken`.
      if (!catalogues[language][key].includes("'{"))
        expect({ key, text }).toEqual({ key, text: expect.not.stringMatching(/[{}]/) });
    }
  }
  expect(broken).toEqual([]);
});

test('an ellipsis follows a German word after a blank, and an English one at once', () => {
  expect(keys.filter(key => /\S…$/.test(de[key]) || /\s…$/.test(en[key]))).toEqual([]);
});

test('the catalogues are sorted, and the types of their values are up to date', () => {
  expect(staleMessageFiles()).toEqual([]);
});

test('a message is formatted with its values and the messages among them', () => {
  const message = joined(msg('error.agent.wait'), quoted('Later.'));
  expect(formatterFor('en')(message)).toBe('Too many wrong PINs. Later.');
  expect(formatterFor('de')(message)).toBe(`${de['error.agent.wait']} Later.`);
});

test('every state has a word, a script and a warning', () => {
  const wanted = paymentStates.flatMap(state => [`state.${state}`, `say.${state}`, `do-not.${state}`]);
  expect(wanted.filter(key => !Object.hasOwn(catalogues.en, key))).toEqual([]);
});

test('every error has a sentence and a next step', () => {
  const wanted = errorCodes.flatMap(code => [`error.${code}`, `hint.${code}`]);
  expect(wanted.filter(key => !Object.hasOwn(catalogues.en, key))).toEqual([]);
});

test('every flag has an explanation, and every way of sharing a word', () => {
  const wanted = [
    ...flagKinds.flatMap(kind => [`flag.${kind}`, `flag.${kind}.text`]),
    ...shareChannelSchema.options.map(channel => `link-shared.${channel}`),
  ];
  expect(wanted.filter(key => !Object.hasOwn(catalogues.en, key))).toEqual([]);
});

test('every cause in the queue has a name and a sentence, and every next action a text', () => {
  const wanted = [
    ...reconciliationCauses.flatMap(cause => [`cause.${cause}`, `cause.${cause}.text`]),
    ...reconciliationActions.map(action => `next.${action}`),
  ];
  expect(wanted.filter(key => !Object.hasOwn(catalogues.en, key))).toEqual([]);
});

test('the language follows the setting, and the number format follows the system if it fits', () => {
  expect(chooseLanguage('system', 'de-AT')).toEqual({ language: 'de', locale: 'de-AT' });
  expect(chooseLanguage('system', 'fr-FR')).toEqual({ language: 'en', locale: 'fr-FR' });
  expect(chooseLanguage('de', 'en-GB')).toEqual({ language: 'de', locale: 'de' });
  expect(chooseLanguage('en', 'en_US')).toEqual({ language: 'en', locale: 'en-US' });
});

test('no script that is read aloud has brackets', () => {
  for (const catalogue of [en, de])
    expect(
      Object.entries(catalogue).filter(([key, text]) => key.startsWith('say.') && /[()]/.test(text)),
    ).toEqual([]);
});

test('no script that is read aloud promises a call, or names who declined', () => {
  const promise =
    /\bcall(?:s|ed)? you\b|\byour bank declined|\brufe\b|\bmelde[nt]? (?:mich|sich)\b|Ihre Bank hat/i;
  for (const catalogue of [en, de])
    expect(
      Object.entries(catalogue).filter(([key, text]) => key.startsWith('say.') && promise.test(text)),
    ).toEqual([]);
});

/** Texts of the page of gateway compatibility, the assumptions and the test without sending: read by integrators. */
const mayCiteSections = [/^profile\.[a-z-]+\.hint$/, /^assumption\.text$/, /^dry-run\.documented$/];

test.each(languages)(
  'a text of %s cites a section of the interface only where integrators read it',
  language => {
    const citing = keys.filter(key => /§|\{section\}(?!:)/.test(catalogues[language][key]));
    expect(citing.filter(key => !mayCiteSections.some(prefix => prefix.test(key)))).toEqual([]);
  },
);

test('only the pages of a profile mark a setting with a section of the interface', () => {
  const marked = globSync('renderer/screens/**/*.tsx', { cwd: root })
    .filter(file => readFileSync(join(root, file), 'utf8').includes('<Assumption section='))
    .filter(file => !file.startsWith(join('renderer', 'screens', 'settings', 'profile')));
  expect(marked).toEqual([]);
});

test.each(languages)('each warning of a script is a whole sentence in %s', language => {
  const warnings = keys.filter(key => key.startsWith('do-not.')).map(key => catalogues[language][key]);
  expect(warnings.filter(text => !/^\p{Lu}.*\.$/u.test(text))).toEqual([]);
  expect(catalogues[language]['verdict.do-not']).toMatch(/:$/);
});

test('“team” names the installations that share a log, not the people of this computer', () => {
  const ofPeople = keys.filter(key => /^(agents?|activity|settings)\./.test(key));
  for (const language of languages)
    expect(
      ofPeople.filter(key =>
        /\bteam\b/i.test(catalogues[language][key].replaceAll(/(IT|finance) team/g, '')),
      ),
    ).toEqual([]);
});
