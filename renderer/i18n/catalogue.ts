import type { Catalogue } from '../../shared/messages/format-message.ts';
import type { Language } from '../../shared/messages/message.ts';

/**
 * Each catalogue is loaded when its language is first used: first the texts of the first screen, then the others. The
 * build divides the file, see window-texts.ts. A third language needs only another line here.
 */
const catalogues: Readonly<
  Record<Language, Record<'first' | 'others', () => Promise<{ default: Catalogue }>>>
> = {
  en: {
    first: () => import('../../shared/messages/en.json'),
    others: () => import('../../shared/messages/en.json?others'),
  },
  de: {
    first: () => import('../../shared/messages/de.json'),
    others: () => import('../../shared/messages/de.json?others'),
  },
};

const loaded = new Map<Language, Catalogue>();
const whole = new Map<Language, Promise<Catalogue>>();
const { promise: firstWhole, resolve: isWhole } = Promise.withResolvers<void>();

/** The catalogue of a language, as far as it has been loaded already. */
export const loadedCatalogue = (language: Language): Catalogue | null => loaded.get(language) ?? null;

/** Loads the texts of the first screen in a language. */
export const loadCatalogue = async (language: Language): Promise<Catalogue> => {
  const first = (await catalogues[language].first()).default;
  const known = loaded.get(language) ?? first;
  loaded.set(language, known);
  return known;
};

const loadBoth = async (language: Language): Promise<Catalogue> => {
  const { first, others } = catalogues[language];
  const parts = await Promise.all([first(), others()]);
  const both = { ...parts[0].default, ...parts[1].default };
  loaded.set(language, both);
  isWhole();
  return both;
};

/** Loads all texts in a language. */
export const loadWholeCatalogue = (language: Language): Promise<Catalogue> => {
  const texts = whole.get(language) ?? loadBoth(language);
  whole.set(language, texts);
  return texts;
};

/** Resolves once all texts of a language are loaded: a screen other than the first needs them. */
export const whenTextsAreLoaded = (): Promise<void> => firstWhole;
