import * as z from 'zod';
import { certificateSchema } from '../callbacks/receiver-health.ts';
import { eventHealthSchema } from '../callbacks/event-health.ts';
import { outsideStepSchema } from '../callbacks/outside-step.ts';
import { appStateSchema } from './app-state.ts';
import { defineRequest, emptySchema, profileId } from './define-request.ts';

/** Requests about the callback receiver. */
export const receiverRequests = {
  'receiver.chooseCertificate': defineRequest(
    'Use a certificate and its key, two PEM files that the user chooses, for the callback listener; null if the user cancelled.',
    { right: 'settings', effect: 'write', recorded: 'required', fixedByPolicy: true },
    emptySchema,
    z.object({ certificate: certificateSchema.nullable() }),
  ),
  'receiver.resetQuarantine': defineRequest(
    'Reset the count of unverified callbacks after a review; all of them stay in the log.',
    { right: 'review', effect: 'write', recorded: 'no' },
    emptySchema,
    appStateSchema,
  ),
  'receiver.testOutside': defineRequest(
    "Call a profile's callback address by its public name, as a gateway would; each step up to the first one that fails. Nothing is stored.",
    { right: 'settings', effect: 'none' },
    z.object({ profileId, url: z.url({ protocol: /^https?$/ }).max(1024) }),
    z.object({ steps: z.array(outsideStepSchema) }),
  ),
  'receiver.events': defineRequest(
    'The types of callbacks that came for each profile, with the time of the last one; `isRefundKnown`: a payment was refunded.',
    { right: 'everyone', effect: 'none' },
    emptySchema,
    z.object({ profiles: z.array(eventHealthSchema) }),
  ),
  'receiver.test': defineRequest(
    'Let the sandbox send a signed callback to the receiver, and return the response.',
    { right: 'settings', effect: 'write', recorded: 'no' },
    emptySchema,
    z.object({
      orderNumber: z.string(),
      /** Null if there was no response. */
      httpStatus: z.int().nullable(),
      /** Response time. */
      durationMs: z.number(),
      /** Whether it is in the log, and its signature verified. */
      stored: z.boolean(),
      verified: z.boolean(),
    }),
  ),
} as const;
