import { inEnglish } from '../../shared/messages/catalogues.ts';
import type { Message } from '../../shared/messages/message.ts';

/** A value whose messages are replaced by their English texts. */
export type InWords<T> = T extends Message
  ? string
  : T extends readonly (infer Item)[]
    ? InWords<Item>[]
    : T extends object
      ? { [K in keyof T]: InWords<T[K]> }
      : T;

const isMessage = (value: object): value is Message =>
  'key' in value &&
  typeof value.key === 'string' &&
  Object.keys(value).every(name => name === 'key' || name === 'values');

const replaced = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(replaced);
  if (typeof value !== 'object' || value === null || value.constructor !== Object) return value;
  if (isMessage(value)) return inEnglish(value);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, replaced(part)]));
};

/** Replaces every message within a value by its English text, so that a test compares what a user reads. */
export const inWords = <T>(value: T): InWords<T> => replaced(value) as InWords<T>;
