/** The languages of the console; each has a catalogue in shared/messages. */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** The language of the texts, and the locale for numbers and times. `systemLocale`: BCP 47. */
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

/** Whether `Intl` accepts a text as a language tag (BCP 47). */
export const isLocaleTag = (text: string): boolean => {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
};
