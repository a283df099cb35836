import * as z from 'zod';
import { messageSchema } from '../messages/message.schema.ts';

/** One step of a callback's way from the internet to the receiver. */
export const outsideStepSchema = z.object({
  step: z.enum(['name', 'connect', 'tls', 'answer', 'reached']),
  outcome: z.enum(['good', 'warning', 'bad']),
  title: messageSchema,
  meaning: messageSchema,
  todo: messageSchema.nullable(),
});
export type OutsideStep = z.infer<typeof outsideStepSchema>;
