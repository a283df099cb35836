import * as z from 'zod';
import { certificateSchema } from '../callbacks/receiver-health.ts';
import { appStateSchema } from './app-state.ts';
import { defineRequest, emptySchema } from './define-request.ts';

/** Requests about the callback receiver. */
export const receiverRequests = {
  'receiver.chooseCertificate': defineRequest(
    "Take a certificate and its key, two PEM files the person chooses, for the merchant's door; null when they chose none.",
    emptySchema,
    z.object({ certificate: certificateSchema.nullable() }),
  ),
  'receiver.resetQuarantine': defineRequest(
    'Count unverified callbacks from zero again, after somebody has looked at them; all of them stay in the log.',
    emptySchema,
    appStateSchema,
  ),
  'receiver.test': defineRequest(
    'Have the sandbox send a signed callback through the whole path, and say how it was answered.',
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
