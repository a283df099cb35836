import type { AnswerExcerpt } from '../../shared/payments/evidence.ts';
import type { Received } from './http-request.ts';

/** What may be written down of requests and answers: never the password, never a signature. */

export const mask = '•••';
/** Bytes of an answer that are kept as evidence. */
export const excerptLimit = 16 * 1024;

const plainWord = /^[\w.-]*$/;

/** How a secret may be echoed: as it is, upper-cased as it was hashed, in JSON, in a URL. */
const spellingsOf = (secret: string): string[] =>
  plainWord.test(secret)
    ? [secret, secret.toUpperCase()]
    : [
        secret,
        secret.toUpperCase(),
        JSON.stringify(secret).slice(1, -1),
        encodeURIComponent(secret.toWellFormed()),
      ];

/** A function that hides these secrets in a text, however it spells them, and the value of every field `hash`. */
export const redactor = (secrets: readonly string[]): ((text: string) => string) => {
  const spellings = secrets.filter(secret => secret !== '').flatMap(spellingsOf);
  // The longest first, so that no rest of a longer spelling is left behind.
  spellings.sort((one, other) => other.length - one.length);
  return text => {
    let hidden = text;
    for (const spelling of spellings) hidden = hidden.replaceAll(spelling, mask);
    return hidden.replaceAll(/("hash"\s*:\s*")(?:[^"\\]|\\.)*/gi, `$1${mask}`);
  };
};

/** At most 16 KiB of an answer, read as UTF-8, secrets hidden. */
export const excerptOf = (received: Received, redact: (text: string) => string): AnswerExcerpt => {
  const { httpStatus, contentType, body } = received;
  const truncated = body.length > excerptLimit;
  // Hidden before it is cut, so that no half of a secret is left at the edge; a character cut in two is dropped.
  const text = redact(decode(truncated ? body.subarray(0, 2 * excerptLimit) : body));
  return { httpStatus, contentType, body: truncated ? truncate(text) : text, truncated };
};

const truncate = (text: string): string =>
  new TextDecoder('utf-8').decode(Buffer.from(text, 'utf8').subarray(0, excerptLimit), { stream: true });

/** Bytes as UTF-8 without a byte order mark; what is no UTF-8 becomes the replacement character. */
export const decode = (body: Buffer): string => {
  const text = body.toString('utf8');
  return text.charCodeAt(0) === 0xfe_ff ? text.slice(1) : text;
};

/** The gateway's own words as they may stand in an error: one line, short, secrets, links and signatures hidden. */
export const quotable = (text: string, redact: (text: string) => string): string => {
  const line = redact(text)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll(/https?:\/\/\S+/gi, mask)
    .replaceAll(/\b[0-9a-f]{32,}\b/gi, mask)
    .trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
};
