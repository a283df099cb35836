import { ownListSchema } from '../payments/list-standing.ts';
import * as z from 'zod';
import { alertChoicesSchema } from '../alerts/alert.schema.ts';
import { receiverHealthSchema } from '../callbacks/receiver-health.ts';
import { appErrorSchema } from '../errors.schema.ts';
import { sandboxFaults } from '../sandbox-faults.ts';
import { agentSchema } from '../agents/agent.ts';
import { policyStateSchema } from '../administration/policy.ts';
import { profileViewSchema } from '../settings/profile.ts';
import { settingsRecoverySchema } from '../settings/settings-recovery.ts';
import { settingsSchema } from '../settings/settings.ts';
import { sharingSchema } from '../team/sharing.ts';
import { teamStandingSchema } from '../team/team-standing.ts';
import { scheduledExportStateSchema } from '../settings/scheduled-export.ts';
import { updateStateSchema } from '../updates/update-state.ts';

export const appStateSchema = z.object({
  version: z.string(),
  /** `electron 45.4.1`, or another host that runs the bundles. */
  host: z.string(),
  /** The system's language, BCP 47. */
  systemLocale: z.string(),
  /** Whether this system can start the console at login. */
  canStartAtLogin: z.boolean(),
  settings: settingsSchema,
  profiles: z.array(profileViewSchema),
  agents: z.array(agentSchema),
  /** The signed-in agent. */
  agentId: z.string(),
  /** Their choices about alerts. */
  alertChoices: alertChoicesSchema,
  receiver: receiverHealthSchema,
  /** The profiles whose open links are looked up, because no callback would be received for them. */
  watchedProfiles: z.array(z.string()),
  settingsFile: z.object({
    /**
     * Why nothing can be changed (`settings.newer`, `settings.unreadable`), or changes are not on disk
     * (`settings.unwritable`).
     */
    problem: appErrorSchema.nullable(),
    /** Parts of the settings that a start could not read, until the message is dismissed. */
    recovery: settingsRecoverySchema.nullable(),
  }),
  /** What an administrator of this computer has fixed. */
  policy: policyStateSchema,
  /** The shared payment log that this installation has joined; null: it works alone. */
  team: teamStandingSchema.nullable(),
  /** The people and profiles that the team shares; null: this installation has its own. */
  sharing: sharingSchema.nullable(),
  updates: updateStateSchema,
  scheduledExport: scheduledExportStateSchema,
  sandbox: z.object({ listening: z.boolean(), baseUrl: z.string(), faults: z.array(z.enum(sandboxFaults)) }),
  log: z.object({
    file: z.string(),
    payments: z.int(),
    /** Why it cannot be opened or written now. */
    problem: appErrorSchema.nullable(),
    /** The list of payments; null without a log. */
    list: ownListSchema.nullable(),
    /** The result of the last verification of this run. */
    checked: z
      .object({
        at: z.int(),
        events: z.int(),
        problems: z.int(),
      })
      .nullable(),
    /**
     * Confirmed events that are missing from the file, recorded between two instants (milliseconds; `from` 0: unknown),
     * until a person has settled the loss.
     */
    loss: z.object({ missing: z.int(), from: z.int(), until: z.int() }).nullable(),
    /** When the last event was recorded, milliseconds, if that is over an hour ahead of the clock. */
    recordedAhead: z.int().nullable(),
    /** The last signed head: its time, and the fingerprint of its key. */
    head: z.object({ at: z.int(), key: z.string() }).nullable(),
    /** Why the last daily task (head, copy, erasure, verification) failed. */
    dailyTaskProblem: appErrorSchema.nullable(),
  }),
});
export type AppState = z.infer<typeof appStateSchema>;

/** The renderer's whole state while the console is locked: who can sign in, and how the lock screen is drawn. */
export const lockSchema = z.strictObject({
  /** Whether a PIN is required before anything is shown or done. */
  locked: z.boolean(),
  agents: z.array(agentSchema),
  /** The last signed-in agent. */
  agentId: z.string(),
  /** The number of links that can be paid; null if unknown. */
  openLinks: z.int().nullable(),
  systemLocale: z.string(),
  /** The people are those of a team whose shared log is not reachable: a PIN that was never used here is not admitted. */
  isTeamUnreachable: z.boolean(),
  settings: settingsSchema.pick({ theme: true, density: true, language: true }),
});
export type Lock = z.infer<typeof lockSchema>;
