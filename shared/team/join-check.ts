import * as z from 'zod';
import { healthStates } from '../health/health.ts';
import { messageSchema } from '../messages/message.schema.ts';

/** The check of a shared payment log before this installation joins it, step by step. */
export const joinSteps = [
  'name',
  'tls',
  'account',
  'version',
  'rights',
  'chain',
  'clock',
  'durability',
  'connections',
  'latency',
] as const;

export const joinStepSchema = z.object({
  name: z.enum(joinSteps),
  /** `unknown`: a step before it has failed. */
  state: z.enum(healthStates),
  finding: messageSchema,
  todo: messageSchema.nullable(),
});
export type JoinStep = z.infer<typeof joinStepSchema>;
