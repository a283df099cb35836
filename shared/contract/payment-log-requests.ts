import { ownListSchema } from '../payments/list-standing.ts';
import * as z from 'zod';
import { messageSchema } from '../messages/message.schema.ts';
import type { ProblemPlace } from '../messages/problem-place.ts';
import { appStateSchema } from './app-state.ts';
import { defineRequest, emptySchema, orderNumber, profileId } from './define-request.ts';

const placeSchema: z.ZodType<ProblemPlace> = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['file', 'log', 'keychain', 'end-file']) }),
  z.object({ kind: z.literal('event'), number: z.int() }),
  z.object({ kind: z.literal('installation-event'), name: z.string(), number: z.int() }),
  z.object({ kind: z.literal('order'), order: z.string(), profile: z.string() }),
  z.object({
    kind: z.enum(['installation', 'head-file', 'table', 'index', 'trigger', 'view']),
    name: z.string(),
  }),
]);
export const verifyReportSchema = z.object({
  events: z.int(),
  payments: z.int(),
  problems: z.array(
    z.object({
      kind: z.enum(['chain', 'head', 'index', 'schema']),
      at: placeSchema,
      message: messageSchema,
    }),
  ),
});
export type VerifyReport = z.infer<typeof verifyReportSchema>;

const copySchema = z.object({ name: z.string(), at: z.int(), bytes: z.int() });

/** A verified copy of the log that may replace the log. */
const candidateSchema = z.object({
  /** Identifies it in `log.restore`; valid until the console closes. */
  token: z.string(),
  name: z.string(),
  bytes: z.int(),
  report: verifyReportSchema,
  /** The number of events in the current log; null if it cannot be read. */
  inUse: z.int().nullable(),
});
export type RestoreCandidate = z.infer<typeof candidateSchema>;

/** Requests about the payment log and its copies. */
export const paymentLogRequests = {
  'log.verify': defineRequest(
    'Check the chain and rebuild the projection, comparing.',
    { right: 'everyone', effect: 'none' },
    emptySchema,
    verifyReportSchema,
  ),
  'log.rebuild': defineRequest(
    'Rebuild the list of payments and its search index from the evidence, then verify.',
    { right: 'log', effect: 'write', recorded: 'if-possible' },
    emptySchema,
    verifyReportSchema,
  ),
  'log.settleLoss': defineRequest(
    'End the report of confirmed events that are missing, and record who did it.',
    { right: 'log', effect: 'write', recorded: 'no' },
    emptySchema,
    appStateSchema,
  ),
  'log.reopen': defineRequest(
    'Close the payment log and open it again, after the cause of a problem was removed.',
    { right: 'everyone', effect: 'none' },
    emptySchema,
    appStateSchema,
  ),
  'log.backUp': defineRequest(
    'Copy the log, while in use, to a file that the user chooses; `file` is null if the user cancelled.',
    { right: 'log', effect: 'export', recorded: 'if-possible' },
    emptySchema,
    z.object({
      file: z.string().nullable(),
      bytes: z.int(),
      /** Whether a signature file is beside it. */
      signed: z.boolean(),
    }),
  ),
  'log.copies': defineRequest(
    'The daily copies, newest first.',
    { right: 'everyone', effect: 'none' },
    emptySchema,
    z.object({
      folder: z.string(),
      copies: z.array(copySchema),
    }),
  ),
  'log.checkCopy': defineRequest(
    'Verify a daily copy, or a file that the user chooses (name null), before anything is replaced; null if the user cancelled.',
    { right: 'log', effect: 'none' },
    z.object({ name: z.string().max(80).nullable() }),
    z.object({ candidate: candidateSchema.nullable() }),
  ),
  'log.restore': defineRequest(
    'Archive the log, never deleting it, and replace it with a verified copy.',
    { right: 'log', effect: 'write', recorded: 'if-possible' },
    z.object({ token: z.uuid() }),
    z.object({ archivedAs: z.string() }),
  ),
  'log.createNew': defineRequest(
    'Archive a log that cannot be opened, never deleting it, and start a new one.',
    { right: 'log', effect: 'write', recorded: 'if-possible' },
    emptySchema,
    z.object({ archivedAs: z.string() }),
  ),
  'log.erase': defineRequest(
    "Erase an order's customer details permanently; the log still verifies.",
    { right: 'erase', effect: 'write', recorded: 'if-possible' },
    z.object({ profileId, orderNumber }),
    emptySchema,
  ),
} as const;

/** Events of this area. */
export const paymentLogEvents = {
  'log.progress': z.object({
    job: z.enum(['verify', 'copy', 'check', 'erase', 'shared-log']),
    /** The unit depends on the job. */
    done: z.int(),
    total: z.int(),
  }),
  'list.changed': z.object({ standing: ownListSchema.nullable() }),
} as const;
