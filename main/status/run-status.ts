import { join } from 'node:path';
import type { Health, HealthState } from '../../shared/health/health.ts';
import { readPolicyOnly } from '../policy/read-policy.ts';
import { assess } from './assess.ts';
import { offlineFacts } from './offline-facts.ts';
import type { StatusFacts } from './status-facts.ts';
import { readStatus, writeIntervalMs } from './status-file.ts';
import { systemClock } from '../clock.ts';

/**
 * `counterfoil --status`: the health of this user's installation as JSON, for monitoring. A running console leaves the
 * facts in `status.json`; without one, the files are read, and nothing is written. Needs no Electron.
 */

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
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
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
