import { ok, type Result } from '../../../shared/errors.ts';
import { reportFailure } from '../../app-log/failure-report.ts';
import type { CredentialStore } from '../../credentials/credential-store.ts';
import { logFailure, toLogFailure } from '../../payment-log/log-failures.ts';
import type { OpenLog, PaymentLog } from '../../payment-log/payment-log.ts';
import { removeReplaced } from '../../payment-log/sqlite/change-key.ts';
import {
  fileToOpen,
  interruptedReplacement,
  type ReplacementPurpose,
} from '../../payment-log/sqlite/files/replace-log.ts';
import { isLogKey, logFileKind, logKeyId, type LogKey } from '../../payment-log/sqlite/key/log-key.ts';

/**
 * The keys of encrypted payment logs in the keychain, each under its own name: a copy from before a change of the key
 * can still be opened.
 */
export type LogKeys = {
  /**
   * The key of a log, null if it is not encrypted. Errors: `log.locked`; its cause is the keychain's code if the keychain
   * did not answer.
   */
  of(file: string): Promise<Result<LogKey | null>>;
  /** Whether a log could not be opened for want of this key. */
  isWanted(key: LogKey): boolean;
  /** Stores a key. `where`: a keychain that cannot be used is no reason to keep a log closed. Errors: `keychain.*`. */
  store(key: LogKey, where: 'keychain' | 'keychain-or-this-run'): Promise<Result<undefined>>;
};

const account = (keyId: string): string => `payment-log-key-${keyId}`;

export const createLogKeys = (credentials: CredentialStore): LogKeys => {
  const wanted = new Set<string>();
  return {
    of: async file => {
      try {
        const found = logFileKind(file);
        if (found.kind !== 'encrypted') return ok(null);
        const stored = await credentials.password(account(found.keyId));
        if (stored.ok && isLogKey(stored.value) && logKeyId(stored.value) === found.keyId) return stored;
        wanted.add(found.keyId);
        return logFailure('log.locked', stored.ok ? 'another key' : stored.error.code);
      } catch (thrown) {
        return toLogFailure(thrown);
      }
    },
    isWanted: key => wanted.has(logKeyId(key)),
    store: async (key, where) => {
      const name = account(logKeyId(key));
      const stored = await credentials.set(name, key, 'keychain');
      if (stored.ok) {
        const read = await credentials.password(name);
        return read.ok ? ok(undefined) : read;
      }
      return where === 'keychain' ? stored : credentials.set(name, key, 'this-run-only');
    },
  };
};

/**
 * Opens the log with its key. What a change of its encryption left is removed once it is open. `onReplaced`: called if
 * opening completed a replacement that the end of the process had interrupted.
 */
export const openWithKey =
  (
    { openLog, logFile }: { openLog: OpenLog; logFile: string },
    keys: LogKeys,
    onReplaced: (replacement: { archivedAs: string; purpose: ReplacementPurpose }) => void,
  ) =>
  async (onStateError: Parameters<OpenLog>[0]): Promise<Result<PaymentLog>> => {
    const interrupted = interruptedReplacement(logFile);
    const key = await keys.of(fileToOpen(logFile));
    if (!key.ok) return key;
    const opened = await openLog(onStateError, key.value);
    if (opened.ok && interrupted) onReplaced(interrupted);
    if (opened.ok)
      removeReplaced(logFile).catch((thrown: unknown) =>
        reportFailure('payment-log', 'The former payment log could not be removed.', thrown),
      );
    return opened;
  };
