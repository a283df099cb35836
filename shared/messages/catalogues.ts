import type { Language } from './message.ts';
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import { createMessageFormatter, type Catalogue, type FormatMessage } from './format-message.ts';

/**
 * All catalogues at once, for the main process and the commands; the window loads the one that it needs. A third
 * language needs only another file here.
 */
const catalogues: Readonly<Record<Language, Catalogue>> = { en, de };

const formatters = new Map<string, FormatMessage>();

/** The formatter of a language. `locale`: BCP 47, for numbers and plurals. */
export const formatterFor = (language: Language, locale: string = language): FormatMessage => {
  const key = `${language} ${locale}`;
  const known = formatters.get(key);
  if (known) return known;
  const made = createMessageFormatter(locale, catalogues[language]);
  formatters.set(key, made);
  return made;
};

/** A message in English, for records that are read in one language: the payment log and the application log. */
export const inEnglish: FormatMessage = message => formatterFor('en')(message);
