import { createIntl, createIntlCache } from '@formatjs/intl';
import { inLine } from '../plain-text.ts';
import type { Message, MessageKey, MessageValue } from './message.ts';

/** The texts of one language, ICU MessageFormat. */
export type Catalogue = Readonly<Record<MessageKey, string>>;

export type FormatMessage = (message: Message) => string;

/** The values of a message with its nested messages formatted. */
export const formattedValues = (
  values: Readonly<Record<string, MessageValue>>,
  format: FormatMessage,
): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'object' ? format(value) : typeof value === 'string' ? inLine(value) : value,
    ]),
  );

/**
 * Formats messages in one language. `locale`: BCP 47, for numbers and plurals. A key that the catalogue lacks is
 * returned as it is.
 */
export const createMessageFormatter = (locale: string, catalogue: Catalogue): FormatMessage => {
  const intl = createIntl({ locale, messages: catalogue, onError: () => {} }, createIntlCache());
  const format: FormatMessage = ({ key, values }) =>
    intl.formatMessage({ id: key }, values && formattedValues(values, format));
  return format;
};
