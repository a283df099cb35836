import * as z from 'zod';
import { agentNameSchema, roleSchema } from '../agents/agent.ts';
import { refusalReasons } from '../updates/refusal-reasons.ts';
import { activityActions, exportedThings, signOutReasons } from './activity.ts';

export const activityActionSchema = z.enum(activityActions);

/** Values longer than these do not occur: names are limited where they are typed. */
const shortText = z.string().max(300);

/**
 * The values of an activity: a closed list, so that neither a secret nor anything about a customer can get into it. The
 * names of people are staff; they stay, like the name with each event.
 */
export const activityDetailsSchema = z.strictObject({
  /** The person it is about, by their name at that time. */
  person: agentNameSchema.optional(),
  /** The new name. */
  name: agentNameSchema.optional(),
  role: roleSchema.optional(),
  roleBefore: roleSchema.optional(),
  profileId: shortText.optional(),
  /** The profile's name at that time. */
  profile: shortText.optional(),
  order: shortText.optional(),
  /** Names of changed settings or fields of a profile; never their values. */
  fields: z.array(z.string().max(100)).max(100).optional(),
  /** Whether the password of a profile was set. */
  password: z.boolean().optional(),
  exported: z.enum(exportedThings).optional(),
  format: z.string().max(20).optional(),
  /** Payments or rows that an export contains. */
  count: z.int().optional(),
  reason: z.enum(signOutReasons).optional(),
  /** The name of the file under which a replaced log was archived. */
  archive: shortText.optional(),
  /** The installed or refused version; empty if it is not known. */
  version: z.string().max(40).optional(),
  /** The version before an update. */
  versionBefore: z.string().max(40).optional(),
  refusal: z.enum(refusalReasons).optional(),
});
export type ActivityDetails = z.infer<typeof activityDetailsSchema>;
