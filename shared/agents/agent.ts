import * as z from 'zod';
import { roles } from './roles.ts';

export const roleSchema = z.enum(roles);

/** A person as the renderer sees them: never a PIN, never its hash. */
export const agentSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  hasPin: z.boolean(),
  /** Whether it is the first one, which the policy of the computer contains. */
  hasFirstPin: z.boolean().optional(),
  role: roleSchema,
});
export type Agent = z.infer<typeof agentSchema>;

/** A person's name as recorded with each of their actions. */
export const agentNameSchema = z.string().trim().min(1).max(80);

/** Four to twelve digits. */
export const pinSchema = z.string().regex(/^\d{4,12}$/);

/** Limit of agents per installation. */
export const maxAgents = 100;
