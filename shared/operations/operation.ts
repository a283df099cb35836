import * as z from 'zod';
import { operationKinds, operationReasons, operationStates } from './operation-kinds.ts';

/** One operation that was requested here, with its result as far as the evidence shows it. */
export const operationSchema = z.object({
  /** One decision of a person; at most one request is sent for it. */
  intent: z.string(),
  kind: z.enum(operationKinds),
  /** The payment that it acts on; for a recurring charge the first payment of the series. */
  paymentId: z.string(),
  /** Wire form; null if the operation has no amount. */
  amount: z.string().nullable(),
  currency: z.string(),
  reason: z.enum(operationReasons),
  text: z.string(),
  agent: z.string(),
  /** The second person who confirmed it. */
  approvedBy: z.string().nullable(),
  /** When it was requested, milliseconds. */
  at: z.int(),
  state: z.enum(operationStates),
  /** Since when it has this state, milliseconds. */
  since: z.int(),
  /** What proves the state; null: the request or its answer alone. */
  provenBy: z.enum(['callback', 'look-up', 'person']).nullable(),
  /** The gateway's reason for a failure or a refusal; null without one. */
  message: z.string().nullable(),
});
export type Operation = z.infer<typeof operationSchema>;
