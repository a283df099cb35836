import type { MessageKey, MessageValues } from './message-values.ts';

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
