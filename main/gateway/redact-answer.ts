import { maskCardNumbers } from '../../shared/card-number.ts';
import type { AnswerExcerpt } from '../../shared/payments/evidence.ts';
import { spellingsOf } from '../secret-spellings.ts';
import type { Received } from './http-request.ts';

/** Redaction of recorded requests and responses: never the password, a signature or a card number. */

export const mask = '•••';
/** Size limit of a response that is kept as evidence, bytes. */
export const excerptLimit = 16 * 1024;

/** A function that hides these secrets in a text, in any spelling, the value of every field `hash`, and card numbers. */
export const redactor = (secrets: readonly string[]): ((text: string) => string) => {
  const spellings = spellingsOf(secrets);
  return text => {
    let hidden = text;
    for (const spelling of spellings) hidden = hidden.replaceAll(spelling, mask);
    return maskCardNumbers(hidden.replaceAll(/("hash"\s*:\s*")(?:[^"\\]|\\.)*/gi, `$1${mask}`));
  };
};

/** At most 16 KiB of a response, decoded as UTF-8, with secrets hidden. */
export const excerptOf = (received: Received, redact: (text: string) => string): AnswerExcerpt => {
  const { httpStatus, contentType, body } = received;
  const truncated = body.length > excerptLimit;
  // Redacted before truncation, so that half a secret never remains at the end; a truncated character is dropped.
  const text = redact(decode(body));
  return { httpStatus, contentType, body: truncated ? truncate(text) : text, truncated };
};

const truncate = (text: string): string =>
  new TextDecoder('utf-8').decode(Buffer.from(text, 'utf8').subarray(0, excerptLimit), { stream: true });

/** Decodes UTF-8 without a byte order mark; invalid bytes become the replacement character. */
export const decode = (body: Buffer): string => {
  const text = body.toString('utf8');
  return text.charCodeAt(0) === 0xfe_ff ? text.slice(1) : text;
};

/**
 * The gateway's own message for use in an error: one line, short, without
 * invisible characters; secrets, links, signatures and card numbers hidden.
 */
export const quotable = (text: string, redact: (text: string) => string): string => {
  const line = redact(text)
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll(/https?:\/\/\S+/gi, mask)
    .replaceAll(/\b[0-9a-f]{32,}\b/gi, mask)
    .trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
};
