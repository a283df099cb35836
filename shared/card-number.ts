import { withAsciiDigits } from './digits.ts';

/**
 * Detects card numbers: no field of the console may contain one.
 *
 * It finds every run of 13 to 19 digits that passes the Luhn check, in one piece or in groups with blanks, dashes or
 * dots between, and the groups of a card with any equal separator. Text after it (expiry, code) does not hide it. It does not find masked numbers, a run of 20 or more
 * digits, the digits of a uuid, or a 12-digit RRN. One in ten other numbers of that length passes the check by chance
 * (a timestamp in milliseconds, an all-digit order number, an IBAN). They are refused as well, since no rule
 * distinguishes them safely.
 */

const minDigits = 13;
const maxDigits = 19;

const uuid = /(?<![0-9a-z])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-z])/gi;

/** Digit groups with at most three blanks, dashes or dots between them. */
const chain = /\d+(?:[\s.·\-‐‑‒–—−]{1,3}\d+)*/g;

/** The groups of a printed card, 4-4-4-4 or 4-6-5, with the same separator between all of them. */
const printed =
  /(?<!\d)(\d{4})([^\d\p{L}]{1,6}|x|%20|&nbsp;)(?:(\d{4})\2(\d{4})\2(\d{4})|(\d{6})\2(\d{5}))(?!\d)/giu;
const digitsOf = (found: readonly (string | undefined)[]): string =>
  [found[1], ...found.slice(3, 8)].join('');

/** The digit sum of twice a digit. */
const twice = (digit: number): number => (digit > 4 ? digit * 2 - 9 : digit * 2);

type CardNumber = { first: number; last: number; digits: string };

/**
 * The next card number made of whole neighbouring groups, from the group `from` on; null if there is none. The check of
 * ISO/IEC 7812 counts every second digit from the right double. `isCounted`: whether a number that passes it counts.
 */
const nextNumber = (
  groups: readonly string[],
  from: number,
  isCounted: (digits: string) => boolean,
): CardNumber | null => {
  for (let first = from; first < groups.length; first += 1) {
    let digits = '';
    // The sums if the last digit so far counts once, and if it counts double.
    let once = 0;
    let double = 0;
    for (let last = first; last < groups.length; last += 1) {
      const group = groups[last] ?? '';
      if (digits.length + group.length > maxDigits) break;
      digits += group;
      for (let place = 0; place < group.length; place += 1) {
        const digit = group.charCodeAt(place) - 48;
        const before = once;
        once = double + digit;
        double = before + twice(digit);
      }
      if (digits.length >= minDigits && once % 10 === 0 && isCounted(digits)) return { first, last, digits };
    }
  }
  return null;
};

/** Whether a text may contain a card number; the top of this file defines what counts. */
export const containsCardNumber = (text: string): boolean => {
  const plain = withAsciiDigits(text.normalize('NFKC').replaceAll(/\p{Cf}/gu, '')).replaceAll(uuid, '|');
  for (const [run] of plain.matchAll(chain))
    if (run.length >= minDigits && nextNumber(run.split(/\D+/), 0, () => true)) return true;
  for (const found of plain.matchAll(printed)) if (nextNumber([digitsOf(found)], 0, () => true)) return true;
  return false;
};

/** What may be between two groups, as it is, or as a URL (encoded once or more), JSON or HTML writes it. */
const plainGap = String.raw`[\s.·\-‐‑‒–—−\p{Cf}]`;
const encodedGap = String.raw`(?:${plainGap}|\+|%(?:25){0,3}(?:20|09|0[ad]|2[bde]|c2%(?:25){0,3}a0|e2%(?:25){0,3}80%(?:25){0,3}(?:8[0-9a-f]|9[0-5]|af))|\\u(?:00[2a][0d]|20[01][0-9a-f]|202f|2212)|\\[nrt]|&(?:nbsp|#160|#xa0);)`;
/** An escape before the first digit: its last characters can be digits too. */
const escapeSequence = String.raw`%(?:25){0,3}[0-9a-f]{2}|\\u[0-9a-f]{4}|&#x?[0-9a-f]{2,4};`;

type Reading = { run: RegExp; gap: RegExp };
const plainReading: Reading = {
  run: new RegExp(`${uuid.source}|\\p{Nd}+(?:${plainGap}{1,3}\\p{Nd}+)*`, 'giu'),
  gap: /(\P{Nd}+)/u,
};
const encodedReading: Reading = {
  run: new RegExp(`${uuid.source}|${escapeSequence}|\\p{Nd}+(?:${encodedGap}{1,3}\\p{Nd}+)*`, 'giu'),
  gap: new RegExp(`(${encodedGap}+)`, 'giu'),
};
/** The first digits of card numbers in use: 3, 4, 5, 6 and the second range of Mastercard. */
const issuer = /^(?:[3-6]|2[2-7])/;

const maskDigits = (digits: string): string =>
  `${digits.slice(0, 6)}${'*'.repeat(digits.length - 10)}${digits.slice(-4)}`;

/** Masks the groups of one run of digits that make a card number; the rest is unchanged. */
const maskRun = (run: string, gap: RegExp, isCardField: boolean): string => {
  // Digits at even places, what is between them at odd ones.
  const parts = run.split(gap);
  const groups = parts
    .filter((_, place) => place % 2 === 0)
    .map(digits => withAsciiDigits(digits.normalize('NFKC')));
  let masked = '';
  let copied = 0;
  const isCounted = (digits: string): boolean => isCardField || issuer.test(digits);
  let found = nextNumber(groups, 0, isCounted);
  while (found !== null) {
    const { first, last, digits } = found;
    masked += parts.slice(copied, first * 2).join('');
    masked += maskDigits(digits);
    copied = last * 2 + 1;
    found = nextNumber(groups, last + 1, isCounted);
  }
  return masked + parts.slice(copied).join('');
};

const maskReading = (text: string, { run, gap }: Reading, isCardField: boolean): string =>
  text.replaceAll(run, found =>
    found.length < minDigits || /^(?:[%\\&]|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-)/i.test(found)
      ? found
      : maskRun(found, gap, isCardField),
  );

/**
 * A text with every card number masked to its first six and last four digits; linear in its length. Everything that
 * comes from outside passes through it before it is shown, stored or printed. Groups may also be separated as in a
 * URL (`%20`, `+`, encoded more than once), in JSON or in HTML. `isCardField`: any number that passes the check
 * counts; otherwise only one with an issuer's first digits, so that a timestamp or a telephone number stays.
 */
export const maskCardNumbers = (text: string, isCardField = false): string => {
  if (text.length < minDigits) return text;
  const plain = text.replaceAll(/\p{No}/gu, one =>
    /^\d$/.test(one.normalize('NFKC')) ? one.normalize('NFKC') : one,
  );
  const masked = maskIn(plain, isCardField);
  // Circled and raised digits stay, unless they make a card number.
  return masked === plain ? text : masked;
};

const maskIn = (text: string, isCardField: boolean): string => {
  const read = maskReading(text, plainReading, isCardField);
  const masked = /[%+\\&]/.test(read) ? maskReading(read, encodedReading, isCardField) : read;
  return masked.replaceAll(printed, (...found: string[]) => {
    const [whole = ''] = found;
    const digits = digitsOf(found);
    const isCard = nextNumber([digits], 0, one => isCardField || issuer.test(one)) !== null;
    return isCard ? maskDigits(digits) : whole;
  });
};

/** A value of plain data (JSON) with the card numbers of all its texts masked, of names too. */
export const withoutCardNumbersIn = <T>(value: T): T => maskWithin(value) as T;

const maskWithin = (value: unknown): unknown => {
  if (typeof value === 'string') return maskCardNumbers(value);
  if (Array.isArray(value)) return value.map(maskWithin);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [maskCardNumbers(name), maskWithin(one)]),
  );
};
