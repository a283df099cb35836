import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import type { DraftsKept } from '../../../shared/contract/contract.ts';
import type { CredentialStore } from '../../credentials/credential-store.ts';
import { writeFileAtomic } from '../../files/replace-file.ts';

/** The name of the key in the keychain. */
const account = 'new-payment-drafts-key';

/** The first bytes of the file; they are authenticated with the content. */
const mark = Buffer.from('CfDraft1');
const nonceBytes = 12;
const tagBytes = 16;

const encrypt = (key: Buffer, content: string): Buffer => {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(mark);
  const text = Buffer.concat([cipher.update(content, 'utf8'), cipher.final()]);
  return Buffer.concat([mark, nonce, cipher.getAuthTag(), text]);
};

/** Null for a file of another key, and one that was altered. */
const decrypt = (key: Buffer, bytes: Buffer): string | null => {
  const start = mark.length + nonceBytes + tagBytes;
  if (bytes.length < start || !bytes.subarray(0, mark.length).equals(mark)) return null;
  const decipher = createDecipheriv(
    'aes-256-gcm',
    key,
    bytes.subarray(mark.length, mark.length + nonceBytes),
  );
  decipher.setAAD(mark);
  decipher.setAuthTag(bytes.subarray(mark.length + nonceBytes, start));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(start)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
};

/** One text in a file that only the key in the operating system's keychain can read. */
export type DraftFile = ReturnType<typeof createDraftFile>;

export const createDraftFile = (file: string, credentials: Pick<CredentialStore, 'password' | 'set'>) => {
  let kept: DraftsKept = 'restart';
  /** Null: the keychain has none. Undefined: the keychain has not responded yet. */
  let key: Buffer | null | undefined;

  const readKey = async (): Promise<Buffer | null | undefined> => {
    const stored = await credentials.password(account);
    if (stored.ok) return /^[\da-f]{64}$/.test(stored.value) ? Buffer.from(stored.value, 'hex') : null;
    return stored.error.code === 'profile.password-missing' ? null : undefined;
  };
  const createKey = async (): Promise<Buffer | undefined> => {
    const created = randomBytes(32);
    const stored = await credentials.set(account, created.toString('hex'), 'keychain');
    return stored.ok ? created : undefined;
  };

  return {
    /** How long a text is kept, as the last read, or write of a text, has shown. */
    kept: (): DraftsKept => kept,
    /** Null if there is nothing, or nothing that can be read: see `kept`. Never rejects. */
    read: async (): Promise<string | null> => {
      // Most people close Counterfoil without open forms: the keychain is not needed then.
      if (!existsSync(file)) {
        kept = 'restart';
        return null;
      }
      key ??= await readKey();
      kept = key === undefined ? 'this-run' : 'restart';
      if (key === undefined || key === null) return null;
      try {
        return decrypt(key, await readFile(file));
      } catch {
        // It may be readable later, and must not be replaced before.
        kept = 'this-run';
        return null;
      }
    },
    /** Null removes the file. To be called only after a read that succeeded. False if it failed; never rejects. */
    write: async (content: string | null): Promise<boolean> => {
      try {
        if (content === null) {
          // Says nothing about the keychain.
          await rm(file, { force: true });
          return true;
        }
        key ??= await readKey();
        if (key === null) key = await createKey();
        if (key === undefined) throw new Error('The keychain cannot be used.');
        await writeFileAtomic(file, encrypt(key, content));
        kept = 'restart';
        return true;
      } catch {
        kept = 'this-run';
        return false;
      }
    },
  };
};
