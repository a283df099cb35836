import { hash, timingSafeEqual } from 'node:crypto';

/**
 * Signatures of this gateway family: SHA1(hex(MD5(UPPER(s)))), where s is some
 * fields and the merchant password without separators (§5.3). A formula is the
 * ordered list of those fields; the password always comes last.
 */
export type Formula = {
  name: string;
  /** Whether the interface shows it; the others are assumptions from field notes. */
  documented: boolean;
  /** Where the interface speaks of it, or says that it is not shown. */
  section: string;
  fields: readonly string[];
};

/** A value for every field of a formula: where it is named, one that is forgotten does not compile. */
export type Values<F extends Formula> = Readonly<Record<F['fields'][number], string>>;

/** Only the callback's formula is the interface's word (§5.3); §5.4 leaves those of requests open. */
export const formulas = {
  session: {
    name: 'session',
    documented: false,
    section: '§5.4',
    fields: ['number', 'amount', 'currency', 'description'],
  },
  statusByPayment: { name: 'statusByPayment', documented: false, section: '§5.4', fields: ['payment_id'] },
  statusByOrder: { name: 'statusByOrder', documented: false, section: '§5.4', fields: ['order_id'] },
  callback: {
    name: 'callback',
    documented: true,
    section: '§5.3',
    fields: ['id', 'order_number', 'order_amount', 'order_currency', 'order_description'],
  },
  returnUrl: {
    name: 'returnUrl',
    documented: false,
    section: '§1',
    fields: ['payment_id', 'order_number', 'order_amount', 'order_currency', 'order_description'],
  },
} as const satisfies Record<string, Formula>;

export type Uppercasing = 'unicode' | 'ascii';
/** The inner digest: MD5 by the interface (§5.3); SHA-256 is seen on some accounts (assumption). */
export type Digest = 'md5' | 'sha256';
export type SignatureOptions = { digest: Digest; uppercasing: Uppercasing };

/** A whole SHA-1 as text, in either case. */
const hexDigits = /^[0-9a-f]{40}$/i;
// Reused by every comparison: allocating them takes longer than comparing.
const given = Buffer.alloc(40);
const expected = Buffer.alloc(40);

const beyondAscii = /[^\0-\x7f]/;

/** `ascii` changes a to z alone, as PHP's strtoupper does from 8.2 on; `unicode` turns ß into SS. */
const upperCase = (text: string, uppercasing: Uppercasing): string =>
  uppercasing === 'unicode' || !beyondAscii.test(text)
    ? text.toUpperCase()
    : text.replaceAll(/[a-z]+/g, letters => letters.toUpperCase());

const joined = (formula: Formula, values: Readonly<Record<string, string>>, last: string): string => {
  let text = '';
  for (const field of formula.fields) text += values[field] ?? '';
  return text + last;
};

const hashOf = (text: string, { digest, uppercasing }: SignatureOptions): string =>
  hash('sha1', hash(digest, upperCase(text, uppercasing)));

/**
 * What is hashed, before upper-casing: the formula's fields in order, then the password (§5.3).
 * `values` are the strings exactly as sent or received; one that is missing counts as empty.
 * The result holds the password: it may be hashed and nothing else.
 */
export const signedString = (
  formula: Formula,
  values: Readonly<Record<string, string>>,
  password: string,
): string => joined(formula, values, password);

/** The signature as 40 lower-case hexadecimal digits; `values` as in `signedString` (§5.3). */
export const sign = (
  formula: Formula,
  values: Readonly<Record<string, string>>,
  password: string,
  options: SignatureOptions,
): string => hashOf(signedString(formula, values, password), options);

/**
 * Whether `claimed` is the signature, and under which upper-casing; null when under neither (§5.3).
 * Compares without regard to case and in constant time; ASCII upper-casing is tried first.
 */
export const verify = (
  formula: Formula,
  values: Readonly<Record<string, string>>,
  password: string,
  claimed: string,
  digest: Digest,
): { uppercasing: Uppercasing } | null => {
  if (!hexDigits.test(claimed)) return null;
  const text = signedString(formula, values, password);
  given.write(claimed.toLowerCase(), 'latin1');
  const matches = (uppercasing: Uppercasing): boolean => {
    expected.write(hashOf(text, { digest, uppercasing }), 'latin1');
    return timingSafeEqual(expected, given);
  };
  if (matches('ascii')) return { uppercasing: 'ascii' };
  // In plain ASCII both rules give the same string.
  return beyondAscii.test(text) && matches('unicode') ? { uppercasing: 'unicode' } : null;
};

/** Stands in for the password, always of the same length, so that not even that is shown. */
const passwordMask = '••••••••';

/** The exact string that is hashed, upper-cased, with the password masked: safe to show (§5). */
export const showSigned = (
  formula: Formula,
  values: Readonly<Record<string, string>>,
  options: SignatureOptions,
): string => upperCase(joined(formula, values, ''), options.uppercasing) + passwordMask;
