import { createHmac, hash } from 'node:crypto';
import { msg, type Message, type MessageKey } from '../../shared/messages/message.ts';
import { percentDecode, unescapeHtml } from './forms/text-form.ts';
import {
  amountParts,
  beyondAscii,
  digits,
  escapeHtml,
  formEncode,
  fourByte,
  grouped,
  inWindows1252,
  invisible,
  maxAmountChars,
  mix,
  moved,
  transliterated,
  unmix,
  written,
} from './rewritten-values.ts';

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
  scheme:
    | 'md5'
    | 'sha256'
    | 'md5-bytes'
    | 'md5-upper-hex'
    | 'md5-alone'
    | 'sha1-alone'
    | 'sha256-bytes'
    | 'sha256-alone'
    | 'hmac-md5'
    | 'hmac-sha1'
    | 'hmac-sha256';
  charset: 'utf8' | 'latin1' | 'windows-1252' | 'utf16le';
  layout:
    | 'documented'
    | 'password-first'
    | 'without-id'
    | 'number-first'
    | 'without-currency'
    | 'without-password'
    | 'reversed'
    | 'spaced'
    | 'colons'
    | 'bars';
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
  const layouts: Partial<Record<SignatureVariant['layout'], string[]>> = {
    'without-id': [number, amount, currency, description],
    'number-first': [number, id, amount, currency, description],
    'without-currency': [id, number, amount, description],
  };
  const fields = layouts[variant.layout] ?? [id, number, amount, currency, description];
  const separators: Partial<Record<SignatureVariant['layout'], string>> = {
    spaced: ' ',
    colons: ':',
    bars: '|',
  };
  const separator = separators[variant.layout] ?? '';
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
  if (variant.layout === 'without-password') return cased(fields.join(separator));
  const all =
    variant.layout === 'password-first' ? [variant.password, ...fields] : [...fields, variant.password];
  const text = cased(all.join(separator));
  return variant.layout === 'reversed' ? Array.from(text).toReversed().join('') : text;
};

/** The hash of a variant, lower-case hexadecimal, and the number of hashed bytes. */
export const hashOf = (variant: SignatureVariant): { hash: string; bytes: number } => {
  const text = joined(variant);
  const { charset } = variant;
  const data = charset === 'windows-1252' ? inWindows1252(text) : Buffer.from(text, charset);
  return { hash: digestOf(variant, data), bytes: data.length };
};

const digestOf = ({ scheme, password }: SignatureVariant, data: Buffer): string => {
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
    case 'sha256-bytes':
      return hash('sha1', hash('sha256', data, 'buffer'));
    case 'sha256-alone':
      return hash('sha256', data);
    case 'hmac-md5':
    case 'hmac-sha1':
    case 'hmac-sha256':
      return createHmac(scheme.slice('hmac-'.length), password).update(data).digest('hex');
    default:
      return hash('sha1', data);
  }
};

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
  ...['&#039;', '&#39;', '&#x27;', '&apos;', "'"].map(sign =>
    change(`${name}-html-escaped`, slot, text => escapeHtml(text, sign)),
  ),
  change(`${name}-html-escaped-twice`, slot, text => escapeHtml(escapeHtml(text))),
  change(`${name}-html-unescaped-twice`, slot, text => unescapeHtml(unescapeHtml(text))),
  change(`${name}-url-encoded`, slot, formEncode),
  change(`${name}-percent-encoded`, slot, encodeURIComponent),
  change(`${name}-unslashed`, slot, text => text.replace(/\\(["'\\])/g, '$1')),
  change(`${name}-slashed`, slot, text => text.replace(/["'\\]/g, String.raw`\$&`)),
  change(`${name}-charset-repaired`, slot, unmix),
  change(`${name}-charset-broken`, slot, mix),
  change(`${name}-invisible-removed`, slot, text => text.replace(invisible, '')),
  change(`${name}-question-marks`, slot, text => text.replace(/[^\0-\xff]/gu, '?')),
  change(`${name}-question-marks`, slot, text => text.replace(/[^\0-\x7f]/gu, '?')),
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
  change('amount-four-digits', 'amount', text => digits(text, 4)),
  change('amount-zero-before', 'amount', text => `0${text}`),
  ...(
    [
      ['.', ','],
      [' ', '.'],
      [' ', ','],
      ["'", '.'],
      [',', '.'],
    ] as const
  ).flatMap(([group, decimal]) => [
    change('amount-regrouped', 'amount', text => written(text, group, decimal)),
    change('amount-regrouped', 'amount', text => written(digits(text, 2) ?? '', group, decimal)),
  ]),
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
  ...['\u00a0', '\u202f'].flatMap(blank => [
    change('description-no-break-blanks', 'description', text => text.replaceAll(' ', blank)),
    change('description-no-break-blanks', 'description', text => text.replace(/(?<=\d) (?=\p{L})/gu, blank)),
  ]),
  change('description-four-byte-dropped', 'description', text => text.replace(fourByte, '')),
  change('description-four-byte-question-mark', 'description', text => text.replace(fourByte, '?')),
  change('description-four-byte-question-mark', 'description', text => text.replace(fourByte, '????')),
  change('description-cut-at-four-byte', 'description', text =>
    text.replace(/[\u{10000}-\u{10ffff}].*$/su, ''),
  ),
  change('description-transliterated', 'description', transliterated),
  change('description-json-escaped', 'description', text => JSON.stringify(text).slice(1, -1)),
  change('description-json-escaped', 'description', text =>
    JSON.stringify(text)
      .slice(1, -1)
      .replaceAll('/', String.raw`\/`)
      .replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  ),
  change('description-tags-stripped', 'description', text => text.replace(/<[^>]*>/g, '')),
  ...[' ', '', '<br />', '<br />\n'].map(end =>
    change('description-line-ends', 'description', text => text.replace(/\r\n|\n|\r/g, end)),
  ),
  change('description-plain-quotes', 'description', text =>
    text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"').replace(/[–—]/g, '-'),
  ),
  change('description-empty', 'description', () => ''),
  ...textChanges('order-number', 'number'),
  change('order-number-without-hash-sign', 'number', text => text.replace(/^#/, '')),
  change('order-number-with-hash-sign', 'number', text => (text.startsWith('#') ? null : `#${text}`)),
  change('order-number-zeros-dropped', 'number', text => text.replace(/^0+(?=.)/, '')),
  ...[4, 5, 6, 7, 8, 9, 10, 12].map(width =>
    change('order-number-zeros-added', 'number', text =>
      /^[1-9]\d*$/.test(text) ? text.padStart(width, '0') : null,
    ),
  ),
  change('id-trimmed', 'id', text => text.trim()),
  change('id-without-dashes', 'id', text => text.replaceAll('-', '')),
  change('id-invisible-removed', 'id', text => text.replace(invisible, '')),
  passwordChange('password-trimmed', text => text.trim()),
  passwordChange('password-trailing-space', text => `${text} `),
  passwordChange('password-leading-space', text => ` ${text}`),
  passwordChange('password-trailing-line-end', text => `${text}\n`),
  passwordChange('password-trailing-line-end', text => `${text}\r\n`),
  passwordChange('password-byte-order-mark', text => `\ufeff${text}`),
  passwordChange('password-quoted', text => `"${text}"`),
  passwordChange('password-unquoted', text => text.replace(/^(["'])(.*)\1$/s, '$2')),
  passwordChange('password-escaped', text => escapeHtml(text), 'sender'),
  passwordChange('password-escaped', formEncode, 'sender'),
  passwordChange('password-url-decoded', text => percentDecode(text, true) ?? text),
  passwordChange('password-cut', text => text.split(/[&$#]/)[0] ?? text, 'sender'),
  passwordChange('password-cut', text => text.replace(/\$[A-Za-z_]\w*/g, ''), 'sender'),
  passwordChange('password-plain-blanks', text => text.replace(/[\u00a0\u202f]/g, ' ')),
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
  formula('sha256-bytes', { scheme: 'sha256-bytes' }),
  formula('sha256-alone', { scheme: 'sha256-alone' }),
  ...(['hmac-md5', 'hmac-sha1', 'hmac-sha256'] as const).flatMap(scheme =>
    (['ascii', 'none'] as const).map(casing =>
      formula('hmac', { scheme, casing, layout: 'without-password' }),
    ),
  ),
  formula('reversed', { layout: 'reversed' }),
  formula('reversed', { layout: 'reversed', scheme: 'md5-alone' }),
  formula('latin-1', { charset: 'latin1' }),
  formula('windows-1252', { charset: 'windows-1252' }),
  formula('utf-16', { charset: 'utf16le' }),
  formula('number-first', { layout: 'number-first' }),
  formula('without-currency', { layout: 'without-currency' }),
  formula('session-formula', { layout: 'without-id' }),
  formula('password-first', { layout: 'password-first' }),
  formula('spaces-between', { layout: 'spaced' }),
  formula('colons-between', { layout: 'colons' }),
  formula('bars-between', { layout: 'bars' }),
];
