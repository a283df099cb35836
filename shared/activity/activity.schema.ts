import * as z from 'zod';
import { agentNameSchema, roleSchema } from '../agents/agent.ts';
import { refusalReasons } from '../updates/refusal-reasons.ts';
import { activityActions, exportedThings, signOutReasons, type ActivityDetails } from './activity.ts';

export const activityActionSchema = z.enum(activityActions);

/** Values longer than these do not occur: names are limited where they are typed. */
const shortText = z.string().max(300);

export const activityDetailsSchema = z.strictObject({
  person: agentNameSchema.optional(),
  name: agentNameSchema.optional(),
  role: roleSchema.optional(),
  roleBefore: roleSchema.optional(),
  profileId: shortText.optional(),
  profile: shortText.optional(),
  order: shortText.optional(),
  fields: z.array(z.string().max(100)).max(100).optional(),
  password: z.boolean().optional(),
  exported: z.enum(exportedThings).optional(),
  format: z.string().max(20).optional(),
  count: z.int().optional(),
  reason: z.enum(signOutReasons).optional(),
  archive: shortText.optional(),
  version: z.string().max(40).optional(),
  versionBefore: z.string().max(40).optional(),
  refusal: z.enum(refusalReasons).optional(),
}) satisfies z.ZodType<ActivityDetails>;
