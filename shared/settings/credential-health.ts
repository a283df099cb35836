import * as z from 'zod';
import { errorCodeSchema } from '../errors.schema.ts';
import { messageSchema } from '../messages/message.schema.ts';
import { profileKinds } from './profile.ts';

/** Whether a profile's credentials work, by the payment log and the connection checks of this run. */
export const requestSourceSchema = z.enum(['session', 'look-up', 'operation', 'check']);

export const credentialHealthSchema = z.object({
  /** The last request whose signature the gateway accepted; milliseconds. */
  lastSuccess: z.object({ at: z.int(), by: requestSourceSchema }).nullable(),
  /** The last one that failed, and why: an error's code, or a message of the connection check. */
  lastFailure: z
    .object({
      at: z.int(),
      by: requestSourceSchema,
      code: errorCodeSchema.nullable(),
      description: messageSchema,
    })
    .nullable(),
  /** The last status check that the gateway answered; milliseconds. */
  lookedUpAt: z.int().nullable(),
  /** The last callback whose signature this password verified; milliseconds. */
  verifiedAt: z.int().nullable(),
  /** The last callback that failed verification, and the profile whose password matches instead. */
  invalid: z
    .object({
      at: z.int(),
      fits: z.object({ name: z.string(), kind: z.enum(profileKinds) }).nullable(),
    })
    .nullable(),
  /** The last connection check of this run: its gravest step. A check alone seldom proves a password. */
  checked: z
    .object({ at: z.int(), outcome: z.enum(['good', 'warning', 'bad']), description: messageSchema })
    .nullable(),
  /** The number of scanned events, from the end of the log. */
  scanned: z.int(),
});
export type CredentialHealth = z.infer<typeof credentialHealthSchema>;
