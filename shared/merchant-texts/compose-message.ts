import { ownCustomer } from './own-customer.ts';
import { clockParts } from '../messages/clock-parts.ts';
import type { FormatMessage } from '../messages/format-message.ts';
import { msg, type Language } from '../messages/message.ts';
import { formatMoney } from '../money/format-amount.ts';
import type { Payment } from '../payments/payment.ts';
import { plainText } from '../plain-text.ts';
import {
  messagePlaceholders,
  parseMessage,
  type MessagePlaceholder,
  type MessageSlot,
  type MessageTemplates,
} from './message-templates.ts';

export type MessageValues = Readonly<Record<MessagePlaceholder, string>>;

/** Our message of a slot in the formatter's language, with its placeholders. */
export const defaultMessage = (slot: MessageSlot, format: FormatMessage): string => {
  const themselves = Object.fromEntries(messagePlaceholders.map(name => [name, `{${name}}`]));
  return format({ key: `message.${slot}`, values: themselves });
};

/** What a message says about a payment. */
export type MessageSubject = Pick<
  Payment,
  'amount' | 'currency' | 'description' | 'orderNumber' | 'customer' | 'customerFrom' | 'raisedHere'
> & {
  /** In its place, before a link exists: a text that says so. */
  link: string;
  /** Milliseconds. */
  expiresAt: number;
  merchant: { name: string; phone: string };
  /** IANA zone of the merchant. */
  timeZone: string;
};

/** The values in the formatter's language. Invisible characters are replaced: one could reverse the link. */
export const messageValues = (of: MessageSubject, format: FormatMessage): MessageValues => {
  const locale = format(msg('language.tag'));
  const name = plainText(ownCustomer(of)?.name ?? '').trim();
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: of.timeZone });
  const time = new Intl.DateTimeFormat(locale, {
    ...clockParts,
    timeZone: of.timeZone,
  });
  return {
    greeting: format(name === '' ? msg('message.greeting.nameless') : msg('message.greeting', { name })),
    amount: of.amount === null ? '…' : formatMoney(of.amount, of.currency ?? '', locale),
    description: plainText(of.description ?? of.orderNumber),
    order: plainText(of.orderNumber),
    until: format(msg('message.until', { date: date.format(of.expiresAt), time: time.format(of.expiresAt) })),
    link: of.link,
    safety: format(msg('message.safety')),
    merchant: plainText(of.merchant.name),
    phone: plainText(of.merchant.phone),
  };
};

/** A line whose placeholders are all empty, and which has no other words, is left out. */
const isEmptyLine = (line: string, values: MessageValues): boolean => {
  const names = messagePlaceholders.filter(name => line.includes(`{${name}}`));
  const rest = names.reduce((text, name) => text.replaceAll(`{${name}}`, ''), line);
  return names.length > 0 && names.every(name => values[name] === '') && !/[\p{L}\p{N}]/u.test(rest);
};

/** Puts the values into a valid text with placeholders. */
const fill = (text: string, slot: MessageSlot, values: MessageValues): string => {
  const lines = text.replaceAll(/\{\s*([a-z]+)\s*\}/g, '{$1}').split('\n');
  const left = lines.filter(line => !isEmptyLine(line, values)).join('\n');
  const read = parseMessage(left, slot);
  if (!read.ok) return left;
  const filled = read.parts.map(part =>
    part.kind === 'text' ? part.text : part.kind === 'value' ? values[part.name] : '',
  );
  return filled
    .join('')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
};

/** The merchant's message of a slot, otherwise ours, with the values of a payment. `format`: in `language`. */
export const composeMessage = (
  slot: MessageSlot,
  language: Language,
  templates: MessageTemplates,
  values: MessageValues,
  format: FormatMessage,
): string => fill(templates[language][slot] ?? defaultMessage(slot, format), slot, values);
