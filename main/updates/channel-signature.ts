import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

/**
 * The signatures of a channel file, its last lines: `# ed25519 BASE64`, one for each key. YAML readers take them for
 * comments. One file: content and signatures cannot come from two states of the server.
 */

/** While a key is replaced there are two. */
const signatureLines = /\n((?:# ed25519 [A-Za-z0-9+/]{86}==\n){1,3})$/;

/** The signed bytes contain the file's name, so that a file of another system cannot take its place. */
const signedBytes = (fileName: string, content: string): Buffer =>
  Buffer.from(`counterfoil update channel 1\n${fileName}\n${content}`, 'utf8');

/** The public key from the base64 of its SPKI form, the middle line of `openssl pkey -pubout`; null if it is not one. */
const publicKeyOf = (base64: string): KeyObject | null => {
  try {
    const key = createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
};

/** `content` with the signature of every key. `content` ends with a line break. */
export const signChannel = (content: string, fileName: string, keys: readonly KeyObject[]): string => {
  const bytes = signedBytes(fileName, content);
  return content + keys.map(key => `# ed25519 ${sign(null, bytes, key).toString('base64')}\n`).join('');
};

/** The content of a channel file, signed or not, and its signatures; nothing is verified. */
export const signedParts = (text: string): { content: string; signatures: string[] } => {
  const lines = signatureLines.exec(text)?.[1] ?? '';
  return {
    content: text.slice(0, text.length - lines.length),
    signatures: [...lines.matchAll(/ed25519 (\S+)/g)].map(([, signature = '']) => signature),
  };
};

/** The content of a channel file, if one of `keys` signed it under this name; otherwise null. */
export const verifiedContent = (text: string, fileName: string, keys: readonly string[]): string | null => {
  const { content, signatures } = signedParts(text);
  const bytes = signedBytes(fileName, content);
  const isSigned = keys.some(base64 => {
    const key = publicKeyOf(base64);
    return key !== null && signatures.some(one => verify(null, bytes, key, Buffer.from(one, 'base64')));
  });
  return isSigned ? content : null;
};
