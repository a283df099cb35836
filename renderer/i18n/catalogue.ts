import type { Catalogue } from '../../shared/messages/format-message.ts';
import type { Language } from '../../shared/messages/language.ts';

/** Each catalogue is loaded when its language is first used; a third language needs only another line here. */
const catalogues: Readonly<Record<Language, () => Promise<{ default: Catalogue }>>> = {
  en: () => import('../../shared/messages/en.json'),
  de: () => import('../../shared/messages/de.json'),
};

const loaded = new Map<Language, Catalogue>();

/** The catalogue of a language that `loadCatalogue` has already loaded. */
export const loadedCatalogue = (language: Language): Catalogue | null => loaded.get(language) ?? null;

/** Loads the catalogue of a language. */
export const loadCatalogue = async (language: Language): Promise<Catalogue> => {
  const catalogue = (await catalogues[language]()).default;
  loaded.set(language, catalogue);
  return catalogue;
};
