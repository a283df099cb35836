import type { VerifyReport } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { flushFile } from '../../files/replace-file.ts';
import { wipeFile } from '../../files/wipe-file.ts';
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
  /** Runs work while no erasure begins; see `PaymentLogManager`. */
  holdErasures: <T>(work: () => Promise<T>) => Promise<T>;
  onCopied: Progress;
  onVerified: Progress;
  /** Called before each change of the exchange, for tests. */
  onStep?: (step: string) => void;
};

/** The log before its encryption was changed. It is removed when the new one is open. */
export const replacedOf = (logFile: string): string => `${logFile}.replaced`;

/** Attempts: an erasure meanwhile begins the copy again. During the last one no erasure begins. */
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

/** Copies, verifies and exchanges. Null: something was erased meanwhile, and the copy must be made again. */
const tryToChange = async (change: KeyChange): Promise<Result<undefined> | null> => {
  const { log, newKey, whileClosed, onStep } = change;
  const replacement = { file: replacementOf(log.file), key: newKey };
  const prepared = await prepare(change);
  if (!prepared.ok) return prepared;
  // The most of what was written meanwhile; the rest is added while the log is closed.
  const most = await followFile(log, replacement);
  if (!most.ok) return most;
  if (most.value.erased) return null;
  return whileClosed(async () => {
    // No other console can write between the last event and the exchange.
    const held = lockLog(log.file);
    if (!held.ok) return held;
    try {
      const rest = await followFile(log, replacement);
      if (!rest.ok) return rest;
      if (rest.value.erased) return null;
      await flushFile(replacement.file);
      const purpose = newKey === null ? 'log-decrypted' : 'log-encrypted';
      const replaced = replaceLockedLog(log.file, replacedOf(log.file), [], onStep, purpose);
      return replaced.ok ? ok(undefined) : replaced;
    } finally {
      held.value.release();
    }
  });
};

/** Errors: every `log.*` code; then the old log is in use. */
export const changeKey = async (change: KeyChange): Promise<Result<undefined>> => {
  const { log, holdErasures } = change;
  // What an earlier change left, if it ended before its end.
  await removeReplaced(log.file);
  let changed: Result<undefined> | null = null;
  for (let attempt = 1; attempt <= maxAttempts && changed === null; attempt += 1) {
    const work = () => tryToChange(change);
    changed = await (attempt < maxAttempts ? work() : holdErasures(work));
  }
  changed ??= fail('log.busy', msg('encryption.overtaken'), { hint: msg('encryption.overtaken.hint') });
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
