import * as z from 'zod';
import { agentNameSchema, maxAgents, roleSchema } from '../agents/agent.ts';
import { messageSchema } from '../messages/message.schema.ts';
import {
  maxProfiles,
  operationLimitsSchema,
  operationSettingsSchema,
  profileDefaults,
  profileSchema,
  sessionExtrasSchema,
} from '../settings/profile.ts';
import type { ManageableSetting } from '../settings/descriptors.ts';
import { settingsSchema } from '../settings/settings.ts';
import { sharedLogServerSchema } from '../team/shared-log-server.ts';

/**
 * The policy file: what an administrator fixes for every user of a computer. It is read at the start and never
 * written. An unknown name is a problem: a misspelt one would leave open what it was meant to fix.
 */

/** A policy of a higher version is not applied. */
export const policyVersion = 1;

const { receiver, notifications, ...single } = settingsSchema.pick({
  language: true,
  lookUpAutomatically: true,
  recheckPaidDays: true,
  receiver: true,
  retentionDays: true,
  idleLock: true,
  tray: true,
  stayOpen: true,
  startAtLogin: true,
  updateServer: true,
  scheduledExport: true,
  notifications: true,
} satisfies Record<ManageableSetting, true>).shape;

const policySettingsSchema = z
  .strictObject({
    ...single,
    /** Each field of these two can be fixed alone. */
    receiver: z.strictObject(receiver.shape).partial(),
    notifications: z.strictObject(notifications.shape).partial(),
  })
  .partial();

/** Every setting that a policy can fix, two levels deep: `language`, `receiver.port`. */
export const manageableSettings: readonly string[] = [
  ...Object.keys(single),
  ...Object.keys(receiver.shape).map(name => `receiver.${name}`),
  ...Object.keys(notifications.shape).map(name => `notifications.${name}`),
];

const {
  id,
  name,
  kind: _kind,
  baseUrl,
  merchantKey,
  merchant,
  extras: _extras,
  operations: _operations,
  timeouts,
  ...rest
} = profileSchema.shape;

/** A profile without its password, which no file contains. Fields with a default can be left out. */
const policyProfileSchema = z
  .strictObject({
    ...z.object(rest).partial().shape,
    id: id.refine(value => value !== 'sandbox'),
    name,
    kind: z.enum(['test', 'live']),
    baseUrl,
    merchantKey,
    merchant: z.strictObject(merchant.shape).partial().optional(),
    extras: z.strictObject(sessionExtrasSchema.shape).optional(),
    operations: z
      .strictObject({
        ...operationSettingsSchema.shape,
        limits: z.strictObject(operationLimitsSchema.shape).prefault({}),
      })
      .optional(),
    timeouts: z.strictObject(timeouts.shape).partial().optional(),
  })
  .transform(given =>
    profileSchema.parse({
      ...profileDefaults,
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      merchant: { ...profileDefaults.merchant, ...given.merchant },
      timeouts: { ...profileDefaults.timeouts, ...given.timeouts },
    }),
  );

/** What a computer keeps of the payments of other installations on a shared payment log. */
export const listLimitsSchema = z.strictObject({
  /** Without a connection for longer, it is deleted at the next start: erasures are not known to it. */
  maxAwayDays: z.int().min(1).max(365).optional(),
});

export const policySchema = z.strictObject({
  /** For editors; not read. */
  $schema: z.string().optional(),
  version: z.literal(policyVersion),
  settings: policySettingsSchema.optional(),
  profiles: z.array(policyProfileSchema).max(maxProfiles).optional(),
  /** Whether profiles other than these, and the sandbox, can be used; true if left out. */
  otherProfiles: z.boolean().optional(),
  /**
   * Who can sign in, with their roles. `firstPin`: the hash of the PIN with which a person signs in before they have set
   * their own. Without it, a person who may do more than an agent cannot sign in.
   */
  people: z
    .array(
      z.strictObject({
        name: agentNameSchema,
        role: roleSchema,
        firstPin: z
          .string()
          .regex(
            /^scrypt:[0-9a-f]{32}:[0-9a-f]{64}$/,
            'expected the text that "counterfoil --first-pin" prints, never a PIN',
          )
          .optional(),
      }),
    )
    .min(1)
    .max(maxAgents)
    .optional(),
  /** The only shared payment log that this computer may join; it cannot leave it either. */
  sharedLog: z.strictObject(sharedLogServerSchema.shape).optional(),
  list: listLimitsSchema.optional(),
  /** Whether the disk of the payment log must be encrypted: otherwise Health shows a problem. */
  requireDiskEncryption: z.boolean().optional(),
});
export type Policy = z.infer<typeof policySchema>;

/**
 * `none`: there is no file. `applied`. `missing`: there was a valid file at the last start, and it applies once more.
 * `remembered`: the file is faulty, and the last valid one applies. `restricted`: the file is faulty, and no valid one
 * is known.
 */
export const policyStates = ['none', 'applied', 'missing', 'remembered', 'restricted'] as const;

export const policyStateSchema = z.object({
  state: z.enum(policyStates),
  file: z.string(),
  /** Why it is faulty. `path`: the place in the file, such as `profiles.0.baseUrl`; empty for the whole file. */
  problems: z.array(z.object({ path: z.string(), message: messageSchema })),
  /** What cannot be changed in the console. */
  managed: z.object({
    /** Settings by path: `language`, `receiver.port`. */
    settings: z.array(z.string()),
    /** Ids of profiles. */
    profiles: z.array(z.string()),
    /** Whether no profile can be added, changed or removed. */
    allProfiles: z.boolean(),
    /** Whether people, their names and roles are fixed. */
    people: z.boolean(),
    /** Whether the shared payment log is fixed, and the one to join; null: none. */
    sharedLog: z.object({ isFixed: z.boolean(), server: sharedLogServerSchema.nullable() }),
    list: listLimitsSchema,
    isEncryptionRequired: z.boolean(),
  }),
});
export type PolicyState = z.infer<typeof policyStateSchema>;
