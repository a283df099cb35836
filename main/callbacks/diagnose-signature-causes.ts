import { hash } from 'node:crypto';
import { msg, type Message, type MessageKey } from '../../shared/messages/message.ts';
import { percentDecode, unescapeHtml } from './forms/text-form.ts';

/**
 * Known causes of a failed signature check, each a small change to the hashed string. They are used only for
 * diagnosis; nothing here accepts a callback.
 */

/** The complete input of a callback's hash (§5.3), with the choices that a wrong implementation may vary. */
export type SignatureVariant = {
  id: string;
  number: string;
  amount: string;
  currency: string;
  description: string;
  password: string;
  casing: 'ascii' | 'unicode' | 'one-to-one' | 'turkish' | 'none' | 'lower' | 'fields-only';
  scheme: 'md5' | 'sha256' | 'md5-bytes' | 'md5-upper-hex' | 'md5-alone' | 'sha1-alone';
  charset: 'utf8' | 'latin1';
  layout: 'documented' | 'password-first' | 'without-id' | 'spaced' | 'colons' | 'bars';
};
/** A signed field of the callback: its values may be shown. */
export type FieldSlot = 'id' | 'number' | 'amount' | 'currency' | 'description';
export type Slot = FieldSlot | 'password' | 'formula';

export type Rewriting = {
  /** Stable name, such as `amount-two-digits`. */
  cause: string;
  apply: (variant: SignatureVariant) => SignatureVariant | null;
  /** The likely source of the fault. */
  faultSource: 'path' | 'sender' | 'password' | 'record';
} &
  // The clause after "if"; by default "the amount is A instead of B".
  ({ slot: FieldSlot; clause?: Message } | { slot: 'password' | 'formula'; clause: Message });

const beyondAscii = /[^\0-\x7f]/;

const asciiUpper = (text: string): string =>
  beyondAscii.test(text) ? text.replace(/[a-z]+/g, run => run.toUpperCase()) : text.toUpperCase();

/** Upper-casing that maps each character to one character, as .NET and Go do: ß stays ß. */
const oneToOneUpper = (text: string): string =>
  text.replaceAll(/[^\0-\x7f]/gu, letter => {
    const upper = letter.toUpperCase();
    return Array.from(upper).length === 1 ? upper : letter;
  });

const joined = (variant: SignatureVariant): string => {
  const { id, number, amount, currency, description } = variant;
  const fields =
    variant.layout === 'without-id'
      ? [number, amount, currency, description]
      : [id, number, amount, currency, description];
  const separators = {
    documented: '',
    'password-first': '',
    'without-id': '',
    spaced: ' ',
    colons: ':',
    bars: '|',
  };
  const separator = separators[variant.layout];
  const cased = (text: string): string => {
    switch (variant.casing) {
      case 'ascii':
        return asciiUpper(text);
      case 'unicode':
        return text.toUpperCase();
      case 'one-to-one':
        return asciiUpper(oneToOneUpper(text));
      case 'turkish':
        return text.toLocaleUpperCase('tr');
      case 'lower':
        return text.toLowerCase();
      default:
        return text;
    }
  };
  if (variant.casing === 'fields-only')
    return asciiUpper(fields.join(separator)) + separator + variant.password;
  const all =
    variant.layout === 'password-first' ? [variant.password, ...fields] : [...fields, variant.password];
  return cased(all.join(separator));
};

/** The hash of a variant, lower-case hexadecimal, and the number of hashed bytes. */
export const hashOf = (variant: SignatureVariant): { hash: string; bytes: number } => {
  const text = joined(variant);
  const data = variant.charset === 'latin1' ? Buffer.from(text, 'latin1') : Buffer.from(text, 'utf8');
  return { hash: digestOf(variant.scheme, data), bytes: data.length };
};

const digestOf = (scheme: SignatureVariant['scheme'], data: Buffer): string => {
  switch (scheme) {
    case 'md5':
      return hash('sha1', hash('md5', data));
    case 'sha256':
      return hash('sha1', hash('sha256', data));
    case 'md5-bytes':
      return hash('sha1', hash('md5', data, 'buffer'));
    case 'md5-upper-hex':
      return hash('sha1', hash('md5', data).toUpperCase());
    case 'md5-alone':
      return hash('md5', data);
    default:
      return hash('sha1', data);
  }
};

/** Length limit of a rewritten amount, characters. */
const maxAmountChars = 40;

/** An amount as digits before and after its decimal separator, with any separators; null = not a number. */
const amountParts = (text: string): { whole: string; fraction: string } | null => {
  if (text.length > maxAmountChars) return null;
  const bare = text.trim().replace(/[\s'\u00a0\u202f]/g, '');
  const found = /^(\d{1,3}(?:[.,]\d{3})*|\d+)(?:[.,](\d*))?$/.exec(bare);
  if (!found) return null;
  const grouped = /^\d{1,3}(?:,\d{3})+$/.test(found[1] ?? '') || /^\d{1,3}(?:\.\d{3})+$/.test(found[1] ?? '');
  const last = Math.max(bare.lastIndexOf('.'), bare.lastIndexOf(','));
  // `1.234` alone may have three decimal digits and is read as such; `1,234.50` is grouped.
  if (grouped && found[2] === undefined && bare.replace(/\d/g, '').length === 1)
    return { whole: bare.slice(0, last), fraction: bare.slice(last + 1) };
  return { whole: (found[1] ?? '').replace(/[.,]/g, ''), fraction: found[2] ?? '' };
};

const digits = (text: string, count: number): string | null => {
  const parts = amountParts(text);
  if (!parts || /[1-9]/.test(parts.fraction.slice(count))) return null;
  return count === 0 ? parts.whole : `${parts.whole}.${parts.fraction.slice(0, count).padEnd(count, '0')}`;
};

const grouped = (text: string): string | null => {
  const parts = amountParts(text);
  if (!parts || parts.whole.length < 4) return null;
  const groups: string[] = [];
  for (let stop = parts.whole.length; stop > 0; stop -= 3)
    groups.unshift(parts.whole.slice(Math.max(0, stop - 3), stop));
  const whole = groups.join(',');
  return parts.fraction === '' ? whole : `${whole}.${parts.fraction}`;
};

const moved = (text: string, places: 2 | -2): string | null => {
  const parts = amountParts(text);
  if (!parts) return null;
  if (places === 2)
    return `${parts.whole}${parts.fraction.padEnd(2, '0').slice(0, 2)}`.replace(/^0+(?=\d)/, '');
  if (parts.fraction !== '') return null;
  const long = parts.whole.padStart(3, '0');
  return `${long.slice(0, -2)}.${long.slice(-2)}`;
};

/** UTF-8 bytes that were decoded as Latin-1: `GrÃ¶ÃŸe`. */
const unmix = (text: string): string | null => {
  if (!/[\u0080-\u00ff]/.test(text) || /[\u0100-\uffff]/.test(text)) return null;
  const back = Buffer.from(text, 'latin1').toString('utf8');
  return back.includes('\uFFFD') ? null : back;
};

const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#039;');

const formEncode = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+');

const change = (cause: string, slot: FieldSlot, rewrite: (value: string) => string | null): Rewriting => ({
  cause,
  slot,
  faultSource: 'path',
  apply: variant => {
    if (slot === 'amount' && variant.amount.length > maxAmountChars) return null;
    const value = rewrite(variant[slot]);
    return value === null || value === variant[slot] ? null : { ...variant, [slot]: value };
  },
});

/** The rest of each key that begins with a prefix. */
type KeysAfter<Prefix extends string, Key = MessageKey> = Key extends `${Prefix}${infer Rest}` ? Rest : never;
type PasswordCause = `password-${KeysAfter<'signature.password-'>}`;
type FormulaCause = KeysAfter<'signature.formula.'>;

/** The clause mentions the password but never shows it. */
const passwordChange = (
  cause: PasswordCause,
  rewrite: (password: string) => string,
  faultSource: Rewriting['faultSource'] = 'password',
): Rewriting => ({
  cause,
  slot: 'password',
  faultSource,
  clause: msg(`signature.${cause}`),
  apply: variant => {
    const password = rewrite(variant.password);
    return password === variant.password ? null : { ...variant, password };
  },
});

const formula = (cause: FormulaCause, patch: Partial<SignatureVariant>): Rewriting => ({
  cause,
  slot: 'formula',
  faultSource: 'sender',
  clause: msg(`signature.formula.${cause}`),
  apply: variant => ({ ...variant, ...patch }),
});

const textChanges = (name: 'description' | 'order-number', slot: 'description' | 'number'): Rewriting[] => [
  change(`${name}-trimmed`, slot, text => text.trim()),
  change(`${name}-url-decoded`, slot, text => percentDecode(text, true)),
  change(`${name}-percent-decoded`, slot, text => percentDecode(text, false)),
  change(`${name}-plus-for-space`, slot, text => text.replaceAll(' ', '+')),
  change(`${name}-space-for-plus`, slot, text => text.replaceAll('+', ' ')),
  change(`${name}-html-unescaped`, slot, unescapeHtml),
  change(`${name}-html-escaped`, slot, escapeHtml),
  change(`${name}-url-encoded`, slot, formEncode),
  change(`${name}-unslashed`, slot, text => text.replace(/\\(["'\\])/g, '$1')),
  change(`${name}-charset-repaired`, slot, unmix),
  change(`${name}-composed`, slot, text => text.normalize('NFC')),
  change(`${name}-decomposed`, slot, text => text.normalize('NFD')),
];

/** Every known cause that needs only the callback and the password. */
export const rewritings: readonly Rewriting[] = [
  change('amount-two-digits', 'amount', text => digits(text, 2)),
  change('amount-no-fraction', 'amount', text => digits(text, 0)),
  change('amount-one-digit', 'amount', text => digits(text, 1)),
  change('amount-three-digits', 'amount', text => digits(text, 3)),
  change('amount-trailing-zeros-dropped', 'amount', text =>
    text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : null,
  ),
  change('amount-decimal-comma', 'amount', text =>
    text.includes('.') ? text.replace('.', ',') : text.replace(',', '.'),
  ),
  change('amount-grouped', 'amount', grouped),
  change('amount-ungrouped', 'amount', text => {
    const parts = amountParts(text);
    return !parts ? null : parts.fraction === '' ? parts.whole : `${parts.whole}.${parts.fraction}`;
  }),
  change('amount-in-minor-units', 'amount', text => moved(text, 2)),
  change('amount-from-minor-units', 'amount', text => moved(text, -2)),
  change('amount-trimmed', 'amount', text => text.trim()),
  change('currency-trimmed', 'currency', text => text.trim()),
  change('currency-upper-case', 'currency', text => text.toUpperCase()),
  change('currency-lower-case', 'currency', text => text.toLowerCase()),
  ...textChanges('description', 'description'),
  change('description-leading-space', 'description', text => (text.startsWith(' ') ? null : ` ${text}`)),
  change('description-trailing-space', 'description', text => (text.endsWith(' ') ? null : `${text} `)),
  change('description-blanks-collapsed', 'description', text => text.replace(/\s+/g, ' ')),
  change('description-line-ends', 'description', text =>
    text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text.replaceAll('\n', '\r\n'),
  ),
  change('description-plain-blanks', 'description', text => text.replace(/[\u00a0\u202f\u2009]/g, ' ')),
  change('description-plain-quotes', 'description', text =>
    text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"').replace(/[–—]/g, '-'),
  ),
  change('description-empty', 'description', () => ''),
  ...textChanges('order-number', 'number'),
  change('order-number-without-hash-sign', 'number', text => text.replace(/^#/, '')),
  change('order-number-with-hash-sign', 'number', text => (text.startsWith('#') ? null : `#${text}`)),
  change('order-number-zeros-dropped', 'number', text => text.replace(/^0+(?=.)/, '')),
  change('id-trimmed', 'id', text => text.trim()),
  change('id-without-dashes', 'id', text => text.replaceAll('-', '')),
  passwordChange('password-trimmed', text => text.trim()),
  passwordChange('password-trailing-space', text => `${text} `),
  passwordChange('password-leading-space', text => ` ${text}`),
  passwordChange('password-trailing-line-end', text => `${text}\n`),
  passwordChange('password-html-unescaped', unescapeHtml),
  passwordChange('password-composed', text => text.normalize('NFC')),
  passwordChange('password-missing', () => '', 'sender'),
  formula('not-upper-cased', { casing: 'none' }),
  {
    ...formula('upper-cased-one-to-one', { casing: 'one-to-one' }),
    apply: variant =>
      beyondAscii.test(variant.number + variant.description + variant.password)
        ? { ...variant, casing: 'one-to-one' }
        : null,
  },
  formula('upper-cased-turkish', { casing: 'turkish' }),
  formula('lower-cased', { casing: 'lower' }),
  formula('password-not-upper-cased', { casing: 'fields-only' }),
  formula('md5-bytes', { scheme: 'md5-bytes' }),
  formula('md5-upper-case-hex', { scheme: 'md5-upper-hex' }),
  formula('md5-alone', { scheme: 'md5-alone' }),
  formula('sha1-alone', { scheme: 'sha1-alone' }),
  formula('other-digest-sha256', { scheme: 'sha256' }),
  formula('other-digest-md5', { scheme: 'md5' }),
  formula('latin-1', { charset: 'latin1' }),
  formula('session-formula', { layout: 'without-id' }),
  formula('password-first', { layout: 'password-first' }),
  formula('spaces-between', { layout: 'spaced' }),
  formula('colons-between', { layout: 'colons' }),
  formula('bars-between', { layout: 'bars' }),
];
