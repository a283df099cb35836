import type { Language } from '../../shared/language.ts';
import de from './de.json';
import en from './en.json';

export { chooseLanguage, type Language } from '../../shared/language.ts';

/** One ICU catalogue per language: a third language is one more file here. */
export type MessageKey = keyof typeof en;

export const catalogues: Readonly<Record<Language, Readonly<Record<MessageKey, string>>>> = { en, de };
