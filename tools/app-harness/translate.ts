import type { Translate } from '../../renderer/i18n/text.ts';
import { formatterFor } from '../../shared/messages/catalogues.ts';
import type { Language, MessageKey, MessageValue } from '../../shared/messages/message.ts';

type Values = Readonly<Record<string, MessageValue>>;

/** The window's texts in a language, without a window. */
export const translateTo =
  (language: Language): Translate =>
  (key: MessageKey, values?: Values) =>
    formatterFor(language)({ key, values });

/** Each text as its key and its values, for tests that do not depend on the wording. */
export const translateToKeys: Translate = (key: MessageKey, values: Values = {}) =>
  [key, ...Object.values(values).map(String)].join(' ');
