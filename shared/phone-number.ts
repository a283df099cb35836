import { containsCardNumber } from './card-number.ts';

/** A telephone number in international form (E.164), as `sms:` and wa.me need it. */

/** E.164 allows 15 digits; the shortest numbers in use have 7 with the country code. */
const international = /^\+[1-9]\d{6,14}$/;

/**
 * Card numbers short enough for E.164, where the country code of the same digits has no numbers of that length: UATP
 * (+1 has 11 digits), American Express (+34 has 11, +370 to +378 at most 13), JCB (+213 has 12) and Diners Club (+30
 * has 12, +36 has 11, +380 to +389 and +39 fewer than 14 in use). A Visa number of 13 digits is accepted: German and
 * Austrian telephone numbers have the same form, and such cards are no longer issued.
 */
const cardShape = /^\+(?:1\d{14}|3[47]\d{13}|2131\d{11}|3(?:0[0-5]|[689]\d)\d{11})$/;

/**
 * The number as `+` and digits; null unless it is written with `+` and the country code. A national number is never
 * completed: the country would be a guess. `(0)` is refused, since it is not dialled from abroad. So is a card number
 * with `+` before it.
 */
export const readPhoneNumber = (text: string): string | null => {
  const compact = text.trim().replaceAll(/[\s.\-‐‑–/()\u00a0]/g, '');
  if (!international.test(compact) || /\(\s*0\s*\)/.test(text)) return null;
  return cardShape.test(compact) && containsCardNumber(compact.slice(1)) ? null : compact;
};

/** Whether a field for a telephone number holds a card number: a telephone number can look like one. */
export const isCardInPhoneField = (text: string): boolean =>
  readPhoneNumber(text) === null && containsCardNumber(text);
