import { DateFormatter } from '@internationalized/date';
import { formatterFor } from '../../shared/messages/catalogues.ts';
import {
  msg,
  type Language,
  type Message,
  type MessageKey,
  type ValuesOf,
} from '../../shared/messages/message.ts';
import { clockText, isUtc } from './columns.ts';
import { safe } from './papers/safe-text.ts';

/** The language, numbers and times of a dossier. */
export type DossierText = {
  language: Language;
  /** BCP 47. */
  locale: string;
  /** The text of a message. The values must be safe in HTML. */
  t: <K extends MessageKey>(key: K, ...values: ValuesOf<K>) => string;
  /** A message without values of others. */
  say: (message: Message) => string;
  /** IANA, of the merchant. */
  zone: string;
  /** An instant in the merchant's zone, with UTC beside it if that differs. */
  when: (at: number) => string;
  /** Only in the merchant's zone, for sentences. */
  local: (at: number) => string;
};

/** An instant in UTC; without the date if that is the merchant's. */
const utcText = (at: number, zone: string): string => {
  const [day = '', time = ''] = clockText(at, 'UTC').split(' ');
  return clockText(at, zone).startsWith(`${day} `) ? time : `${day} ${time}`;
};

/** `zone`: IANA, of the merchant. */
export const dossierText = (choice: { language: Language; locale: string }, zone: string): DossierText => {
  const format = formatterFor(choice.language, choice.locale);
  const clock = new DateFormatter(choice.locale, { dateStyle: 'long', timeStyle: 'medium', timeZone: zone });
  const local = (at: number): string => safe(clock.format(new Date(at)));
  return {
    ...choice,
    zone,
    t: (key, ...values) => format(msg(key, ...values)),
    say: message => format(message),
    local,
    when: at => {
      const time = `<time datetime="${new Date(at).toISOString()}">${local(at)}</time>`;
      return isUtc(zone)
        ? `${time} UTC`
        : `${time} <span class="quiet nowrap">(${utcText(at, zone)} UTC)</span>`;
    },
  };
};

/** A fact of a list; nothing if it is not known. `value` must be safe in HTML. */
export const fact = (name: string, value: string | null): string =>
  value === null || value === '' ? '' : `<dt>${name}</dt><dd>${value}</dd>`;
