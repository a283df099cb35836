import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadedPolicy } from '../policy/read-policy.ts';
import { lossOf } from '../payment-log/sqlite/files/chain-end.ts';
import { overlayPolicy, pinsOfPolicy } from '../policy/managed-settings.ts';
import { copyOf, loadSettings } from '../settings/load-settings.ts';
import { sandboxProfileId } from '../settings/settings-store.ts';
import type { StatusFacts } from './status-facts.ts';
import { diskEncryption } from '../files/disk-encryption.ts';
import { findUnsafePlace } from '../files/unsafe-place.ts';
import { freeBytes } from '../files/free-bytes.ts';
import { fileSize, lastCopy } from './status-file.ts';

/** The facts of an installation whose console does not run, from its files, which are only read. */

/** `application_id` of a payment log; see main/payment-log/sqlite/store. */
const applicationId = 0x43664c67;
const headerBytes = 100;
/** How every file of SQLite begins. */
const sqliteHeader = Buffer.from('SQLite format 3\0');

/** Checks header and length of the payment log's file; opening the database could write. Null: no problem. */
const problemOfLog = (file: string, bytes: number | null, hasWal: boolean): string | null => {
  if (bytes === null) return 'missing';
  if (bytes < headerBytes) return 'damaged';
  const header = Buffer.alloc(headerBytes);
  try {
    const handle = openSync(file, 'r');
    try {
      readSync(handle, header, 0, headerBytes, 0);
    } finally {
      closeSync(handle);
    }
  } catch {
    return 'log.unavailable';
  }
  if (!header.subarray(0, sqliteHeader.length).equals(sqliteHeader)) return 'damaged';
  if (header.readUInt32BE(68) !== applicationId) return 'foreign';
  const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  const expected = pageBytes * header.readUInt32BE(28);
  // With a write-ahead log, the file may be shorter than its header says.
  return !hasWal && bytes < expected ? 'damaged' : null;
};

/** `last`: the facts that the last run left, or null. */
export const offlineFacts = async (
  folder: string,
  policy: LoadedPolicy,
  last: StatusFacts | null,
  { version, clock }: { version: string; clock: () => number },
): Promise<StatusFacts> => {
  const logFile = join(folder, 'payments.db');
  const settingsFile = join(folder, 'settings.json');
  const isNew = fileSize(settingsFile) === null && fileSize(copyOf(settingsFile)) === null;
  const { stored, blocked } = loadSettings(settingsFile, 'agent', { clock });
  const shown = overlayPolicy(stored, policy);
  const bytes = fileSize(logFile);
  const { enabled } = shown.settings.receiver;
  return {
    version,
    at: clock(),
    pid: null,
    startedAt: null,
    paymentLog: {
      problem:
        isNew && bytes === null ? null : problemOfLog(logFile, bytes, fileSize(`${logFile}-wal`) !== null),
      bytes,
      payments: bytes === null ? 0 : null,
      isRecordedAhead: last?.paymentLog.isRecordedAhead ?? false,
    },
    loss: lossOf(logFile),
    verification: last?.verification ?? null,
    dailyTaskProblem: last?.dailyTaskProblem ?? null,
    scheduledExport: last?.scheduledExport ?? null,
    backup: lastCopy(logFile),
    receiver: {
      isEnabled: enabled,
      isListening: false,
      problem: null,
      lastCallbackAt: last?.receiver.lastCallbackAt ?? null,
      lastRefusal: null,
      isQuarantineFull: last?.receiver.isQuarantineFull ?? false,
      certificateUntil: last?.receiver.certificateUntil ?? null,
    },
    profiles: shown.profiles
      .filter(({ id }) => id !== sandboxProfileId)
      .map(
        ({ id }) =>
          last?.profiles.find(one => one.id === id) ?? {
            id,
            password: 'unknown',
            lastSuccessAt: null,
            lastFailureAt: null,
            lastFailure: null,
          },
      ),
    keychain: 'unknown',
    settings: { problem: blocked?.code ?? null, unreadParts: stored.recovery?.problems.length ?? 0 },
    policy: {
      state: policy.state.state,
      problems: policy.state.problems.map(({ path }) => path),
      ...pinsOfPolicy(policy.policy?.people ? shown.agents : []),
    },
    sharedLog: stored.sharedLog && {
      state: 'not-running',
      since: last?.at ?? clock(),
      problem: null,
      waiting: last?.sharedLog?.waiting ?? 0,
      oldestWaitingAt: last?.sharedLog?.oldestWaitingAt ?? null,
      brokenChains: last?.sharedLog?.brokenChains ?? 0,
      leftOut: last?.sharedLog?.leftOut ?? [],
      others: null,
    },
    freeBytes: await freeBytes(logFile),
    isSandboxed: null,
    unsafePlace: await findUnsafePlace(logFile),
    encryption: {
      disk: await diskEncryption(logFile),
      isRequired: policy.state.managed.isEncryptionRequired,
    },
  };
};
