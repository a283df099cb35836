import { codeOf } from '../../shared/errors.ts';
import { join } from 'node:path';
import type { Health, HealthState } from '../../shared/health/health.ts';
import { readPolicyOnly, type LoadedPolicy } from '../policy/read-policy.ts';
import { assess } from './assess.ts';
import type { StatusFacts } from './status-facts.ts';
import { fileSize, lastCopy, readStatus, writeIntervalMs } from './status-file.ts';
import { systemClock } from '../clock.ts';
import { closeSync, openSync, readSync } from 'node:fs';
import { lossOf } from '../payment-log/sqlite/files/chain-end.ts';
import { overlayPolicy, pinsOfPolicy } from '../policy/managed-settings.ts';
import { copyOf, loadSettings } from '../settings/load-settings.ts';
import { sandboxProfileId } from '../settings/settings-store.ts';
import { diskEncryption, findUnsafePlace } from '../files/unsafe-place.ts';
import { freeBytes } from '../files/free-bytes.ts';

/**
 * `counterfoil --status`: the health of this user's installation as JSON, for monitoring. A running console leaves the
 * facts in `status.json`; without one, the files are read, and nothing is written. Needs no Electron.
 */

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
const offlineFacts = async (
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

/** Age of the facts from which a console that has not ended properly is not responding. */
const maxSilenceMs = 3 * writeIntervalMs;

/** 0: healthy. 1: something needs attention. 2: the console does not run, or something is broken. */
export type StatusResult = { text: string; exitCode: 0 | 1 | 2 };

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // A process of another user.
    return codeOf(thrown) === 'EPERM';
  }
};

type RunState = 'running' | 'not-running' | 'not-responding' | 'ended-unexpectedly';

const runStateOf = (facts: StatusFacts | null, now: number): RunState => {
  if (facts?.pid == null) return 'not-running';
  if (!isAlive(facts.pid)) return 'ended-unexpectedly';
  return Math.abs(now - facts.at) > maxSilenceMs ? 'not-responding' : 'running';
};

const worst = ({ checks }: Health): HealthState =>
  (['broken', 'attention'] as const).find(state => checks.some(one => one.state === state)) ?? 'good';

/** Times as ISO 8601. */
const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

const toJson = (facts: StatusFacts, health: Health, run: RunState, state: string, now: number): object => ({
  format: 'counterfoil-status-1',
  state,
  at: iso(facts.at),
  version: facts.version,
  console: {
    state: run,
    uptimeSeconds:
      run === 'running' && facts.startedAt !== null ? Math.round((now - facts.startedAt) / 1000) : null,
  },
  checks: health.checks.map(({ name, profileId, state }) =>
    profileId === null ? { name, state } : { name, profileId, state },
  ),
  paymentLog: facts.paymentLog,
  verification: facts.verification && { ...facts.verification, at: iso(facts.verification.at) },
  dailyTaskProblem: facts.dailyTaskProblem,
  scheduledExport: facts.scheduledExport && {
    ...facts.scheduledExport,
    lastRunAt: iso(facts.scheduledExport.lastRunAt),
  },
  backup: facts.backup && { ...facts.backup, at: iso(facts.backup.at) },
  receiver: {
    ...facts.receiver,
    lastCallbackAt: iso(facts.receiver.lastCallbackAt),
    certificateUntil: iso(facts.receiver.certificateUntil),
  },
  profiles: facts.profiles.map(profile => ({
    ...profile,
    lastSuccessAt: iso(profile.lastSuccessAt),
    lastFailureAt: iso(profile.lastFailureAt),
  })),
  keychain: facts.keychain,
  settings: facts.settings,
  policy: facts.policy,
  sharedLog: facts.sharedLog && {
    ...facts.sharedLog,
    since: iso(facts.sharedLog.since),
    oldestWaitingAt: iso(facts.sharedLog.oldestWaitingAt),
    others: facts.sharedLog.others && {
      ...facts.sharedLog.others,
      levelAt: iso(facts.sharedLog.others.levelAt),
    },
  },
  freeBytes: facts.freeBytes,
  isSandboxed: facts.isSandboxed,
  unsafePlace: facts.unsafePlace,
  encryption: facts.encryption,
});

/** The status of the installation in `folder`. `version`: of this program. */
export const runStatus = async (
  folder: string,
  { policyFile, version, clock = systemClock }: { policyFile: string; version: string; clock?: () => number },
): Promise<StatusResult> => {
  const last = readStatus(folder);
  const run = runStateOf(last, clock());
  const facts =
    run === 'running' && last
      ? last
      : await offlineFacts(folder, readPolicyOnly(policyFile, join(folder, 'policy.last.json')), last, {
          version,
          clock,
        });
  const health = assess(facts, run === 'running');
  const state = worst(health);
  const exitCode = run !== 'running' || state === 'broken' ? 2 : state === 'attention' ? 1 : 0;
  const word =
    state === 'broken' ? 'broken' : run !== 'running' ? run : state === 'attention' ? state : 'healthy';
  return { text: `${JSON.stringify(toJson(facts, health, run, word, clock()), null, 2)}\n`, exitCode };
};
