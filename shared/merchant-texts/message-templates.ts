import { containsCardNumber } from '../card-number.ts';
import type { Language } from '../messages/message.ts';
import { hiddenCharacter, hasWords, readParts, type TextProblem, type TextReading } from './text-parts.ts';

/** The merchant's messages to customers, which replace those of the catalogue: one for each channel and language. */

/** Length limit of a message, UTF-16 units: mail programs truncate long `mailto:` addresses. */
export const maxMessageChars = 1_000;

export const messageChannels = ['email', 'sms', 'whatsapp'] as const;
export type MessageChannel = (typeof messageChannels)[number];

/** The texts that can be replaced: a message for each channel, and the subject of the e-mail. */
export const messageSlots = ['subject', ...messageChannels] as const;
export type MessageSlot = (typeof messageSlots)[number];

/** `greeting` and `safety` are sentences of the catalogue; `phone` is the merchant's. */
export const messagePlaceholders = [
  'greeting',
  'amount',
  'description',
  'order',
  'until',
  'link',
  'safety',
  'merchant',
  'phone',
] as const;
export type MessagePlaceholder = (typeof messagePlaceholders)[number];

/** Separate by language: a message is never used in the other language. */
export type MessageTemplates = Record<Language, Partial<Record<MessageSlot, string>>>;

export type MessageProblem = TextProblem<'line-break' | 'no-link' | 'link-in-subject'>;

/** Parses a message of a slot, or returns the problem. Every message contains the link; a subject never does. */
export const parseMessage = (
  text: string,
  slot: MessageSlot,
): TextReading<MessagePlaceholder, 'line-break' | 'no-link' | 'link-in-subject'> => {
  const refused = (kind: MessageProblem['kind'], found = ''): { ok: false; problem: MessageProblem } => ({
    ok: false,
    problem: { kind, found },
  });
  if (text.length > maxMessageChars) return refused('too-long', String(text.length));
  if (slot === 'subject' && text.includes('\n')) return refused('line-break');
  if (hiddenCharacter.test(text.replaceAll('\n', ' ')) || !text.isWellFormed()) return refused('hidden');
  if (containsCardNumber(text)) return refused('card-number');
  const read = readParts(text, messagePlaceholders, null);
  if (!read.ok) return read;
  const hasLink = read.parts.some(part => part.kind === 'value' && part.name === 'link');
  if (slot === 'subject' && hasLink) return refused('link-in-subject');
  if (slot !== 'subject' && !hasLink) return refused('no-link');
  return hasWords(read.parts) ? read : refused('no-words');
};
