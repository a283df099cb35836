import type { VerifyReport } from '../../../shared/contract/index.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { flushFile } from '../../files/replace-file.ts';
import { wipeFile } from '../../files/wipe-file.ts';
import { logFailure } from '../failures.ts';
import type { KeyedFile, LogKey } from './key/log-key.ts';
import { replaceLockedLog, replacementOf, sidecarSuffixes } from './files/replace-log.ts';
import { discardReplacement, prepareReplacement } from './prepare-replacement.ts';
import { lockLog } from './store/database.ts';
import { followFile, verifyFile } from './worker/worker-client.ts';

/**
 * Encrypts a payment log, or decrypts it, while it is in use: copies it, verifies the copy, adds what was written
 * meanwhile, and exchanges the two files. There is always either the old log or the new one, complete.
 */

type Progress = (done: number, total: number) => void;

export type KeyChange = {
  log: KeyedFile;
  /** Null: the log is decrypted. */
  newKey: LogKey | null;
  /** Runs work while the log is closed; see `PaymentLogManager`. */
  whileClosed: <T>(work: () => Promise<T>) => Promise<T>;
  onCopied: Progress;
  onVerified: Progress;
  /** Called before each change of the exchange, for tests. */
  onStep?: (step: string) => void;
};

/** The log before its encryption was changed. It is removed when the new one is open. */
export const replacedOf = (logFile: string): string => `${logFile}.replaced`;

/** Attempts to add what was written meanwhile. An erasure meanwhile begins the copy again. */
const maxAttempts = 3;

/** A log with problems is not converted: they are looked into first. */
const soundness = (report: VerifyReport): Result<undefined> =>
  report.problems.length === 0
    ? ok(undefined)
    : fail('log.corrupt', msg('encryption.problems', { count: report.problems.length }), {
        hint: msg('encryption.problems.hint'),
      });

/** Prepares the new log next to the old one, verified. Errors: every `log.*` code. */
const prepare = async ({ log, newKey, onCopied, onVerified }: KeyChange): Promise<Result<undefined>> => {
  const prepared = await prepareReplacement(log.file, log, newKey, onCopied);
  if (!prepared.ok) return prepared;
  const report = await verifyFile({ file: replacementOf(log.file), key: newKey }, { onProgress: onVerified });
  return report.ok ? soundness(report.value) : report;
};

/** Errors: every `log.*` code; then the old log is in use. */
export const changeKey = async (change: KeyChange): Promise<Result<undefined>> => {
  const { log, newKey, whileClosed, onStep } = change;
  const replacement = { file: replacementOf(log.file), key: newKey };
  // What an earlier change left, if it ended before its end.
  await removeReplaced(log.file);
  let changed: Result<undefined> = logFailure('log.busy');
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    changed = await prepare(change);
    // The most of what was written meanwhile; the rest is added while the log is closed.
    const most = changed.ok ? await followFile(log, replacement) : changed;
    if (!most.ok) changed = most;
    else if (!most.value.erased) {
      const isErased = await whileClosed(async () => {
        // No other console can write between the last event and the exchange.
        const held = lockLog(log.file);
        if (!held.ok) {
          changed = held;
          return false;
        }
        try {
          const rest = await followFile(log, replacement);
          if (!rest.ok) changed = rest;
          else if (!rest.value.erased) {
            await flushFile(replacement.file);
            const replaced = replaceLockedLog(
              log.file,
              replacedOf(log.file),
              [],
              onStep,
              newKey === null ? 'log-decrypted' : 'log-encrypted',
            );
            changed = replaced.ok ? ok(undefined) : replaced;
          }
          return rest.ok && rest.value.erased;
        } finally {
          held.value.release();
        }
      });
      if (!isErased) break;
    }
    if (!changed.ok) break;
    changed = logFailure('log.busy');
  }
  if (!changed.ok) await discardReplacement(log.file).catch(() => undefined);
  return changed;
};

/**
 * Removes the log from before a change of its encryption, once the new one is open: overwritten first, which the
 * disk may carry out elsewhere. Rejects with file system errors.
 */
export const removeReplaced = async (logFile: string): Promise<void> => {
  await wipeFiles(['', ...sidecarSuffixes].map(end => replacedOf(logFile) + end));
};

/** Overwrites and removes these files. Rejects with file system errors. */
export const wipeFiles = async (files: readonly string[]): Promise<void> => {
  for (const file of files) await wipeFile(file);
};
