import * as z from 'zod';
import { movementKinds } from './payment-kinds.ts';

/** Money that came in or went back, for the books. */
export const movementSchema = z.object({
  kind: z.enum(movementKinds),
  /** When its first evidence arrived, milliseconds. */
  at: z.int(),
  /** Wire form; null if the gateway did not report it. */
  amount: z.string().nullable(),
  paymentId: z.string(),
  rrn: z.string().nullable(),
  approvalCode: z.string().nullable(),
});
export type Movement = z.infer<typeof movementSchema>;
