import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { literalTexts } from '../../scripts/check/prose.ts';
import { root } from '../../tools/build/steps.ts';
import type { Language } from '../../shared/messages/message.ts';
import de from '../../shared/messages/de.json' with { type: 'json' };
import en from '../../shared/messages/en.json' with { type: 'json' };

/** A second name of a thing that has a name on the screens, with that name. */
type Term = { found: RegExp; instead: string; except?: RegExp };

/** Integrators read these: they compare their provider with other gateways. */
const compatibility =
  /^(?:assumptions|profile|settings\.assumptions)(?:\.|$)|^look-up\.no-order-number\.hint$/;
/** The status in the top bar has little room. */
const topBar = /^team\.state\./;
/** They name the type and status of a callback. The sandbox is the provider’s side. */
const providersWords = /^(?:meaning\.|main\/sandbox\/)/;

/** Hidden words by which people look for a thing. */
const searched = /^results\.also\./;

const terms: Readonly<Record<Language, readonly Term[]>> = {
  en: [
    { found: /\bPCs?\b/, instead: 'computer' },
    { found: /\blook(?:ed|ing|s)?[- ]ups?\b/i, instead: 'status check' },
    { found: /\bgateways?\b/i, instead: 'provider', except: compatibility },
    { found: /\bjoin(?:ing|s)? texts?\b/i, instead: 'join code' },
    { found: /\bpass(?:es|ed|ing)? (?:\w+ ){0,2}on\b/i, instead: 'send' },
    { found: /\brefus(?:e|es|ed|ing|als?)\b/i, instead: 'reject' },
    { found: /\bdisput(?:e|es|ed)\b/i, instead: 'chargeback', except: searched },
    { found: /\brefund seen\b/i, instead: 'refund reported' },
    { found: /\b(?:not clear|not certain|uncertain)\b/i, instead: 'unclear, unknown' },
    {
      found: /\b(?:key|password)s?\b[^.]*\bprove[ns]?\b|\bprove[ns]?\b[^.]*\b(?:key|password)s?\b/i,
      instead: 'confirm',
    },
    { found: /\bsignature[^.]*\bfits?\b/i, instead: 'matches' },
    { found: /\b(?:no )?sums?\b/i, instead: 'totals' },
    { found: /\bclear(?:ed)? (?:the )?count/i, instead: 'reset the counter' },
    {
      found: /\badministrator of (?!the team)|\bits administrator\b|\bIT administrator/i,
      instead: 'your IT team, the database administrator',
    },
    { found: /\bmaker\b/i, instead: 'publisher' },
    { found: /\banswer(?:s|ed|ing)?\b/i, instead: 'response, respond' },
    {
      found: /\bin Settings, [A-Z]|\bSettings →|\bunder (?:Settings|Appearance)\b/,
      instead: 'Settings > Page',
    },
    { found: /\be-mails?\b/i, instead: 'email' },
    { found: /\bdossiers?\b/i, instead: 'payment evidence' },
    { found: /\bsigned heads?\b/i, instead: 'signature file' },
    { found: /\breconcil/i, instead: 'to review' },
    { found: /\brais(?:e|es|ed|ing)\b(?! max_connections)/i, instead: 'create' },
    { found: /(?<!-)\b(?:desk|console)s?\b/i, instead: 'installation, computer' },
    { found: /\bshared log\b/i, instead: 'shared payment log', except: topBar },
    { found: /\bcop(?:y|ies) of the payment log\b|\bbackup cop/i, instead: 'backup' },
    { found: /^As [a-z_]+[.,]/, instead: 'Sent as' },
    { found: /\balarms?\b/i, instead: 'you are notified' },
    { found: /(?<!\/)\bcaptur(?:e|es|ed|ing)\b/i, instead: 'collect', except: providersWords },
    { found: /\bswitch(?:es|ed|ing)? (?:\w+ )?(?:on|off)\b/i, instead: 'turn on, turn off' },
  ],
  de: [
    { found: /\bGateways?\b/, instead: 'Anbieter', except: compatibility },
    { found: /\bBeitrittstext/i, instead: 'Beitrittscode' },
    { found: /\bEmpfänger/, instead: 'Intake, Callback-Empfang' },
    { found: /unbestätigt|ungeprüft|nicht bestätigte\w* Callback/i, instead: 'nicht verifiziert' },
    { found: /(?<!Secret )\bService\b/, instead: 'Kundenservice' },
    { found: /\bAbrechnung/, instead: 'Zahlungsaufstellung' },
    { found: /\bUmleitung|\bleitet\b[^.]*\bum\b/, instead: 'Weiterleitung' },
    {
      found: /\bAdministrators? (?:der Datenbank|dieses PCs)|\beine[mn]? Administrator\b/,
      instead: 'Datenbankadministrator, IT, Administration',
    },
    { found: /\bDossier/, instead: 'Nachweis' },
    { found: /\bKonsolen?\b/, instead: 'Installation' },
    { found: /\bbrauch(?:t|en)\b[^.]*\bAufmerksamkeit\b/i, instead: 'Handlungsbedarf' },
    { found: /\bKundschaft\b/, instead: 'Kunde' },
    { found: /\bComputers?\b/, instead: 'PC' },
    { found: /\b(?:unter|PC) „?Einstellungen(?:“|, )/, instead: 'Einstellungen > Seite' },
    { found: /\b(?:strittig|Anfechtung)/i, instead: 'Rückbelastung' },
    { found: /\bweiter(?:ge)?geben\b/, instead: 'übertragen' },
    { found: /\bgemeinsame[ns]? Protokolls?\b/i, instead: 'gemeinsames Zahlungsprotokoll', except: topBar },
    { found: /^Als [a-z_]+[.,]/, instead: 'Wird als … gesendet' },
    { found: /\bAlarm/, instead: 'Hinweis' },
    { found: /\bStatusprüfung/, instead: 'Statusabfrage' },
    { found: /ragen Sie den Status\b/, instead: 'Prüfen Sie den Status' },
    { found: /\b(?:der|den|keinen|einen|angeforderter) Token\b/i, instead: 'das Token' },
    { found: /\p{L}…/u, instead: 'ein Leerzeichen vor „…“' },
  ],
};

/** Names of placeholders are not shown. */
const shown = (text: string): string => text.replaceAll(/\{\w+/g, '{');

/** The texts that a person sees, with what names them. */
const catalogueTexts = (language: Language): [string, string][] =>
  Object.entries(language === 'de' ? de : en).map(([key, text]) => [key, shown(text)]);

const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');

/** Texts in the source that a person sees: pages of the sandbox and the usage of the intake. Words alone are values. */
const sourceTexts = (): [string, string][] =>
  [
    ...globSync('main/sandbox/{payment-page,dashboard,after-payment,choices,html}.ts', {
      cwd: root,
    }),
    'main/intake/index.ts',
  ]
    .flatMap(file => literalTexts(file, read(file)).map((text): [string, string] => [file, text]))
    .filter(([, text]) => /[A-Z].*\s|\s.*[a-z]/s.test(text));

/** The entry of the menu on Linux, and the description of the packages. */
const packageTexts = (language: Language): [string, string][] => {
  const entry = read('assets', 'linux', 'counterfoil.desktop');
  const line = language === 'de' ? /^Comment\[de\]=(.*)$/m : /^Comment=(.*)$/m;
  const { description } = JSON.parse(read('package.json')) as { description: string };
  return [
    ['counterfoil.desktop', line.exec(entry)?.[1] ?? ''],
    ...(language === 'en' ? ([['package.json', description]] satisfies [string, string][]) : []),
  ];
};

const secondNames = (language: Language, texts: readonly [string, string][]): string[] =>
  texts.flatMap(([place, text]) =>
    terms[language]
      .filter(({ found, except }) => found.test(text) && except?.test(place) !== true)
      .map(({ found, instead }) => `${place}: "${found.exec(text)?.[0]}", write ${instead}`),
  );

test.each(['en', 'de'] as const)('each thing has one name in the messages of %s', language => {
  expect(secondNames(language, catalogueTexts(language))).toEqual([]);
});

test('each thing has the same name in the sandbox, the usage of the intake and the packages', () => {
  expect(sourceTexts().length).toBeGreaterThan(40);
  expect(secondNames('en', [...sourceTexts(), ...packageTexts('en')])).toEqual([]);
  expect(secondNames('de', packageTexts('de'))).toEqual([]);
});

test('a second name is found, with the name to write', () => {
  expect(
    secondNames('en', [
      ['a', shown('Open Counterfoil on another PC.')],
      ['b', shown('{gateway} sends it.')],
      ['assumptions.lead', 'Other gateways send it.'],
    ]),
  ).toEqual(['a: "PC", write computer']);
  expect(secondNames('de', [['a', 'Fügen Sie den Beitrittstext ein.']])).toEqual([
    'a: "Beitrittstext", write Beitrittscode',
  ]);
});
