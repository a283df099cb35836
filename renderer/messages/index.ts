import de from './de.json';
import en from './en.json';

/** One ICU catalogue per language: a third language is one more file here. */
export type MessageKey = keyof typeof en;
export type Language = 'en' | 'de';

export const catalogues: Readonly<Record<Language, Readonly<Record<MessageKey, string>>>> = { en, de };

/** The language of the words, and the locale in which numbers and times are written. */
export const chooseLanguage = (
  chosen: 'system' | Language,
  systemLocale: string,
): { language: Language; locale: string } => {
  const system = systemLocale.toLowerCase().startsWith('de') ? 'de' : 'en';
  const language = chosen === 'system' ? system : chosen;
  const fits = systemLocale.toLowerCase().split(/[-_]/)[0] === language;
  const locale = fits || chosen === 'system' ? systemLocale.replaceAll('_', '-') : language;
  return { language, locale: Intl.NumberFormat.supportedLocalesOf([locale])[0] ?? language };
};
