import { createContext, useCallback, useContext } from 'react';
import { useLocale } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { formattedValues } from '../../shared/messages/format-message.ts';
import type { Language, Message, MessageKey, MessageValue, ValuesOf } from '../../shared/messages/message.ts';
import { listFormat, numberFormat } from './formatters.ts';

/** Formats a text of the catalogue with its values. */
export type Translate = <K extends MessageKey>(key: K, ...values: ValuesOf<K>) => string;

/** In a right-to-left sentence, values keep their own order (Unicode isolates). */
const isolated = <V extends Record<string, string | number>>(values: V): V =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? `\u2068${value}\u2069` : value,
    ]),
  ) as V;

/** Values isolated by the direction of the surrounding text. */
export const useInDirection = (): (<V extends Record<string, string | number>>(values: V) => V) => {
  const { direction } = useLocale();
  return useCallback(values => (direction === 'rtl' ? isolated(values) : values), [direction]);
};

/** Formats messages in the window's language: those of main, and those of the window that are values of others. */
export const useMessage = (): ((message: Message) => string) => {
  const intl = useIntl();
  const inDirection = useInDirection();
  return useCallback(
    message => {
      const format = ({ key, values }: Message): string =>
        intl.formatMessage({ id: key }, values && inDirection(formattedValues(values, format)));
      return format(message);
    },
    [intl, inDirection],
  );
};

/** The catalogue's text for a key, with its values. */
export const useText = (): Translate => {
  const say = useMessage();
  return useCallback(
    (key: MessageKey, ...[values]: [Readonly<Record<string, MessageValue>>?]) => say({ key, values }),
    [say],
  );
};

/** Texts in `language`; numbers and times in `locale`. */
export const LocaleContext = createContext<{ language: Language; locale: string }>({
  language: 'en',
  locale: 'en-GB',
});
export const useLocaleChoice = (): { language: Language; locale: string } => useContext(LocaleContext);

/** Writes numbers as the window's locale does. */
export const useNumber = (options: Intl.NumberFormatOptions = {}): ((value: number) => string) => {
  const { locale } = useLocaleChoice();
  return value => numberFormat(locale, options).format(value);
};

/** Joins names as the window's locale does: "a, b and c", or with "or". */
export const useList = (
  type: 'conjunction' | 'disjunction' = 'conjunction',
): ((names: Iterable<string>) => string) => {
  const { locale } = useLocaleChoice();
  return names => listFormat(locale, { type }).format(names);
};
