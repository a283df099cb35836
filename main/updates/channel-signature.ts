import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

/**
 * The signature of a channel file, its last line: `# ed25519 BASE64`. YAML readers take it for a comment. One file:
 * content and signature cannot come from two states of the server.
 */

const signatureLine = /\n# ed25519 ([A-Za-z0-9+/]{86}==)\n$/;

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

/** `content` with its signature. `content` ends with a line break. */
export const signChannel = (content: string, fileName: string, key: KeyObject): string =>
  `${content}# ed25519 ${sign(null, signedBytes(fileName, content), key).toString('base64')}\n`;

/** The content of a channel file, if one of `keys` signed it under this name; otherwise null. */
export const verifiedContent = (text: string, fileName: string, keys: readonly string[]): string | null => {
  const [line, signature = ''] = signatureLine.exec(text) ?? [];
  if (line === undefined) return null;
  const content = text.slice(0, text.length - line.length + 1);
  const isSigned = keys.some(base64 => {
    const key = publicKeyOf(base64);
    return (
      key !== null && verify(null, signedBytes(fileName, content), key, Buffer.from(signature, 'base64'))
    );
  });
  return isSigned ? content : null;
};

/** The content of a channel file, signed or not; nothing is verified. */
export const contentOf = (text: string): string => text.replace(signatureLine, '\n');
