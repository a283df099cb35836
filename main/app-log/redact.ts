import { maskCardNumbers } from '../../shared/card-number.ts';
import { spellingsOf } from '../secret-spellings.ts';

/**
 * Hides what must not be in the application log: passwords, hashes, tokens, links, card numbers, e-mail addresses and
 * telephone numbers. Every text passes through it.
 */

export const mask = '•••';

/** URL schemes of the program's own code: a stack trace is useless without them. */
const ownSchemes: ReadonlySet<string> = new Set(['file', 'app', 'node', 'chrome-extension', 'devtools']);

/** Reduces an address to its origin: the host, and nothing of the request. */
const maskAddress = (address: string, scheme: string): string => {
  if (ownSchemes.has(scheme.toLowerCase())) return address;
  const url = URL.parse(address);
  if (!url || url.host === '') return `${scheme}://${mask}`;
  const isOrigin = address === `${url.protocol}//${url.host}` || address === `${url.protocol}//${url.host}/`;
  return isOrigin ? address : `${url.protocol}//${url.host}/${mask}`;
};

const fieldNames =
  'pass(?:word|wd|phrase)?|pwd|secret|tokens?|hash|signature|pin|authorization|cookie|cv[vc]2?|card|pan|iban|key|credential';
const fields = new RegExp(
  `((?:["']|\\b)[\\w.-]*(?:${fieldNames})[\\w-]*["']?\\s*[:=]\\s*)("(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)*'|[^\\s,;&}\\])]+)`,
  'gi',
);

/** Share of upper-case letters between which a long text is random, and not a name in a stack trace. */
const randomUpperShare = { from: 0.25, to: 0.75 };
/** Letters. */
const longestWord = 20;

/** Whether a long text reads like a name of the program (`orderNumber`, `SQLITE_CORRUPT_INDEX`, `step-2`). */
const isName = (text: string): boolean => {
  const words = text.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  const letters = words.join('');
  const upperShare = letters.replaceAll(/[a-z]/g, '').length / Math.max(letters.length, 1);
  return (
    /^\D*\d{0,3}$/.test(text) &&
    words.every(word => word.length <= longestWord) &&
    (upperShare < randomUpperShare.from || upperShare > randomUpperShare.to)
  );
};

const maskUnlessName = (text: string): string => (isName(text) ? text : mask);

const urlGap = String.raw`%(?:25){0,3}(?:20|09|0[ad]|2[8-9bdef]|c2%(?:25){0,3}a0)`;
/** Ten digits or more; an escape before the first one is not part of it. */
const digitRun = new RegExp(
  String.raw`%(?:25){0,3}[0-9a-f]{2}(?=\d)|\+?\d(?:(?:[\s.()/+-]|${urlGap}){0,2}\d){9,}`,
  'gi',
);

/**
 * Replaces what surrounds each sign: `before` and `after` are the characters that belong to it on either side. Each
 * character is looked at twice at most, which a regular expression with a repetition before the sign cannot promise.
 * `hide` returns null to leave a place as it is.
 */
const replaceAround = (
  text: string,
  sign: RegExp,
  before: RegExp,
  after: RegExp,
  hide: (left: string, found: string, right: string) => string | null,
): string => {
  let masked = '';
  let done = 0;
  for (const { 0: found, index } of text.matchAll(sign)) {
    if (index < done) continue;
    let from = index;
    while (from > done && before.test(text[from - 1] ?? '')) from -= 1;
    let to = index + found.length;
    while (to < text.length && after.test(text[to] ?? '')) to += 1;
    const hidden = hide(text.slice(from, index), found, text.slice(index + found.length, to));
    if (hidden === null) continue;
    masked += text.slice(done, from) + hidden;
    done = to;
  }
  return masked + text.slice(done);
};

const emailPart = /[^\s@"'<>(),;:/\\]/;
const maskEmails = (text: string): string =>
  replaceAround(text, /@|%40/gi, emailPart, emailPart, (left, _sign, right) =>
    left === '' || right === '' ? null : mask,
  );

const maskAddresses = (text: string): string =>
  replaceAround(text, /:\/\//g, /[a-z0-9+.-]/i, /[^\s"'<>`]/, (left, sign, right) => {
    const scheme = left.replace(/^[^a-z]+/i, '');
    if (scheme === '' || right === '') return null;
    return left.slice(0, left.length - scheme.length) + maskAddress(scheme + sign + right, scheme);
  });

/** Patterns in order of application: an address before the e-mail address inside it. */
const patterns: readonly ((text: string) => string)[] = [
  maskAddresses,
  text => text.replaceAll(/\b(bearer|basic)\s+[^\s,;"']+/gi, `$1 ${mask}`),
  text => text.replaceAll(fields, `$1${mask}`),
  maskEmails,
  text => maskCardNumbers(text).replaceAll(/\d{6}\*{3,9}\d{4}/g, mask),
  // Digits of a card or a telephone number, with or without separators, as they are or as a URL writes them.
  text => text.replaceAll(digitRun, found => (found.startsWith('%') ? found : mask)),
  // Not a file of the program, with which a stack trace begins.
  text => text.replaceAll(/(?<![\w/.:-])(?!\/[a-z]+\/)[A-Za-z0-9+/]{24,}={0,2}(?![\w/.])/g, maskUnlessName),
  text => text.replaceAll(/[0-9a-f]{16,}/gi, mask),
  text => text.replaceAll(/[\w+=-]{20,}/g, maskUnlessName),
];

/** Length, characters, below which a secret is hidden only as a whole word: a single letter occurs in every word. */
const minPlainChars = 4;

const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);

/** Limit of remembered secrets; the oldest are dropped. */
const maxSecrets = 500;

export const createRedactor = () => {
  const secrets = new Set<string>();
  let known: RegExp | null = null;
  const compile = (): RegExp | null => {
    const spellings = spellingsOf(secrets);
    const alternatives = spellings.map(text =>
      text.length < minPlainChars ? String.raw`(?<!\w)${escape(text)}(?!\w)` : escape(text),
    );
    return alternatives.length === 0 ? null : new RegExp(alternatives.join('|'), 'g');
  };
  return {
    /** Hides this secret from now on, in any spelling. */
    add: (secret: string): void => {
      if (secret === '' || secrets.has(secret)) return;
      secrets.add(secret);
      const [oldest] = secrets;
      if (secrets.size > maxSecrets && oldest !== undefined) secrets.delete(oldest);
      known = null;
    },
    /** The text without secrets and personal data. */
    redact: (text: string): string => {
      if (known === null && secrets.size > 0) known = compile();
      let redacted = known === null ? text : text.replaceAll(known, mask);
      for (const apply of patterns) redacted = apply(redacted);
      return redacted;
    },
  };
};
