import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pipeline } from 'node:stream/promises';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { CredentialStore } from '../../credentials/credential-store.ts';
import { writeFileAtomic } from '../../files/replace-file.ts';
import {
  hasHeadOf,
  headFolder,
  headsNewestFirst,
  headText,
  readHeadFiles,
  sharedHeadFolder,
  writeDaysHead,
} from '../../payment-log/heads/head-files.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { readSignedHead } from '../../payment-log/heads/read-signed-head.ts';
import { hasValidSignature, keyName, newHeadKey, signHead } from '../../payment-log/heads/signed-head.ts';
import type { ChainEnd, HeadFile, SignedHead } from '../../payment-log/answers.ts';

/** The keychain account of the signing key, next to the merchants' passwords. */
const account = 'payment-log-signing-key';
/** The keychain account of the last head. */
const headAccount = 'payment-log-last-head';
/** Limit of chains in the keychain's head: Windows stores 1,280 characters. */
const maxStoredChains = 4;
/** Timeout of the keychain during a verification. */
const maxKeychainMs = 2_000;

/** Signs the log's head: the key is created at first use and never leaves main. */
export type HeadSigner = {
  /** Errors: `keychain.*` if there is no key to sign with. */
  sign(log: PaymentLog, exported?: SignedHead['export']): Promise<Result<SignedHead>>;
  /** Signs these ends of chains. Errors: as `sign`. */
  signEnds(ends: readonly ChainEnd[]): Promise<Result<SignedHead>>;
  /** Signs the ends of a shared log's chains once a day, in a folder for that log, if there is a key. */
  signSharedDaily(logId: string, ends: readonly ChainEnd[]): Promise<void>;
  /** The heads of a shared log that this installation has signed, oldest first. */
  readShared(logId: string): Promise<HeadFile[]>;
  /** Writes today's head, if there is evidence and no head of today yet. Errors: `keychain.*`, `file.unwritable`. */
  writeDaily(log: PaymentLog): Promise<Result<undefined>>;
  /** Writes a head for an exported file next to it, as `<file>.head.json`. Errors: `keychain.*`, `file.unwritable`. */
  signFile(log: PaymentLog, file: string): Promise<Result<undefined>>;
  /** The valid heads of the log's folder, oldest first, and those of a shared log (its id; null: none). */
  readAll(sharedLogId: string | null): Promise<SignedHead[]>;
  /** The last written head, and its key's fingerprint; read once, then cached. */
  lastWritten(): { at: number; key: string } | null;
  /** Reads the last head of the folder again, after files were archived. */
  refresh(): Promise<void>;
  /** The head stored in the keychain; null if there is none or the keychain does not answer. */
  readStored(): Promise<HeadFile | null>;
  /** Stores the ends of the chains in the keychain, separate from the log's files; a failure has no other effect. */
  store(log: PaymentLog): Promise<void>;
  /**
   * Runs a replacement of the log without a stored head, so that no start compares the old log's head with the new
   * log. The head is stored again if the log was not replaced. A failure of the keychain has no other effect.
   */
  whileReplaced<T>(replace: () => Promise<Result<T>>): Promise<Result<T>>;
};

const digestOf = async (file: string): Promise<string> => {
  const digest = createHash('sha256');
  await pipeline(createReadStream(file), digest);
  return digest.digest('hex');
};

const unwritable = () =>
  fail('file.unwritable', msg('signature-file.unwritable'), {
    hint: msg('signature-file.unwritable.hint'),
  });

/** `logFile`: heads are in a folder next to it. `clock` in milliseconds. */
export const createHeadSigner = (
  credentials: CredentialStore,
  logFile: string,
  clock: () => number,
): HeadSigner => {
  const folder = headFolder(logFile);
  let key: Promise<Result<string>> | null = null;
  let last: ReturnType<HeadSigner['lastWritten']> = null;
  const refresh = async (): Promise<void> => {
    for await (const head of headsNewestFirst(folder)) {
      last = { at: head.at, key: keyName(head) };
      return;
    }
    last = null;
  };
  void refresh();

  const readOrCreateKey = async (): Promise<Result<string>> => {
    const stored = await credentials.password(account);
    if (stored.ok || stored.error.code !== 'profile.password-missing') return stored;
    const created = newHeadKey();
    // A key that is kept only for this run would be useless for later comparisons.
    const kept = await credentials.set(account, created, 'keychain');
    return kept.ok ? ok(created) : kept;
  };
  /** Two callers at the first use must not create two keys: the first head would be signed with a forgotten one. */
  const signingKey = async (): Promise<Result<string>> => {
    const asked = (key ??= readOrCreateKey());
    const found = await asked;
    if (!found.ok && key === asked) key = null;
    return found;
  };

  const signEnds = async (
    ends: readonly ChainEnd[],
    exported: SignedHead['export'] = null,
  ): Promise<Result<SignedHead>> => {
    const signing = await signingKey();
    return signing.ok ? ok(signHead(signing.value, clock(), ends, exported)) : signing;
  };
  const sign: HeadSigner['sign'] = async (log, exported = null) => signEnds(await log.chainEnds(), exported);
  const readShared: HeadSigner['readShared'] = logId => readHeadFiles(sharedHeadFolder(logFile, logId));

  const store: HeadSigner['store'] = async log => {
    const signing = await signingKey();
    // A log that was closed meanwhile has no ends to store.
    const ends = (await log.chainEnds().catch(() => [])).filter(({ seq }) => seq > 0).slice(-maxStoredChains);
    if (!signing.ok || ends.length === 0) return;
    const text = JSON.stringify(signHead(signing.value, clock(), ends));
    await credentials.set(headAccount, text, 'keychain');
  };

  return {
    sign,
    signEnds: ends => signEnds(ends),
    signSharedDaily: async (logId, ends) => {
      const shared = sharedHeadFolder(logFile, logId);
      const written = ends.filter(({ seq }) => seq > 0);
      if (written.length === 0 || hasHeadOf(shared, clock())) return;
      const head = await signEnds(written);
      if (!head.ok) return;
      try {
        writeDaysHead(shared, head.value);
      } catch {
        // A folder that cannot be written is reported elsewhere.
      }
    },
    readShared,
    writeDaily: async log => {
      if (hasHeadOf(folder, clock()) || (await log.chainEnds()).every(({ seq }) => seq === 0))
        return ok(undefined);
      const head = await sign(log);
      if (!head.ok) return head;
      try {
        writeDaysHead(folder, head.value);
        last = { at: head.value.at, key: keyName(head.value) };
        return ok(undefined);
      } catch {
        return unwritable();
      }
    },
    signFile: async (log, file) => {
      try {
        const head = await sign(log, { file: basename(file), sha256: await digestOf(file) });
        if (!head.ok) return head;
        await writeFileAtomic(`${file}.head.json`, headText(head.value));
        return ok(undefined);
      } catch {
        return unwritable();
      }
    },
    readAll: async sharedLogId => {
      const heads: SignedHead[] = [];
      for await (const head of headsNewestFirst(folder)) if (hasValidSignature(head)) heads.push(head);
      const shared = sharedLogId === null ? [] : await readShared(sharedLogId);
      return [
        ...heads.toReversed(),
        ...shared.flatMap(({ head }) => (head && hasValidSignature(head) ? [head] : [])),
      ];
    },
    lastWritten: () => last,
    refresh,
    readStored: async () => {
      const stored = await Promise.race([
        credentials.password(headAccount),
        wait(maxKeychainMs, null, { ref: false }),
      ]);
      if (!stored?.ok) return null;
      try {
        return { source: { kind: 'keychain' }, head: readSignedHead(JSON.parse(stored.value)) };
      } catch {
        return null;
      }
    },
    store,
    whileReplaced: async replace => {
      const stored = await credentials.password(headAccount);
      await credentials.remove(headAccount);
      let isReplaced = false;
      try {
        const replaced = await replace();
        isReplaced = replaced.ok;
        return replaced;
      } finally {
        if (stored.ok && !isReplaced) await credentials.set(headAccount, stored.value, 'keychain');
      }
    },
  };
};
