import type { MessageKey, MessageValues } from './message-values.ts';

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

export type { MessageKey } from './message-values.ts';

/** A value of a message: shown as it is, or another message. */
export type MessageValue = string | number | Message;

/**
 * A text for people, before a language is chosen: a key of the catalogue and the values of its placeholders. Main
 * returns messages; the window, notifications, the dossier and the commands format them.
 */
export type Message = {
  key: MessageKey;
  values?: Readonly<Record<string, MessageValue>> | undefined;
};

type Values = MessageValues<MessageValue>;

/** The values that a message needs: none if it has no placeholders; optional if only some of several keys have. */
export type ValuesOf<K extends MessageKey> = [K & keyof Values] extends [never]
  ? []
  : [K] extends [keyof Values]
    ? [values: Values[K]]
    : [values?: Values[K & keyof Values]];

/** A message with its values. */
export const msg = <K extends MessageKey>(key: K, ...[values]: ValuesOf<K>): Message =>
  values === undefined ? { key } : { key, values };

/** A text in words that are not ours, such as a provider's answer: the same in every language. */
export const quoted = (text: string): Message => msg('quoted', { text });

/** Two texts, one after the other; `null` is left out. */
export const joined = (first: Message, second: Message | null): Message =>
  second === null ? first : msg('joined', { first, second });
