import { hash } from 'node:crypto';

/** Bytes of a fingerprint: two links of a million have the same one with a probability of 1 in 10^7. */
const length = 8;
/** The first Braille pattern: letters that no search text contains, so that no typed word matches a part of one. */
const firstLetter = 0x2800;

/**
 * The search word of a payment link: a fingerprint, because the link is a bearer credential that must not become a
 * search word itself. Eight characters, one for each byte.
 */
export const linkWord = (link: string): string =>
  Array.from(hash('sha256', link, 'buffer').subarray(0, length), byte =>
    String.fromCodePoint(firstLetter + byte),
  ).join('');
