import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, sign, verify } from 'node:crypto';
import type { ChainEnd, SignedHead } from '../answers.ts';

/** The signed text: the JSON array of the other fields, in this order. */
const signedText = ({ format, at, chains, export: file }: Omit<SignedHead, 'signature' | 'publicKey'>) =>
  Buffer.from(
    JSON.stringify([
      format,
      at,
      chains.map(({ writer, seq, hash: link }) => [writer, seq, link]),
      file && [file.file, file.sha256],
    ]),
  );

/** A new Ed25519 key, PKCS#8 in base64. Created once and kept in the keychain. */
export const newHeadKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');

/** Signs the ends of the chains with a key from `newHeadKey`. `at` in milliseconds. Throws if the key is invalid. */
export const signHead = (
  key: string,
  at: number,
  chains: readonly ChainEnd[],
  exported: SignedHead['export'] = null,
): SignedHead => {
  const privateKey = createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' });
  const head = { format: 'counterfoil-head-1' as const, at, chains: [...chains], export: exported };
  return {
    ...head,
    publicKey: createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64'),
    signature: sign(null, signedText(head), privateKey).toString('base64'),
  };
};

/** Whether a head is unchanged since it was signed with the key it names. */
export const hasValidSignature = (head: SignedHead): boolean => {
  try {
    const publicKey = createPublicKey({
      key: Buffer.from(head.publicKey, 'base64'),
      format: 'der',
      type: 'spki',
    });
    return verify(null, signedText(head), publicKey, Buffer.from(head.signature, 'base64'));
  } catch {
    return false;
  }
};

/** A key fingerprint short enough to compare by eye: sixteen hex digits of its SHA-256. */
export const keyName = (head: Pick<SignedHead, 'publicKey'>): string =>
  hash('sha256', Buffer.from(head.publicKey, 'base64')).slice(0, 16);
