import type { Language } from '../../shared/settings/language.ts';
import { phrasebook, type Phrasebook, type Phrases } from '../i18n/translate-server-text.ts';
import type en from './en.json';

export { chooseLanguage, type Language } from '../../shared/settings/language.ts';

/** One ICU catalogue per language: a third language needs only another file here. */
export type MessageKey = keyof typeof en;
type Catalogue = Readonly<Record<MessageKey, string>>;

/** Loaded when its language is first used. */
const catalogues: Readonly<Record<Language, () => Promise<{ default: Catalogue }>>> = {
  en: () => import('./en.json'),
  de: () => import('./de.json'),
};

/** The catalogue of a language. */
export const readCatalogue = async (language: Language): Promise<Catalogue> =>
  (await catalogues[language]()).default;

/** Main's messages in the window's language; null for English, in which they are written. */
const phrases: Readonly<Record<Language, (() => Promise<{ default: Phrases }>) | null>> = {
  en: null,
  de: () => import('./phrases-de.json'),
};

const readPhrasebook = async (language: Language): Promise<Phrasebook> => {
  const read = phrases[language];
  return read ? phrasebook((await read()).default) : sentence => sentence;
};

/** A language's catalogue and its translations of main's messages. */
export type LanguageTexts = { messages: Catalogue; phrases: Phrasebook };
const loadedByLanguage = new Map<Language, LanguageTexts>();

/** The texts of a language that `loadTexts` has already loaded. */
export const loadedTexts = (language: Language): LanguageTexts | null =>
  loadedByLanguage.get(language) ?? null;

/** Loads all texts of a language. */
export const loadTexts = async (language: Language): Promise<LanguageTexts> => {
  const [messages, phrases] = await Promise.all([readCatalogue(language), readPhrasebook(language)]);
  const words = { messages, phrases };
  loadedByLanguage.set(language, words);
  return words;
};
