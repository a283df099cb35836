import { containsCardNumber } from './card-number.ts';

/** A telephone number in international form (E.164), as `sms:` and wa.me need it. */

/** Country codes whose national numbers are dialled with a 0 that is left out from abroad (not Italy's, for example). */
const withTrunkZero = '(?:20|27|3[1-3]|353|35[89]|38[015-79]|4[013469]|421|61|64|81|90|972)';

/** E.164 allows 15 digits; the shortest numbers in use have 7 with the country code. */
const international = new RegExp(`^\\+(?!${withTrunkZero}0)[1-9]\\d{6,14}$`);

/**
 * Card numbers short enough for E.164, where the country code of the same digits has no numbers of that length: UATP
 * (+1 has 11 digits), American Express (+34 has 11, +370 to +378 at most 13), JCB (+213 has 12) and Diners Club (+30
 * has 12, +36 has 11, +380 to +389 and +39 fewer than 14 in use). A Visa number of 13 digits is accepted: German and
 * Austrian telephone numbers have the same form, and such cards are no longer issued.
 */
const cardShape = /^\+(?:1\d{14}|3[47]\d{13}|2131\d{11}|3(?:0[0-5]|[689]\d)\d{11})$/;

const homeCode = new RegExp(`^\\+(${withTrunkZero})`);
const trunkZero = new RegExp(
  `^(\\+\\s*${withTrunkZero}[\\s./-]*)(?:\\(\\s*0\\s*\\)|(\\(?)0)(?=[\\s./-]*[(1-9])`,
);

/**
 * The number as `+` and digits, without the 0 of "+49 (0)171"; null unless it is written with `+` and the country code.
 * A national number is not completed here: the country would be a guess. A card number with `+` before it is refused.
 */
export const readPhoneNumber = (text: string): string | null => {
  const dialled = text.trim().replace(trunkZero, '$1$2');
  const compact = dialled.replaceAll(/[\s.\-‐‑–/()\u00a0]/g, '');
  if (!international.test(compact) || /\(\s*0\s*\)/.test(dialled)) return null;
  return cardShape.test(compact) && containsCardNumber(compact.slice(1)) ? null : compact;
};

/**
 * A typed number in international form: "0171 555" is read by the country of the merchant's own number, and a 0 after
 * the country code is left out. The text itself if it needs neither, or cannot be read.
 */
export const completePhoneNumber = (text: string, merchantPhone: string): string => {
  const [, home] = homeCode.exec(readPhoneNumber(merchantPhone) ?? '') ?? [];
  const typed = text.trim();
  const abroad = home === undefined ? typed : typed.replace(/^(\(?)0(?=[\s./-]*[1-9])/, `+${home} $1`);
  const dialled = abroad.replace(trunkZero, '$1$2');
  return dialled === typed || readPhoneNumber(dialled) === null ? text : dialled;
};

/** Whether a field for a telephone number holds a card number: a telephone number can look like one. */
export const isCardInPhoneField = (text: string): boolean =>
  readPhoneNumber(text) === null && containsCardNumber(text);
