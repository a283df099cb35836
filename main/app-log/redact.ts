/**
 * Hides what must not be in the application log: passwords, hashes, tokens, links, card numbers, e-mail addresses and
 * telephone numbers. Every text passes through here, whoever wrote it.
 */

export const mask = '•••';

/** Schemes of addresses in the program itself: a stack trace without them is of no use. */
const ownSchemes: ReadonlySet<string> = new Set(['file', 'app', 'node', 'chrome-extension', 'devtools']);

/** Of an address its origin: who was spoken to, and nothing of what was said. */
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

/** Share of upper-case letters from which a long text of letters is random, and not a name in a stack trace. */
const minUpperShare = 0.25;

const isRandomLetters = (text: string): boolean => {
  const upper = text.replaceAll(/[^A-Z]/g, '').length / text.length;
  return /^[A-Za-z]{24,}$/.test(text) && upper >= minUpperShare && upper <= 1 - minUpperShare;
};

const mixed = (text: string): string =>
  isRandomLetters(text) ||
  (/\d/.test(text) && /[A-Za-z]/.test(text) && !/^[A-Za-z]+(?:[-_][A-Za-z]+)*[-_]?\d{0,3}$/.test(text))
    ? mask
    : text;

/** Patterns in the order in which they are applied: an address before the e-mail address inside it. */
const patterns: readonly ((text: string) => string)[] = [
  text =>
    text.replaceAll(/\b([a-z][a-z0-9+.-]*):\/\/[^\s"'<>`]+/gi, (address, scheme: string) =>
      maskAddress(address, scheme),
    ),
  text => text.replaceAll(/\b(bearer|basic)\s+[^\s,;"']+/gi, `$1 ${mask}`),
  text => text.replaceAll(fields, `$1${mask}`),
  text => text.replaceAll(/[^\s@"'<>(),;:/\\]+(?:@|%40)[^\s@"'<>(),;:/\\]+/gi, mask),
  // Digits of a card or a telephone number, with or without separators.
  text => text.replaceAll(/\+?\d(?:[ .()/-]{0,2}\d){9,}/g, mask),
  text => text.replaceAll(/(?<![\w/.:-])[A-Za-z0-9+/]{24,}={0,2}(?![\w/.])/g, mixed),
  text => text.replaceAll(/[0-9a-f]{16,}/gi, mixed),
  text => text.replaceAll(/[\w+=-]{20,}/g, mixed),
];

/** How a secret may be echoed: as it is, upper-cased as it was hashed, in JSON, in a URL or a form. */
const spellingsOf = (secret: string): string[] => {
  const encoded = encodeURIComponent(secret.toWellFormed());
  return [
    secret,
    secret.toUpperCase(),
    secret.toLowerCase(),
    JSON.stringify(secret).slice(1, -1),
    encoded,
    encoded.replaceAll('%20', '+'),
  ];
};

/** Characters of a secret below which it is hidden as a whole word only: a letter is part of every word. */
const minPlainChars = 4;

const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);

export type Redactor = {
  /** Hides this secret from now on, however it is spelt. */
  add(secret: string): void;
  /** The text without secrets and personal data. */
  redact(text: string): string;
};

/** Secrets that are remembered; the oldest are forgotten, since no console has so many profiles. */
const maxSecrets = 500;

export const createRedactor = (): Redactor => {
  const secrets = new Set<string>();
  let known: RegExp | null = null;
  const compile = (): RegExp | null => {
    const spellings = [...new Set([...secrets].flatMap(spellingsOf))].filter(text => text !== '');
    // The longest first, so that no rest of a longer spelling is left behind.
    spellings.sort((one, other) => other.length - one.length);
    const alternatives = spellings.map(text =>
      text.length < minPlainChars ? String.raw`(?<!\w)${escape(text)}(?!\w)` : escape(text),
    );
    return alternatives.length === 0 ? null : new RegExp(alternatives.join('|'), 'g');
  };
  return {
    add: secret => {
      if (secret === '' || secrets.has(secret)) return;
      secrets.add(secret);
      const [oldest] = secrets;
      if (secrets.size > maxSecrets && oldest !== undefined) secrets.delete(oldest);
      known = null;
    },
    redact: text => {
      if (known === null && secrets.size > 0) known = compile();
      let redacted = known === null ? text : text.replaceAll(known, mask);
      for (const apply of patterns) redacted = apply(redacted);
      return redacted;
    },
  };
};
