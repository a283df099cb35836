import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fail, ok, type Result } from '../../shared/errors.ts';
import type { CredentialStore } from '../credentials/credential-store.ts';
import { hasHeadOf, headFolder, headText, readHeads, writeDaysHead } from '../log/head-files.ts';
import type { PaymentLog } from '../log/payment-log.ts';
import { isGenuine, keyName, newHeadKey, signHead } from '../log/signed-head.ts';
import type { SignedHead } from '../log/signed-head-schema.ts';

/** The name under which the signing key lies in the keychain, beside the merchants' passwords. */
const account = 'payment-log-signing-key';

/** Signs the log's head: the key is made at first use and never leaves main. */
export type Heads = {
  /** Errors: `keychain.*` when there is no key to sign with. */
  sign(log: PaymentLog, exported?: SignedHead['export']): Promise<Result<SignedHead>>;
  /** Writes today's head, if there is evidence and no head of today yet. Errors: `keychain.*`, `file.unwritable`. */
  daily(log: PaymentLog): Promise<Result<undefined>>;
  /** Writes a head that names an exported file beside it, as `<file>.head.json`. Errors: `keychain.*`, `file.unwritable`. */
  signFile(log: PaymentLog, file: string): Promise<Result<undefined>>;
  /** The genuine heads of the folder, oldest first. */
  all(): SignedHead[];
  /** The last head that was written, and the key it was signed with. */
  last(): { at: number; key: string } | null;
};

const digestOf = async (file: string): Promise<string> => {
  const digest = createHash('sha256');
  await pipeline(createReadStream(file), digest);
  return digest.digest('hex');
};

const unwritable = () =>
  fail('file.unwritable', 'The signed head of the payment log could not be written.', {
    hint: 'The folder may be missing, full or protected.',
  });

/** `logFile`: heads lie in a folder beside it. `clock` in milliseconds. */
export const keepHeads = (credentials: CredentialStore, logFile: string, clock: () => number): Heads => {
  const folder = headFolder(logFile);
  let held: string | null = null;

  const key = async (): Promise<Result<string>> => {
    if (held !== null) return ok(held);
    const kept = await credentials.password(account);
    if (!kept.ok && kept.error.code !== 'profile.password-missing') return kept;
    const found = kept.ok ? kept.value : newHeadKey();
    if (!kept.ok) {
      // A key that is forgotten with this run would sign what nobody can compare tomorrow.
      const stored = await credentials.keep(account, found, 'keychain');
      if (!stored.ok) return stored;
    }
    held = found;
    return ok(found);
  };

  const sign: Heads['sign'] = async (log, exported = null) => {
    const signing = await key();
    return signing.ok ? ok(signHead(signing.value, clock(), await log.chainEnds(), exported)) : signing;
  };

  return {
    sign,
    daily: async log => {
      if (hasHeadOf(folder, clock()) || (await log.chainEnds()).every(({ seq }) => seq === 0))
        return ok(undefined);
      const head = await sign(log);
      if (!head.ok) return head;
      try {
        writeDaysHead(folder, head.value);
        return ok(undefined);
      } catch {
        return unwritable();
      }
    },
    signFile: async (log, file) => {
      try {
        const head = await sign(log, { file: basename(file), sha256: await digestOf(file) });
        if (!head.ok) return head;
        await writeFile(`${file}.head.json`, headText(head.value));
        return ok(undefined);
      } catch {
        return unwritable();
      }
    },
    all: () => readHeads(folder).flatMap(({ head }) => (head && isGenuine(head) ? [head] : [])),
    last: () => {
      const head = readHeads(folder).findLast(file => file.head !== null)?.head;
      return head ? { at: head.at, key: keyName(head) } : null;
    },
  };
};
