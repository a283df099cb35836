import { withAsciiDigits } from './digits.ts';

/**
 * Detects card numbers: no field of the console may contain one.
 *
 * It finds every run of 13 to 19 digits that passes the Luhn check, in one piece or in groups with blanks, dashes or
 * dots between. Text after it (expiry, code) does not hide it. It does not find masked numbers, a run of 20 or more
 * digits, the digits of a uuid, or a 12-digit RRN. One in ten other numbers of that length passes the check by chance
 * (a timestamp in milliseconds, an all-digit order number, an IBAN). They are refused as well, since no rule
 * distinguishes them safely.
 */

const minDigits = 13;
const maxDelayMs = 19;

const uuid = /(?<![0-9a-z])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-z])/gi;

/** Digit groups with at most three blanks, dashes or dots between them. */
const chain = /\d+(?:[\s.·\-‐‑‒–—−]{1,3}\d+)*/g;

/** Whether a run of digits passes the check of ISO/IEC 7812: every second digit from the right counts double. */
export const passesLuhn = (digits: string): boolean => {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48;
    const weighed = index % 2 === 0 ? digit : digit * 2;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum % 10 === 0;
};

/** Whether neighbouring groups, taken whole, make a card number. */
const chainHolds = (groups: readonly string[]): boolean =>
  groups.some((_, from) => {
    let digits = '';
    for (const group of groups.slice(from, from + maxDelayMs)) {
      digits += group;
      if (digits.length > maxDelayMs) return false;
      if (digits.length >= minDigits && passesLuhn(digits)) return true;
    }
    return false;
  });

/** Whether a text may contain a card number; the top of this file defines what counts. */
export const containsCardNumber = (text: string): boolean => {
  const plain = withAsciiDigits(text.normalize('NFKC').replaceAll(/\p{Cf}/gu, '')).replaceAll(uuid, '|');
  for (const [run] of plain.matchAll(chain)) {
    if (run.length >= minDigits && chainHolds(run.split(/\D+/))) return true;
  }
  return false;
};

const uuidOrRun = new RegExp(`${uuid.source}|\\p{Nd}+(?:[\\s.·\\-‐‑‒–—−\\p{Cf}]{1,3}\\p{Nd}+)*`, 'giu');
/** The first digits of card numbers in use: 3, 4, 5, 6 and the second range of Mastercard. */
const issuer = /^(?:[3-6]|2[2-7])/;

/** Masks the groups of one run of digits that make a card number; the rest is unchanged. */
const maskRun = (run: string, isCardField: boolean): string => {
  const groups = [...run.matchAll(/\p{Nd}+/gu)].map(([digits], at, all) => ({
    digits: withAsciiDigits(digits.normalize('NFKC')),
    from: all[at]?.index ?? 0,
    to: (all[at]?.index ?? 0) + digits.length,
  }));
  let masked = '';
  let copied = 0;
  for (let first = 0; first < groups.length; first += 1) {
    let digits = '';
    for (let last = first; last < groups.length && digits.length < maxDelayMs; last += 1) {
      digits += groups[last]?.digits ?? '';
      if (digits.length < minDigits || digits.length > maxDelayMs || !passesLuhn(digits)) continue;
      if (!isCardField && !issuer.test(digits)) continue;
      masked += `${run.slice(copied, groups[first]?.from)}${digits.slice(0, 6)}${'*'.repeat(digits.length - 10)}${digits.slice(-4)}`;
      copied = groups[last]?.to ?? run.length;
      first = last;
      break;
    }
  }
  return masked + run.slice(copied);
};

/**
 * A text with every card number masked to its first six and last four digits; linear in its length. `isCardField`:
 * any number that passes the check counts; otherwise only one with an issuer's first digits, so that a timestamp or a
 * telephone number stays.
 */
export const maskCardNumbers = (text: string, isCardField = false): string =>
  text.length < minDigits
    ? text
    : text.replaceAll(uuidOrRun, found =>
        found.length < minDigits || /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/i.test(found)
          ? found
          : maskRun(found, isCardField),
      );
