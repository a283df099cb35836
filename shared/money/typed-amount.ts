import { fail, ok, type Result } from '../errors.ts';
import { joined, msg, type Message } from '../messages/message.ts';
import { currencyStatus, exponentOf } from './currencies.ts';
import { withAsciiDigits } from '../digits.ts';

/**
 * Parses a typed amount. `1,234.50`, `1.234,50`, `1 234,50` and `1'234.50` are unambiguous and accepted in every
 * locale. For an ambiguous text the locale's separators decide. If a typing error would change the amount a
 * thousandfold, the text is refused with a suggestion.
 */

/** Limit of digits: more is a typing error, and amounts stay shorter than any card number. */
const maxDigits = 12;

/** One spelling for each separator: `.`, `,`, `'`, a plain space, and the Arabic pair ٫ and ٬. */
const normalised = (text: string): string =>
  withAsciiDigits(text.replaceAll(/\p{Cf}/gu, '').trim())
    .replaceAll(/[\s\u00a0\u2007\u2009\u202f]/g, ' ')
    .replaceAll(/[’‘ʼ´`]/g, "'")
    .replaceAll('，', ',')
    .replaceAll('．', '.');

/**
 * `decimal` and `group` by the locale; a blank is empty, because only other marks can be read in two ways. `grouped`:
 * the locale's valid groupings, anchored at both ends.
 */
type Separators = { locale: string; decimal: string; group: string; grouped: RegExp };

const threes = /^[1-9]\d{0,2}(?: \d{3})+$/;
/** India groups by two before the last three: 1,23,45,678. */
const twosAndThrees = /^[1-9]\d{0,2}(?: \d{3})+$|^[1-9]\d?(?: \d\d)+ \d{3}$/;

const separators = new Map<string, Separators>();

/** An invalid locale counts as English. */
const separatorsOf = (locale: string): Separators => {
  const known = separators.get(locale);
  if (known) return known;
  const options = { useGrouping: 'always', minimumFractionDigits: 1 } as const;
  let format: Intl.NumberFormat;
  let used = locale;
  try {
    format = new Intl.NumberFormat(locale, options);
  } catch {
    used = 'en';
    format = new Intl.NumberFormat(used, options);
  }
  const parts = format.formatToParts(1_234_567_890);
  const separator = (type: string): string => normalised(parts.find(part => part.type === type)?.value ?? '');
  const hasTwos = parts.some(({ type, value }) => type === 'integer' && value.length === 2);
  const found = {
    locale: used,
    decimal: separator('decimal'),
    group: separator('group'),
    grouped: hasTwos ? twosAndThrees : threes,
  };
  separators.set(locale, found);
  return found;
};

/** Digits before and after the decimal separator; null if the text cannot be read so. */
type Reading = { whole: string; fraction: string } | null;

/** `figures` with `marks` between them, all of them group separators: one kind, at valid positions. */
const groupedWhole = (
  figures: readonly string[],
  marks: readonly string[],
  { grouped }: Separators,
): string | null => {
  if (marks.length === 0) return figures.join('');
  return marks.every(mark => mark === marks[0] && mark !== '٫') && grouped.test(figures.join(' '))
    ? figures.join('')
    : null;
};

const asWholeNumber = (figures: readonly string[], marks: readonly string[], locale: Separators): Reading => {
  const whole = groupedWhole(figures, marks, locale);
  return whole === null ? null : { whole, fraction: '' };
};

const asDecimal = (figures: readonly string[], marks: readonly string[], locale: Separators): Reading => {
  const mark = marks.at(-1);
  if (mark === undefined || !'.,٫'.includes(mark) || marks.indexOf(mark) < marks.length - 1) return null;
  const whole = groupedWhole(figures.slice(0, -1), marks.slice(0, -1), locale);
  return whole === null ? null : { whole, fraction: figures.at(-1) ?? '' };
};

/** Figures with one separator between two of them. */
const groupedFigures = /^\d+(?:[ .,'٫٬]\d+)*$/;

/** Both readings of figures that `groupedFigures` allows. */
const readingsOf = (
  typed: string,
  locale: Separators,
): { whole: Reading; decimal: Reading; marks: readonly string[] } => {
  const figures = typed.split(/[ .,'٫٬]/);
  const marks = typed.match(/\D/g) ?? [];
  return {
    whole: asWholeNumber(figures, marks, locale),
    decimal: asDecimal(figures, marks, locale),
    marks,
  };
};

const refused = (message: Message, hint: Message): Result<never> =>
  fail('input.invalid', message, { hint, fields: [{ path: 'amount', message: joined(message, hint) }] });

/** Suggestions in the locale's notation: a whole number, and the same with the currency's digits. */
const examplesOf = (whole: string, exponent: number, { decimal }: Separators): string | Message =>
  exponent === 0
    ? whole
    : msg('amount.examples', { whole, decimals: `${whole}${decimal}${'0'.repeat(exponent)}` });

/** A currency's code or sign before or behind the figures, with or without a blank: `€50`, `50 EUR`. */
const before = /^([\p{L}\p{Sc}]+\.?) ?(?=\d)/u;
const behind = /(?<=\d) ?([\p{L}\p{Sc}]+\.?)$/u;

/** Whether `mark` is the currency's code, or its sign in this locale or a short one: `US$` and `$`. */
const namesCurrency = (mark: string, currency: string, locale: string): boolean => {
  const name = mark.toUpperCase();
  if (name === currency) return true;
  return (['symbol', 'narrowSymbol'] as const).some(
    currencyDisplay =>
      new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay })
        .formatToParts(1)
        .find(({ type }) => type === 'currency')
        ?.value.toUpperCase() === name,
  );
};

/** The figures of a text without the sign or code of `currency`; the mark of another currency stays and is named. */
const withoutCurrency = (
  typed: string,
  currency: string,
  locale: string,
): { figures: string; other: string | null } => {
  const found = before.exec(typed) ?? behind.exec(typed);
  const [whole = '', mark = ''] = found ?? [];
  if (found === null) return { figures: typed, other: null };
  if (namesCurrency(mark, currency, locale)) return { figures: typed.replace(whole, ''), other: null };
  const isOther = /^\p{Sc}$/u.test(mark) || currencyStatus(mark.toUpperCase()) !== null;
  return { figures: typed, other: isOther ? mark : null };
};

/**
 * Minor units of a typed amount (§2.2: more than zero), with or without the sign or code of its currency. `locale`: BCP
 * 47, whose separators decide ambiguous texts. `currency`: ISO 4217. Errors: `input.invalid` with the field `amount` (or `currency`) and a suggestion.
 */
export const readAmount = (text: string, locale: string, currency: string): Result<{ minor: bigint }> => {
  const exponent = exponentOf(currency);
  if (exponent === null) {
    const message = currency === '' ? msg('currency.missing') : msg('currency.unknown', { currency });
    return fail('input.invalid', message, {
      hint: msg('currency.choose'),
      fields: [{ path: 'currency', message }],
    });
  }
  const written = separatorsOf(locale);
  const { figures, other } = withoutCurrency(normalised(text), currency, written.locale);
  // A dash in place of decimals, as in 12,- or 50.--
  const typed = figures.replace(/(?<=\d)[.,]\s?[-–—]{1,2}$/, '');
  const examples = examplesOf('1234', exponent, written);
  const enterLike = msg('amount.enter-like', { examples });
  if (typed === '') return refused(msg('amount.missing'), msg('amount.enter'));
  if (/^[-+−–—(]|[-−–—)]$/.test(typed))
    return refused(msg('amount.signed'), msg('amount.signed.hint', { examples }));
  if (other !== null)
    return refused(
      msg('amount.other-currency', { typed, currency }),
      msg('amount.other-currency.hint', { mark: other }),
    );
  if (!/^[\d .,'٫٬]*$/.test(typed)) return refused(msg('amount.only-digits'), enterLike);
  if (!groupedFigures.test(typed)) return refused(msg('amount.separator'), enterLike);
  const { whole, decimal, marks } = readingsOf(typed, written);
  if (whole && decimal) {
    // One separator followed by three digits: a thousand, or a fraction of three digits.
    const [mark] = marks;
    const decided =
      mark === written.group && exponent < 3
        ? whole
        : mark === written.decimal && exponent >= 3
          ? decimal
          : null;
    if (decided) return minorOf(decided, exponent);
    const meant = examplesOf(whole.whole, exponent, written);
    const fraction = `${decimal.whole}${written.decimal}${decimal.fraction}`;
    return refused(
      msg('amount.ambiguous', { typed, whole: whole.whole, fraction }),
      exponent >= 3
        ? msg('amount.ambiguous.hint', {
            examples: meant,
            fraction: `${fraction}${'0'.repeat(exponent - 3)}`,
          })
        : msg('amount.ambiguous.hint.whole', { examples: meant, currency, digits: exponent }),
    );
  }
  const read = whole ?? decimal;
  if (!read) return refused(msg('amount.invalid', { typed }), enterLike);
  if (read.fraction.length > exponent)
    return refused(
      exponent === 0
        ? msg('amount.no-decimals', { currency })
        : msg('amount.too-many-decimals', {
            currency,
            digits: exponent,
            typed,
            found: read.fraction.length,
          }),
      enterLike,
    );
  return minorOf(read, exponent);
};

const minorOf = (
  { whole, fraction }: { whole: string; fraction: string },
  exponent: number,
): Result<{ minor: bigint }> => {
  if (whole.replace(/^0+/, '').length > maxDigits)
    return refused(msg('amount.too-many-digits'), msg('amount.too-many-digits.hint', { max: maxDigits }));
  const minor = BigInt(whole + fraction.padEnd(exponent, '0'));
  return minor === 0n ? refused(msg('amount.not-positive'), msg('amount.enter')) : ok({ minor });
};

/** Locales whose separators together cover every text that the form reads in any locale; each text in one way only. */
const readers = ['en', 'de', 'en-IN'];

/** Minor units of an amount that the form would accept in some locale; null if in none. `currency`: ISO 4217. */
export const readAmountInAnyLocale = (text: string, currency: string): bigint | null => {
  for (const locale of readers) {
    const read = readAmount(text, locale, currency);
    if (read.ok) return read.value.minor;
  }
  return null;
};

/**
 * Every number that a text can be in some locale and currency, as decimals with a point and the typed fraction:
 * `1,234` is `1234` and `1.234`. Zeros behind the second fraction digit are left out in a further one, because a
 * profile may write a currency of three digits with two. Empty when the text is not a number.
 */
export const decimalReadings = (text: string): string[] => {
  const typed = normalised(text);
  if (!groupedFigures.test(typed)) return [];
  const decimals = readers.flatMap(locale => {
    const { whole, decimal } = readingsOf(typed, separatorsOf(locale));
    return [whole, decimal].flatMap(reading => {
      if (!reading) return [];
      const figures = reading.whole.replace(/^0+(?=\d)/, '');
      if (reading.fraction === '') return [figures];
      const short = reading.fraction.replace(/^(\d\d)0+$/, '$1');
      return [`${figures}.${reading.fraction}`, `${figures}.${short}`];
    });
  });
  return [...new Set(decimals)];
};
