import * as z from 'zod';

/** Who can be at the desk, as the window knows them: never a PIN, never its hash. */
export const agentSchema = z.object({ id: z.uuid(), name: z.string(), hasPin: z.boolean() });
export type Agent = z.infer<typeof agentSchema>;

/** A person's name as it is written beside everything they do. */
export const agentNameSchema = z.string().trim().min(1).max(80);

/** Four to twelve digits. */
export const pinSchema = z.string().regex(/^\d{4,12}$/);

/** Agents of one installation. */
export const maxAgents = 100;
