import { createContext, useCallback, useContext } from 'react';
import { useLocale } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { formattedValues } from '../../shared/messages/format-message.ts';
import type { Message, MessageKey, MessageValue, ValuesOf, Language } from '../../shared/messages/message.ts';

/** Cached: creating a formatter takes far longer than using it, and a list uses it for every row. */
const cached = <O, F>(create: (locale: string, options: O) => F): ((locale: string, options: O) => F) => {
  const made = new Map<string, F>();
  return (locale, options) => {
    const key = `${locale} ${JSON.stringify(options)}`;
    const formatter = made.get(key) ?? create(locale, options);
    made.set(key, formatter);
    return formatter;
  };
};

/** The formatter of dates and times for a locale (BCP 47). Every clock has 24 hours, as in `clockParts`. */
export const dateFormat = cached<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>(
  (locale, options) => new Intl.DateTimeFormat(locale, { hourCycle: 'h23', ...options }),
);

/** The formatter of numbers for a locale. */
export const numberFormat = cached<Intl.NumberFormatOptions, Intl.NumberFormat>(
  (locale, options) => new Intl.NumberFormat(locale, options),
);

/** The formatter of enumerations for a locale. */
export const listFormat = cached<Intl.ListFormatOptions, Intl.ListFormat>(
  (locale, options) => new Intl.ListFormat(locale, options),
);

/** The formatter of names in the language of a locale, such as those of currencies. */
export const namesOf = cached<Intl.DisplayNamesOptions, Intl.DisplayNames>(
  (locale, options) => new Intl.DisplayNames([locale], options),
);

const relatives = cached<Intl.RelativeTimeFormatOptions, Intl.RelativeTimeFormat>(
  (locale, options) => new Intl.RelativeTimeFormat(locale, options),
);

/** The formatter of relative times, in short form, for a locale (BCP 47). */
export const relativeFormat = (locale: string): Intl.RelativeTimeFormat =>
  relatives(locale, { numeric: 'auto', style: 'short' });

/** Formats a text of the catalogue with its values. */
export type Translate = <K extends MessageKey>(key: K, ...values: ValuesOf<K>) => string;

/** The name of who wrote an event. */
export const agentName = (agent: string, t: Translate): string =>
  agent === 'console' ? t('actor.console') : agent;

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

/** Writes an ISO date as the window's locale does. */
export const useDay = (): ((day: string) => string) => {
  const { locale } = useLocaleChoice();
  return day => dateFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(day));
};
