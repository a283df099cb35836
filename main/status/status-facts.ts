import * as z from 'zod';
import { policyStates } from '../../shared/administration/policy.ts';
import { refusalReasons } from '../../shared/callbacks/receiver-health.ts';
import { diskEncryptions } from '../../shared/health/health.ts';
import { othersStandingSchema, teamStates } from '../../shared/team/team-standing.ts';
import { unsafePlaceKinds } from '../files/unsafe-place.ts';

/**
 * The facts behind the health of an installation, as a running console writes them into `status.json`. No names, no
 * order numbers, no addresses, no secrets: profiles by their ids, failures by their codes.
 */

const time = z.int().nullable();
const code = z.string().max(100).nullable();

export const statusFactsSchema = z.object({
  version: z.string().max(40),
  /** Milliseconds since 1970, as all times here. */
  at: z.int(),
  /** The process of a running console; null after it has ended properly. */
  pid: z.int().positive().nullable(),
  startedAt: time,
  paymentLog: z.object({
    /** Why it cannot be read or written: an error's code, or `missing`, `damaged`, `foreign`. */
    problem: code,
    bytes: z.int().nullable(),
    payments: z.int().nullable(),
    /** Whether events were recorded more than an hour ahead of the clock. */
    isRecordedAhead: z.boolean(),
  }),
  /** Confirmed events that are missing from the payment log, recorded between two instants. */
  loss: z.object({ missing: z.int(), from: z.int(), until: z.int() }).nullable().default(null),
  verification: z.object({ at: z.int(), events: z.int(), problems: z.int() }).nullable(),
  /** Why the last daily tasks failed. */
  dailyTaskProblem: code,
  /** Why the last scheduled export failed, and when one succeeded; null: switched off. */
  scheduledExport: z.object({ problem: code, lastRunAt: time }).nullable().default(null),
  backup: z.object({ at: z.int(), bytes: z.int() }).nullable(),
  receiver: z.object({
    isEnabled: z.boolean(),
    isListening: z.boolean(),
    problem: code,
    lastCallbackAt: time,
    isQuarantineFull: z.boolean(),
    /** The latest delivery that was refused in this run. */
    lastRefusal: z.object({ reason: z.enum(refusalReasons), lastAt: z.int() }).nullable(),
    certificateUntil: time,
  }),
  profiles: z.array(
    z.object({
      id: z.string(),
      password: z.string(),
      lastSuccessAt: time,
      lastFailureAt: time,
      lastFailure: code,
    }),
  ),
  keychain: z.enum(['available', 'unavailable', 'unknown']),
  settings: z.object({ problem: code, unreadParts: z.int() }),
  policy: z.object({
    state: z.enum(policyStates),
    problems: z.array(z.string()),
    /** People of the policy who have not replaced its first PIN, and those who cannot sign in because it has none. */
    withFirstPin: z.int().default(0),
    withoutPin: z.int().default(0),
  }),
  /** Null: this installation works alone. */
  sharedLog: z
    .object({
      /** `not-running`: known only while the console runs. */
      state: z.enum([...teamStates, 'not-running']),
      since: z.int(),
      problem: code,
      /** Events that are not in the shared log, and when the oldest of them was recorded. */
      waiting: z.int(),
      oldestWaitingAt: time,
      /** Chains that miss events which were there before. */
      brokenChains: z.int(),
      /** Events that are left out of the lists on this PC, by the label of their installation. */
      leftOut: z.array(z.object({ installation: z.string(), events: z.int() })).default([]),
      /** Payments of other installations in the lists on this PC; null: not known. */
      others: othersStandingSchema
        .pick({ isConnected: true, isLevel: true, levelAt: true, progress: true })
        .extend({ problem: code })
        .nullable()
        .default(null),
    })
    .nullable()
    .default(null),
  /** Of the data folder's disk. */
  freeBytes: z.int().nullable(),
  /** Whether the window's processes have Chromium's sandbox; null: known only while the console runs. */
  isSandboxed: z.boolean().nullable().default(null),
  /** The payment log is on a network drive or in a synchronised folder. */
  unsafePlace: z
    .object({ kind: z.enum(unsafePlaceKinds), name: z.string() })
    .nullable()
    .default(null),
  /** Of the same disk, and whether the policy demands it. */
  encryption: z.object({ disk: z.enum(diskEncryptions), isRequired: z.boolean() }),
});
export type StatusFacts = z.infer<typeof statusFactsSchema>;
