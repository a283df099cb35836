import { formatterFor } from './catalogues.ts';
import type { FormatMessage } from './format-message.ts';
import { chooseLanguage, isLocaleTag, languages } from './message.ts';

/** The language of a command's texts: `--language`, otherwise the environment's, otherwise English. */

/** The option for `parseArgs`. */
export const languageOption = { language: { type: 'string' } } as const;

/** The choices of `--language`, for messages. */
export const languageChoices = languages.join(', ');

/** Whether `--language` was left out or names a language that the commands have. */
export const isKnownLanguage = (given: string | undefined): boolean =>
  given === undefined || languages.some(language => language === given);

/** The value of `--language` in arguments that may be wrong otherwise: their error needs a language as well. */
const givenLanguage = (args: readonly string[]): string | undefined => {
  const at = args.findLastIndex(argument => /^--language(?:=|$)/.test(argument));
  if (at < 0) return undefined;
  return args[at] === '--language' ? args[at + 1] : args[at]?.slice('--language='.length);
};

/** The locale of POSIX variables, BCP 47: `de_DE.UTF-8` → `de-DE`, `C` → `en`. */
const environmentLocale = (environment: Readonly<Record<string, string | undefined>>): string => {
  const { LC_ALL, LC_MESSAGES, LANG } = environment;
  const locale = (LC_ALL || LC_MESSAGES || LANG || '').replace(/[.@].*$/, '').replaceAll('_', '-');
  return isLocaleTag(locale) ? locale : 'en';
};

/** Formats the messages of a command in its language. */
export const commandFormatter = (
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): FormatMessage => {
  const given = givenLanguage(args);
  const chosen = languages.find(language => language === given) ?? 'system';
  const { language, locale } = chooseLanguage(chosen, environmentLocale(environment));
  return formatterFor(language, locale);
};
