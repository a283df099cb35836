/** How programs change the texts and amounts that a signature covers. */

export const beyondAscii = /[^\0-\x7f]/;

/** Length limit of a rewritten amount, characters. */
export const maxAmountChars = 40;

/** An amount as digits before and after its decimal separator, with any separators; null = not a number. */
export const amountParts = (text: string): { whole: string; fraction: string } | null => {
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

export const digits = (text: string, count: number): string | null => {
  const parts = amountParts(text);
  if (!parts || /[1-9]/.test(parts.fraction.slice(count))) return null;
  return count === 0 ? parts.whole : `${parts.whole}.${parts.fraction.slice(0, count).padEnd(count, '0')}`;
};

export const grouped = (text: string): string | null => {
  const parts = amountParts(text);
  if (!parts || parts.whole.length < 4) return null;
  const groups: string[] = [];
  for (let stop = parts.whole.length; stop > 0; stop -= 3)
    groups.unshift(parts.whole.slice(Math.max(0, stop - 3), stop));
  const whole = groups.join(',');
  return parts.fraction === '' ? whole : `${whole}.${parts.fraction}`;
};

export const moved = (text: string, places: 2 | -2): string | null => {
  const parts = amountParts(text);
  if (!parts) return null;
  if (places === 2)
    return `${parts.whole}${parts.fraction.padEnd(2, '0').slice(0, 2)}`.replace(/^0+(?=\d)/, '');
  if (parts.fraction !== '') return null;
  const long = parts.whole.padStart(3, '0');
  return `${long.slice(0, -2)}.${long.slice(-2)}`;
};

const windows1252 = new TextDecoder('windows-1252');
/** The bytes 80 to 9f of Windows-1252, which Latin-1 has as control characters. */
const windowsLetters = windows1252.decode(Uint8Array.from({ length: 32 }, (_, at) => 0x80 + at));
/** A text in Windows-1252; what it lacks becomes `?`. */
export const inWindows1252 = (text: string): Buffer =>
  Buffer.from(
    Array.from(text, letter => {
      const at = windowsLetters.indexOf(letter);
      const code = letter.codePointAt(0) ?? 0;
      return at >= 0 ? 0x80 + at : code <= 0xff ? code : 0x3f;
    }),
  );

/** UTF-8 bytes that were decoded as Windows-1252: `GrÃ¶ÃŸe`, `Ã„rztehaus`. */
export const unmix = (text: string): string | null => {
  if (!beyondAscii.test(text)) return null;
  const back = inWindows1252(text).toString('utf8');
  return back.includes('\uFFFD') ? null : back;
};
export const mix = (text: string): string | null =>
  beyondAscii.test(text) ? windows1252.decode(Buffer.from(text, 'utf8')) : null;

export const escapeHtml = (text: string, apostrophe = '&#039;'): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", apostrophe);

/** Characters that no one sees, and that copying adds or a program removes. */
export const invisible = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;
export const fourByte = /[\u{10000}-\u{10ffff}]/gu;
const german: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  Ä: 'Ae',
  Ö: 'Oe',
  Ü: 'Ue',
  ß: 'ss',
};
export const transliterated = (text: string): string =>
  text
    .replace(/[äöüÄÖÜß]/g, letter => german[letter] ?? letter)
    .normalize('NFD')
    .replace(/\p{M}/gu, '');

/** Digits in groups, before a decimal separator. */
export const written = (text: string, group: string, decimal: string): string | null => {
  const parts = amountParts(text);
  if (!parts) return null;
  const whole = parts.whole.replace(/\B(?=(?:\d{3})+$)/g, group);
  return parts.fraction === '' ? whole : `${whole}${decimal}${parts.fraction}`;
};

export const formEncode = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+');
