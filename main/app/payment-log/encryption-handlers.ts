import { randomInt } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AppState, Handlers } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { toLogFailure } from '../../payment-log/log-failures.ts';
import { changeKey, wipeFiles } from '../../payment-log/sqlite/change-key.ts';
import { dailyCopyToday, plainLogFiles } from '../../payment-log/sqlite/files/log-files.ts';
import {
  isEncryptedLog,
  logFileKind,
  logKeyId,
  newLogKey,
  type LogKey,
} from '../../payment-log/sqlite/key/log-key.ts';
import { phraseWord, readPhrase, recoveryPhrase } from '../../payment-log/sqlite/key/recovery-phrase.ts';
import type { AppDependencies } from '../common/app-context.ts';
import type { LogKeys } from './log-keys.ts';
import { createProgressReporter } from './log-progress.ts';
import type { PaymentLogManager } from './payment-log-manager.ts';

type EncryptionHandlers = Pick<
  Handlers,
  | 'log.beginEncryption'
  | 'log.encrypt'
  | 'log.decrypt'
  | 'log.readPhrase'
  | 'log.unlock'
  | 'log.removePlainFiles'
>;

/** How many words of a new phrase have to be typed. */
const askedWords = 3;

/** Different positions of words, ascending, from 1. */
const randomPositions = (of: number): number[] => {
  const positions = new Set<number>();
  while (positions.size < askedWords) positions.add(randomInt(of) + 1);
  return [...positions].toSorted((one, other) => one - other);
};

const megabytes = (bytes: number): number => Math.ceil(bytes / 1_000_000);

/** The old log, the new one, and its growth meanwhile have to fit. */
const checkRoom = async (logFile: string): Promise<Result<undefined>> => {
  const { bavail, bsize } = await statfs(dirname(logFile));
  const needed = 1.5 * statSync(logFile).size;
  return bavail * bsize >= needed
    ? ok(undefined)
    : fail('file.no-room', msg('encryption.no-room'), {
        hint: msg('encryption.no-room.hint'),
        details: { needed: megabytes(needed), free: megabytes(bavail * bsize) },
      });
};

/**
 * Encrypts the payment log and decrypts it. The key leaves main only as words, when a person asks for them. `replaced`:
 * the log was replaced; sends the state to the window, and returns it. `confirmSelf`: whether the signed-in person
 * confirms something with their PIN.
 */
export const createEncryptionHandlers = (
  parts: AppDependencies,
  keys: LogKeys,
  logManager: PaymentLogManager,
  replaced: () => Promise<AppState>,
  confirmSelf: (pin: string | null) => Promise<Result<undefined>>,
): EncryptionHandlers => {
  const { logFile } = parts;
  /** A new key, until its words were confirmed. */
  let pending: { key: LogKey; asked: readonly number[] } | null = null;
  let isChanging = false;

  const change = async (newKey: LogKey | null): Promise<Result<undefined>> => {
    if (isChanging) return fail('input.invalid', msg('encryption.running'));
    isChanging = true;
    try {
      const log = logManager.current();
      if (!log.ok) return log;
      const key = await keys.of(logFile);
      if (!key.ok) return key;
      if ((key.value === null) === (newKey === null))
        return fail('input.invalid', msg(newKey === null ? 'encryption.is-off' : 'encryption.is-on'));
      const room = await checkRoom(logFile);
      if (!room.ok) return room;
      // A log whose key was in memory only could not be opened after a restart.
      const stored = newKey === null ? ok(undefined) : await keys.store(newKey, 'keychain');
      if (!stored.ok) {
        const { code, details } = stored.error;
        return fail(code, msg('encryption.no-keychain'), details ? { details } : {});
      }
      const report = createProgressReporter(parts, 'encrypt');
      const changed = await changeKey({
        log: { file: logFile, key: key.value },
        newKey,
        whileClosed: work => logManager.whileClosed(work),
        holdErasures: work => logManager.holdErasures(work),
        onCopied: (done, total) => report(done, 2 * total),
        onVerified: (done, total) => report(total + done, 2 * total),
      });
      if (changed.ok) await renewTodaysCopy();
      return changed;
    } catch (thrown) {
      return toLogFailure(thrown);
    } finally {
      isChanging = false;
      await replaced();
    }
  };

  /** Today's copy is replaced; older ones stay as they are. */
  const renewTodaysCopy = async (): Promise<void> => {
    const log = logManager.current();
    const copy = dailyCopyToday(logFile, parts.clock());
    if (log.ok && existsSync(copy)) await log.value.files?.copyTo(copy);
  };

  const plainFiles = (): string[] => (isEncryptedLog(logFile) ? plainLogFiles(logFile) : []);

  return {
    'log.beginEncryption': async () => {
      const key = newLogKey();
      const words = recoveryPhrase(key);
      pending = { key, asked: randomPositions(words.length) };
      return ok({ words, asked: [...pending.asked] });
    },
    'log.encrypt': async ({ answers }) => {
      if (!pending) return fail('input.invalid', msg('encryption.no-phrase'));
      const words = recoveryPhrase(pending.key);
      const fields = pending.asked.flatMap((position, at) =>
        phraseWord(answers[at] ?? '') === words[position - 1]
          ? []
          : [{ path: `answers.${at}`, message: msg('encryption.wrong-word') }],
      );
      if (fields.length > 0) return fail('input.invalid', msg('encryption.wrong-word'), { fields });
      const changed = await change(pending.key);
      if (!changed.ok) return changed;
      pending = null;
      return ok({ plainFiles: plainFiles().length });
    },
    'log.decrypt': async () => {
      const changed = await change(null);
      return changed.ok ? ok({}) : changed;
    },
    // The window's page alone does not get the key: the session was unlocked earlier, for other work.
    'log.readPhrase': async ({ pin }) => {
      const confirmed = await confirmSelf(pin);
      if (!confirmed.ok) return confirmed;
      const key = await keys.of(logFile);
      if (!key.ok) return key;
      return key.value === null
        ? fail('input.invalid', msg('encryption.is-off'))
        : ok({ words: recoveryPhrase(key.value) });
    },
    'log.unlock': async ({ phrase }) => {
      const read = readPhrase(phrase);
      if (!read.ok) {
        return fail(
          'input.invalid',
          read.problem === 'count'
            ? msg('phrase.count', { count: read.count })
            : read.problem === 'word'
              ? msg('phrase.unknown-word', { position: read.position })
              : msg('phrase.checksum'),
        );
      }
      if (!keys.isWanted(read.key)) return fail('input.invalid', msg('phrase.other'));
      const stored = await keys.store(read.key, 'keychain-or-this-run');
      if (!stored.ok) return stored;
      const found = logFileKind(logFile);
      if (found.kind === 'encrypted' && found.keyId === logKeyId(read.key) && !logManager.current().ok)
        await logManager.whileClosed(() => undefined);
      return ok(await replaced());
    },
    'log.removePlainFiles': async () => {
      if (isChanging) return fail('input.invalid', msg('encryption.running'));
      const files = plainFiles();
      try {
        await wipeFiles(files);
        return ok({ removed: files.length });
      } catch (thrown) {
        return toLogFailure(thrown);
      }
    },
  };
};
