import { randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod';
import { personalAlertsSchema } from '../../shared/alerts/alert.schema.ts';
import { activityActionSchema, activityDetailsSchema } from '../../shared/activity/activity.schema.ts';
import { agentNameSchema, roleSchema } from '../../shared/agents/agent.ts';
import { exportIntervals } from '../../shared/settings/scheduled-export.ts';
import { settingsSchema } from '../../shared/contract/contract.ts';
import { profileDefaults, profileSchema } from '../../shared/settings/profile.ts';
import { defaultRecheckDays } from '../../shared/settings/recheck-days.ts';
import { settingsRecoverySchema, type StoredSection } from '../../shared/settings/settings-recovery.ts';
import { templateSchema } from '../../shared/payments/template.ts';
import { sharedLogServerSchema } from '../../shared/team/shared-log-server.ts';
import { systemClock } from '../clock.ts';

/** The schema of settings.json and the default of every field. */

/** A file of a higher version is never read and never written. */
export const settingsVersion = 1;

export const sandboxProfileId = 'sandbox';

const agentSchema = z.object({
  id: z.uuid(),
  name: agentNameSchema,
  role: roleSchema,
  /** Salt and scrypt hash in hex, or none. */
  pin: z.object({ salt: z.string(), hash: z.string() }).nullable(),
  /** The first PIN of the policy that `pin` replaced, as its text: without it, `pin` proves nothing to that policy. */
  firstPin: z.string().nullable().optional(),
  /** Wrong PINs in a row. */
  wrong: z.int(),
  /** Delay after the last wrong PIN, counted while the console runs: a clock can be changed. */
  waitMs: z.int().min(0),
});
export type StoredAgent = z.infer<typeof agentSchema>;

/** The shared payment log that this installation has joined; the keychain contains the password. */
const storedSharedLogSchema = z.object({
  ...sharedLogServerSchema.shape,
  role: z.string().min(1).max(63),
  /** Whether the account has a password; otherwise the server signs in otherwise, for example by a socket. */
  hasPassword: z.boolean(),
  /** The identity of the shared log that was joined. */
  logId: z.uuid(),
});
export type StoredSharedLog = z.infer<typeof storedSharedLogSchema>;

/** An activity that is not in the payment log yet. */
const pendingActivitySchema = z.object({
  id: z.uuid(),
  at: z.int(),
  agent: z.string(),
  action: activityActionSchema,
  details: activityDetailsSchema,
});
export type PendingActivity = z.infer<typeof pendingActivitySchema>;

/** What of the shared profiles and people this installation has copied; see main/team/people. */
const copiedTeamSchema = z.object({
  /** Of the copy. */
  revision: z.string(),
  /** The versions of the shared profiles, by id. */
  profiles: z.record(z.string(), z.int()),
  /** The versions of the PINs that are known here, by the person's id. */
  pins: z.record(z.string(), z.int()),
  retentionDays: z.int().nullable(),
  /** Whether the people are those of the team; false before the first person was shared. */
  arePeopleShared: z.boolean().default(false),
  /** The version of the team's saved views; null: those of everyone are this installation's own. */
  viewsVersion: z.int().nullable().default(null),
  /** Local profiles that yet become profiles of the team (`to` null), or continue as this one. */
  pending: z.array(z.object({ id: z.string(), to: z.string().nullable() })).default([]),
});
export type CopiedTeam = z.infer<typeof copiedTeamSchema>;

/** The window's last bounds, in device-independent pixels; while maximised, its normal bounds. */
const windowStateSchema = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().positive(),
  height: z.int().positive(),
  maximised: z.boolean(),
});
export type WindowState = z.infer<typeof windowStateSchema>;

const storedUpdateSchema = z.object({
  /** The version that is installed when the console closes, and the one before it. `isTried`: it was closed for that. */
  pending: z
    .object({ version: z.string().max(40), before: z.string().max(40), isTried: z.boolean().default(true) })
    .nullable(),
  /** The last recorded refusal: its reason and version. */
  refused: z.string().max(100).nullable(),
  /** When the newest channel file that was accepted was signed, milliseconds since 1970. */
  newestSignedAt: z.int().nullable().default(null),
});

const storedRetentionSchema = z.object({
  /** When details were last erased by age, and when a jump of the clock was first seen, milliseconds. */
  roundAt: z.int().nullable(),
  jumpedAt: z.int().nullable(),
});

const storedScheduledExportSchema = z.object({
  /** When the last file was written, milliseconds, and its path. */
  lastRunAt: z.int().nullable(),
  lastFile: z.string().nullable(),
  profiles: z.record(
    z.string(),
    z.object({
      every: z.enum(exportIntervals),
      /** The first day that was ever written, and the first that is not; ISO. */
      first: z.string(),
      next: z.string(),
      /** When the last file was written, milliseconds, and the last event of each chain that it contained. */
      since: z.int(),
      positions: z.record(z.string(), z.int()),
    }),
  ),
});

export const storedSchema = z.object({
  version: z.literal(settingsVersion),
  /** The id of this installation: names its chain in the payment log and its service in the keychain. */
  installation: z.uuid(),
  /** The name of its present chain, if it had to begin a new one; otherwise that is its id. */
  chain: z.uuid().nullable(),
  settings: settingsSchema,
  /** Who can sign in. */
  agents: z.array(agentSchema),
  profiles: z.array(profileSchema),
  /** The random path of each profile's callbacks. */
  callbackPaths: z.record(z.string(), z.string().startsWith('/').max(200)),
  sandbox: z.object({ merchantKey: z.string() }),
  /** Null: profiles and people are this installation's own. */
  team: copiedTeamSchema.nullable(),
  sharedLog: storedSharedLogSchema.nullable(),
  window: windowStateSchema.nullable(),
  templates: z.array(templateSchema),
  /** What is kept for the alerts of each person, by their id. */
  alerts: z.record(z.uuid(), personalAlertsSchema),
  /** What people did while the payment log could not be written; see main/app/activity/activity-log.ts. */
  pendingActivities: z.array(pendingActivitySchema),
  /** Of the erasure by age; see main/app/payment-log. */
  retention: storedRetentionSchema.default({ roundAt: null, jumpedAt: null }),
  /** Of updates; see main/app/updates. */
  update: storedUpdateSchema,
  /** Of the scheduled export; see main/app/scheduled-export. */
  scheduledExport: storedScheduledExportSchema.default({ lastRunAt: null, lastFile: null, profiles: {} }),
  /** Parts that an earlier start could not read, until dismissed. */
  recovery: settingsRecoverySchema.nullable(),
} satisfies Record<Exclude<StoredSection, 'file'> | 'version' | 'recovery', z.ZodType>);
export type Stored = z.infer<typeof storedSchema>;

/** Settings of a new installation. `agent`: the default agent. */
export const defaultSettings = (agent: string): Stored => ({
  version: settingsVersion,
  installation: randomUUID(),
  chain: null,
  settings: {
    theme: 'system',
    density: 'regular',
    language: 'system',
    lookUpAutomatically: true,
    recheckPaidDays: [...defaultRecheckDays],
    receiver: { enabled: false, host: '127.0.0.1', port: 0, tls: null, quarantine: 10_000 },
    agent: agent || 'agent',
    activeProfileId: sandboxProfileId,
    retentionDays: 0,
    guide: { shown: 'new', skipped: [], checked: false },
    waitingRail: true,
    singleKeys: true,
    tray: true,
    stayOpen: false,
    startAtLogin: false,
    idleLock: null,
    columns: null,
    export: { format: 'xlsx', period: 'month', orientation: 'portrait' },
    views: [],
    sentences: { en: {}, de: {} },
    outcomeSound: false,
    messages: { en: {}, de: {} },
    updateServer: null,
    scheduledExport: null,
    notifications: { enabled: true, quietHours: null, showDetails: false },
  },
  agents: [],
  profiles: [],
  callbackPaths: {},
  sandbox: { merchantKey: `sandbox-${randomBytes(8).toString('hex')}` },
  team: null,
  sharedLog: null,
  window: null,
  templates: [],
  alerts: {},
  pendingActivities: [],
  retention: { roundAt: systemClock(), jumpedAt: null },
  update: { pending: null, refused: null, newestSignedAt: null },
  scheduledExport: { lastRunAt: null, lastFile: null, profiles: {} },
  recovery: null,
});

/** Defaults of an entry's fields, by its list; an entry without a field that is not here is unreadable. */
export const entryDefaults: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  agents: { role: 'agent', pin: null, wrong: 0, waitMs: 0 } satisfies Partial<StoredAgent>,
  profiles: profileDefaults,
  templates: { amount: null, description: '', methods: [] },
};
