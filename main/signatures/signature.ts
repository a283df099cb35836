import { hash, timingSafeEqual } from 'node:crypto';

/**
 * Signatures of this gateway family: SHA1(hex(MD5(UPPER(s)))), where s is some fields and the merchant password
 * without separators (§5.3). A formula is the ordered list of those fields; the password always comes last.
 */
export type Formula = {
  name: string;
  /** Whether the interface specifies it; the others are assumptions from field notes. */
  documented: boolean;
  /** The section that specifies it, or states that it is not specified. */
  section: string;
  fields: readonly string[];
};

/** A value for every field of a formula, by name: a missing one does not compile. */
export type Values<F extends Formula> = Readonly<Record<F['fields'][number], string>>;

/** The interface specifies only the callback's formula (§5.3); §5.4 leaves those of requests open. */
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
  // The interface mentions these operations and shows none of their requests.
  refund: { name: 'refund', documented: false, section: '§5.4', fields: ['payment_id', 'amount'] },
  capture: { name: 'capture', documented: false, section: '§5.4', fields: ['payment_id', 'amount'] },
  void: { name: 'void', documented: false, section: '§5.4', fields: ['payment_id'] },
  retry: { name: 'retry', documented: false, section: '§5.4', fields: ['payment_id'] },
  // Without the currency, which is that of the first payment.
  recurring: {
    name: 'recurring',
    documented: false,
    section: '§5.4',
    fields: ['recurring_init_trans_id', 'recurring_token', 'number', 'amount', 'description'],
  },
} as const satisfies Record<string, Formula>;

export type Uppercasing = 'unicode' | 'ascii';
/** The inner digest: MD5 by the interface (§5.3); some accounts use SHA-256 (assumption). */
export type Digest = 'md5' | 'sha256';
export type SignatureOptions = { digest: Digest; uppercasing: Uppercasing };

/** A complete SHA-1 as text, in either case. */
const hexDigits = /^[0-9a-f]{40}$/i;
// Reused by every comparison: allocation takes longer than the comparison.
const given = Buffer.alloc(40);
const expected = Buffer.alloc(40);

const beyondAscii = /[^\0-\x7f]/;

/** `ascii` changes only a to z, as PHP's strtoupper does from 8.2 on; `unicode` turns ß into SS. */
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
 * The hashed string before upper-casing: the formula's fields in order, then the password (§5.3). `values` are the
 * strings exactly as sent or received; a missing one counts as empty. The result contains the password: use it only
 * for hashing.
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
 * Whether `claimed` is the signature, and under which upper-casing; null if under neither (§5.3). Ignores case,
 * constant-time; ASCII upper-casing is tried first.
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

/** Replaces the password, with a fixed length, so that its length stays secret. */
const passwordMask = '••••••••';

/** The hashed string, upper-cased, with the password masked: safe to show (§5). */
export const showSigned = (
  formula: Formula,
  values: Readonly<Record<string, string>>,
  options: SignatureOptions,
): string => upperCase(joined(formula, values, ''), options.uppercasing) + passwordMask;
