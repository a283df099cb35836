/** Amounts in words, English and German, for reading back to a customer; up to 999,999,999,999. */

export type WordLanguage = 'en' | 'de';

const english = {
  small: [
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen',
    'seventeen eighteen nineteen',
  ]
    .join(' ')
    .split(' '),
  tens: '_ _ twenty thirty forty fifty sixty seventy eighty ninety'.split(' '),
};
const german = {
  small: [
    'null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn',
    'siebzehn achtzehn neunzehn',
  ]
    .join(' ')
    .split(' '),
  tens: '_ _ zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig'.split(' '),
};

const englishBelowThousand = (n: number): string => {
  if (n < 20) return english.small[n] ?? '';
  if (n < 100) {
    const tens = english.tens[Math.floor(n / 10)] ?? '';
    return n % 10 === 0 ? tens : `${tens}-${english.small[n % 10]}`;
  }
  const rest = n % 100;
  return `${english.small[Math.floor(n / 100)]} hundred${rest === 0 ? '' : ` and ${englishBelowThousand(rest)}`}`;
};

const englishWords = (n: number): string => {
  if (n < 1000) return englishBelowThousand(n);
  const scales: [number, string][] = [
    [1e9, 'billion'],
    [1e6, 'million'],
    [1e3, 'thousand'],
  ];
  const parts: string[] = [];
  let rest = n;
  for (const [scale, name] of scales) {
    const count = Math.floor(rest / scale);
    if (count > 0) parts.push(`${englishBelowThousand(count)} ${name}`);
    rest %= scale;
  }
  if (rest > 0) parts.push(rest < 100 ? `and ${englishBelowThousand(rest)}` : englishBelowThousand(rest));
  return parts.join(' ');
};

/** The form before a noun: `ein`, `einundzwanzig`, `hundertein`. */
const germanBelowThousand = (n: number): string => {
  if (n < 20) return german.small[n] ?? '';
  if (n < 100) {
    const tens = german.tens[Math.floor(n / 10)] ?? '';
    return n % 10 === 0 ? tens : `${german.small[n % 10]}und${tens}`;
  }
  const rest = n % 100;
  return `${german.small[Math.floor(n / 100)]}hundert${rest === 0 ? '' : germanBelowThousand(rest)}`;
};

const germanBelowMillion = (n: number): string => {
  const thousands = Math.floor(n / 1000);
  const rest = n % 1000;
  if (thousands === 0) return germanBelowThousand(rest);
  return `${germanBelowThousand(thousands)}tausend${rest === 0 ? '' : germanBelowThousand(rest)}`;
};

const germanWords = (n: number): string => {
  if (n < 1e6) return germanBelowMillion(n);
  const parts: string[] = [];
  const billions = Math.floor(n / 1e9);
  const millions = Math.floor((n % 1e9) / 1e6);
  const rest = n % 1e6;
  if (billions > 0)
    parts.push(billions === 1 ? 'eine Milliarde' : `${germanBelowThousand(billions)} Milliarden`);
  if (millions > 0)
    parts.push(millions === 1 ? 'eine Million' : `${germanBelowThousand(millions)} Millionen`);
  if (rest > 0) parts.push(germanBelowMillion(rest));
  return parts.join(' ');
};

/** Names of the hundredth (or thousandth) of a currency: singular, plural. Others are read as digits. */
const minorNames: Record<string, Record<WordLanguage, readonly [string, string]>> = {
  EUR: { en: ['cent', 'cents'], de: ['Cent', 'Cent'] },
  USD: { en: ['cent', 'cents'], de: ['Cent', 'Cent'] },
  CAD: { en: ['cent', 'cents'], de: ['Cent', 'Cent'] },
  AUD: { en: ['cent', 'cents'], de: ['Cent', 'Cent'] },
  NZD: { en: ['cent', 'cents'], de: ['Cent', 'Cent'] },
  GBP: { en: ['penny', 'pence'], de: ['Penny', 'Pence'] },
  CHF: { en: ['centime', 'centimes'], de: ['Rappen', 'Rappen'] },
  PLN: { en: ['grosz', 'groszy'], de: ['Grosz', 'Groszy'] },
  CZK: { en: ['haler', 'halers'], de: ['Heller', 'Heller'] },
  SEK: { en: ['öre', 'öre'], de: ['Öre', 'Öre'] },
  NOK: { en: ['øre', 'øre'], de: ['Øre', 'Øre'] },
  DKK: { en: ['øre', 'øre'], de: ['Øre', 'Øre'] },
  AED: { en: ['fils', 'fils'], de: ['Fils', 'Fils'] },
  INR: { en: ['paisa', 'paise'], de: ['Paisa', 'Paise'] },
};
const feminineInGerman = new Set('CZK SEK NOK DKK ISK TRY INR PKR LKR IDR UAH'.split(' '));

const currencyName = (count: number, currency: string, language: WordLanguage): string => {
  const locale = language === 'en' ? 'en-GB' : 'de-DE';
  try {
    const parts = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      currencyDisplay: 'name',
      maximumFractionDigits: 0,
    }).formatToParts(count);
    return parts.find(part => part.type === 'currency')?.value ?? currency;
  } catch {
    return currency;
  }
};

/** `n` in words, without a noun: `ein` becomes `eins`. `n`: a whole number from 0 to 999,999,999,999. */
export const numberInWords = (n: number, language: WordLanguage): string => {
  if (language === 'en') return englishWords(n);
  const words = germanWords(n);
  return n % 100 === 1 && n < 1e12 ? `${words}s` : words;
};

/**
 * An amount in words: `one hundred and twenty-three euros and forty cents`. `minor`: minor units; `exponent`: the
 * currency's number of digits. Null if it exceeds the limit.
 */
export const amountInWords = (
  minor: bigint,
  exponent: number,
  currency: string,
  language: WordLanguage,
): string | null => {
  const unit = 10n ** BigInt(exponent);
  const whole = minor / unit;
  if (minor < 0n || whole > 999_999_999_999n) return null;
  const major = Number(whole);
  const minorPart = Number(minor % unit);
  const counted =
    language === 'en'
      ? englishWords(major)
      : major === 1 && feminineInGerman.has(currency)
        ? 'eine'
        : germanWords(major);
  const head = `${counted} ${currencyName(major, currency, language)}`;
  if (minorPart === 0) return head;
  const and = language === 'en' ? 'and' : 'und';
  const names = exponent === 2 ? minorNames[currency]?.[language] : undefined;
  if (!names) return `${head} ${and} ${minorPart}/${unit}`;
  const minorWords = language === 'en' ? englishWords(minorPart) : germanWords(minorPart);
  return `${head} ${and} ${minorWords} ${minorPart === 1 ? names[0] : names[1]}`;
};
