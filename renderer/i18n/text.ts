import { createContext, useCallback, useContext } from 'react';
import { useLocale } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { Language, MessageKey } from '../messages/index.ts';
import type { Phrasebook } from './translate-server-text.ts';

type MessageValues = Record<string, string | number>;
export type Translate = (key: MessageKey, values?: MessageValues) => string;

/** In a right-to-left sentence, values keep their own order (Unicode isolates). */
const isolated = <V extends MessageValues>(values: V): V =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? `\u2068${value}\u2069` : value,
    ]),
  ) as V;

/** Values isolated by the direction of the surrounding text. */
export const useInDirection = (): (<V extends MessageValues>(values: V) => V) => {
  const { direction } = useLocale();
  return useCallback(values => (direction === 'rtl' ? isolated(values) : values), [direction]);
};

/** The catalogue's message for a key, with its values. */
export const useText = (): Translate => {
  const intl = useIntl();
  const inDirection = useInDirection();
  return useCallback(
    (key, values) => intl.formatMessage({ id: key }, values && inDirection(values)),
    [intl, inDirection],
  );
};

/** Texts in `language`; numbers and times in `locale`. */
export const LocaleContext = createContext<{ language: Language; locale: string }>({
  language: 'en',
  locale: 'en-GB',
});
export const useLocaleChoice = (): { language: Language; locale: string } => useContext(LocaleContext);

export const PhrasesContext = createContext<Phrasebook>(sentence => sentence);
/** Main's messages in the window's language; a message without translation stays English. */
export const useServerText = (): ((sentence: string) => string) => {
  const phrases = useContext(PhrasesContext);
  return useCallback(sentence => phrases(sentence) ?? sentence, [phrases]);
};
