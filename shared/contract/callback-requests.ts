import * as z from 'zod';
import { maxFileBytes } from '../callbacks/callback-file.ts';
import { fileInspectionSchema, fileRowSchema, fileShowSchema } from '../callbacks/file-inspection.ts';
import { inspectionSchema } from '../callbacks/inspection.ts';
import { callbackFormSchema, eventSchema } from '../payments/evidence.ts';
import { defineRequest, emptySchema, profileId } from './define-request.ts';
import { certificateSchema } from '../callbacks/receiver-health.ts';
import { eventHealthSchema } from '../callbacks/event-health.ts';
import { outsideStepSchema } from '../callbacks/outside-step.ts';
import { appStateSchema } from './app-state.ts';

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

/** Requests about pasted, opened and received callbacks. */
export const callbackRequests = {
  'callbacks.inspect': defineRequest(
    'Parse, verify and explain a pasted text; stores nothing.',
    { right: 'everyone', effect: 'none' },
    z.object({ text: z.string().max(8_000_000), form: callbackFormSchema.nullable().default(null) }),
    inspectionSchema,
  ),
  'callbacks.sample': defineRequest(
    'A callback to try the inspector: signed with the password of the sandbox, or with a changed amount.',
    { right: 'everyone', effect: 'none' },
    z.object({ isValid: z.boolean() }),
    z.object({ text: z.string() }),
  ),
  'callbacks.store': defineRequest(
    'Store the callbacks found in a text as evidence.',
    { right: 'look-up', effect: 'write', recorded: 'no' },
    z.object({
      text: z.string().max(8_000_000),
      form: callbackFormSchema.nullable().default(null),
      via: z.enum(['paste', 'file']),
      /** The profile for a callback that no password verifies. */
      profileId,
    }),
    z.object({
      stored: z.int(),
      duplicates: z.int(),
      orders: z.array(z.object({ profileId: z.string(), orderNumber: z.string() })),
    }),
  ),
  'callbacks.openFile': defineRequest(
    'Open a file of callbacks that the user chooses. A short one is returned as text, to be inspected like a pasted one. A long one is read on a separate thread and reported by `callbacks.file`. Null if the user cancelled.',
    { right: 'everyone', effect: 'none' },
    emptySchema,
    z.object({ opened: z.object({ name: z.string(), text: z.string().nullable() }).nullable() }),
  ),
  'callbacks.dropFile': defineRequest(
    'Read the text of a file that was dropped on the window, or a text with several callbacks, like an opened file and in place of it. The name of a pasted text is empty.',
    { right: 'everyone', effect: 'none' },
    z.object({
      name: z.string().max(255),
      text: z.string().min(1).max(maxFileBytes),
      via: z.enum(['paste', 'file']).default('file'),
    }),
    emptySchema,
  ),
  'callbacks.file': defineRequest(
    'The open long file, with the progress of reading or storing it.',
    { right: 'everyone', effect: 'none' },
    emptySchema,
    z.object({ file: fileInspectionSchema.nullable() }),
  ),
  'callbacks.fileRows': defineRequest(
    'Callbacks of the open file, in its order.',
    { right: 'everyone', effect: 'none' },
    z.object({
      show: fileShowSchema.default('all'),
      from: z.int().min(0).default(0),
      limit: z.int().min(1).max(200).default(100),
    }),
    z.object({ rows: z.array(fileRowSchema), total: z.int() }),
  ),
  'callbacks.fileInspection': defineRequest(
    'One callback of the open file, verified and explained.',
    { right: 'everyone', effect: 'none' },
    z.object({ index: z.int().min(0) }),
    inspectionSchema,
  ),
  'callbacks.storeFile': defineRequest(
    'Store all callbacks of the open file as evidence; `callbacks.file` reports the progress.',
    { right: 'look-up', effect: 'job', recorded: 'no' },
    /** The profile for a callback that no password verifies. */
    z.object({ profileId }),
    z.object({ file: fileInspectionSchema.nullable() }),
  ),
  'callbacks.closeFile': defineRequest(
    'Close the open file and cancel its reading or storing; stored callbacks stay.',
    { right: 'everyone', effect: 'none' },
    emptySchema,
    emptySchema,
  ),
  'callbacks.recent': defineRequest(
    'The inbox: callbacks, newest first, tokens and hashes masked.',
    { right: 'everyone', effect: 'none' },
    z.object({ limit: z.int().min(1).max(200).default(50) }),
    z.object({ events: z.array(eventSchema) }),
  ),
} as const;

/** Events of this area. */
export const callbackEvents = {
  'callbacks.arrived': z.object({ events: z.array(eventSchema) }),
  'callbacks.file': z.object({ file: fileInspectionSchema.nullable() }),
} as const;
