import { useEffect, useState } from 'react';
import { createMessageFormatter, type Catalogue } from '../../shared/messages/format-message.ts';
import type { Language, MessageKey, MessageValue } from '../../shared/messages/message.ts';
import { loadCatalogue, loadedCatalogue } from './catalogue.ts';
import type { Translate } from './text.ts';

/** The catalogue's texts in a language other than the window's, for what a customer reads; null until loaded. */
export const useTextIn = (language: Language): Translate | null => {
  const [catalogue, setCatalogue] = useState<{ language: Language; texts: Catalogue } | null>(null);
  const texts = loadedCatalogue(language) ?? (catalogue?.language === language ? catalogue.texts : null);
  useEffect(() => {
    if (texts !== null) return undefined;
    let isCurrent = true;
    void loadCatalogue(language).then(loaded => {
      if (isCurrent) setCatalogue({ language, texts: loaded });
    });
    return () => {
      isCurrent = false;
    };
  }, [language, texts]);
  if (texts === null) return null;
  const format = createMessageFormatter(texts['language.tag'], texts);
  return (key: MessageKey, ...[values]: [Readonly<Record<string, MessageValue>>?]) => format({ key, values });
};
