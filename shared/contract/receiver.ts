import * as z from 'zod';
import { certificateSchema } from '../callbacks/receiver-health.ts';
import { appStateSchema } from './app-state.ts';
import { defineRequest, emptySchema } from './define-request.ts';

/** Requests about the callback receiver. */
export const receiverRequests = {
  'receiver.chooseCertificate': defineRequest(
    'Use a certificate and its key, two PEM files that the user chooses, for the callback listener; null if the user cancelled.',
    emptySchema,
    z.object({ certificate: certificateSchema.nullable() }),
  ),
  'receiver.resetQuarantine': defineRequest(
    'Reset the count of unverified callbacks after a review; all of them stay in the log.',
    emptySchema,
    appStateSchema,
  ),
  'receiver.test': defineRequest(
    'Let the sandbox send a signed callback to the receiver, and return the response.',
    emptySchema,
    z.object({
      orderNumber: z.string(),
      /** Null if there was no response. */
      httpStatus: z.int().nullable(),
      /** Response time, milliseconds. */
      durationMs: z.number(),
      /** Whether it is in the log, and its signature verified. */
      stored: z.boolean(),
      verified: z.boolean(),
    }),
  ),
} as const;
