import { formatterFor } from '../../shared/messages/catalogues.ts';
import de from '../../shared/messages/de.json' with { type: 'json' };
import en from '../../shared/messages/en.json' with { type: 'json' };
import type { Message } from '../../shared/messages/message.ts';

const catalogues = Object.entries({ en, de });

const faultsOf = (message: Message): string[] => [
  ...catalogues.flatMap(([language, catalogue]) => {
    if (!Object.hasOwn(catalogue, message.key)) return [`${language} lacks ${message.key}`];
    // A message whose value is missing is returned with its placeholders.
    const text = formatterFor(language === 'de' ? 'de' : 'en')(message);
    return /[{}]/.test(text) ? [`${language} ${message.key}: ${text}`] : [];
  }),
  ...Object.entries(message.values ?? {}).flatMap(([name, value]) =>
    // An undefined value would be formatted as an empty text.
    value === undefined ? [`${message.key}: no ${name}`] : typeof value === 'object' ? faultsOf(value) : [],
  ),
];

/** The faults of messages: a language that lacks a key, or a placeholder without a value. */
export const faultyMessages = (messages: Iterable<Message | null | undefined>): string[] => [
  ...new Set([...messages].flatMap(message => (message ? faultsOf(message) : []))),
];
