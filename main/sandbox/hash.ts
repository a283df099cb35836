import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * The gateway's separate implementation of the signature (§5), independent of the console's on purpose: two
 * implementations that agree are evidence, one is not.
 */
export type Digest = 'md5' | 'sha256';
export type Uppercasing = 'unicode' | 'ascii';

const upperCase = (text: string, uppercasing: Uppercasing): string =>
  uppercasing === 'unicode'
    ? text.toUpperCase()
    : text.replaceAll(/[a-z]/g, letter => String.fromCodePoint((letter.codePointAt(0) ?? 0) - 32));

/**
 * SHA1(hex(MD5(UPPER(parts joined)))), lower-case hexadecimal (§5.3).
 * `parts`: the fields in the formula's order, the merchant password last.
 */
export const signature = (parts: readonly string[], digest: Digest, uppercasing: Uppercasing): string => {
  const inner = createHash(digest)
    .update(upperCase(parts.join(''), uppercasing), 'utf8')
    .digest('hex');
  return createHash('sha1').update(inner, 'utf8').digest('hex');
};

/** Whether a request's hash is valid under either upper-casing; ignores case, constant-time. */
export const signatureHolds = (hash: string, parts: readonly string[], digest: Digest): boolean => {
  const given = Buffer.from(hash.toLowerCase(), 'utf8');
  return (['unicode', 'ascii'] as const)
    .map(uppercasing => Buffer.from(signature(parts, digest, uppercasing), 'utf8'))
    .map(expected => expected.length === given.length && timingSafeEqual(expected, given))
    .includes(true);
};
