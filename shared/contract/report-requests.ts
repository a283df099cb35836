import * as z from 'zod';
import { maxPerJob } from '../look-ups/bulk-look-up.ts';
import { handoverNoteSchema } from '../reports/handover-note.ts';
import { exportFormats, exportRows, figureFormats, orientations } from '../reports/export.ts';
import { movedPeriodSchema, overviewSchema } from '../reports/overview.ts';
import { reviewLists } from '../review/review.ts';
import {
  needsReviewSchema,
  reconciliationCauseSchema,
  reconciliationCountSchema,
  reconciliationRowSchema,
} from '../reports/reconcile.schema.ts';
import { defineRequest, emptySchema, orderNumber, profileId } from './define-request.ts';
import { paymentFilterSchema } from './payments/payment-requests.ts';
import { appStateSchema } from './app-state.ts';

/** Requests about the scheduled export; the schedule itself is a setting. */
export const scheduledExportRequests = {
  'scheduledExport.chooseFolder': defineRequest(
    'Ask the user for a folder that can be written to; null if they cancelled. Changes nothing.',
    { right: 'settings', effect: 'none' },
    emptySchema,
    z.object({ folder: z.string().nullable() }),
  ),
  'scheduledExport.run': defineRequest(
    'Write the workbooks of all periods that have ended and are not written yet; without one, that of the last period again.',
    { right: 'settings', effect: 'job', recorded: 'no' },
    emptySchema,
    appStateSchema,
  ),
} as const;

const reconciliationPageSchema = z.object({
  rows: z.array(reconciliationRowSchema),
  /** A page may hold fewer rows than requested although `next` exists. */
  next: z.string().nullable(),
  /** By cause, gravest first, each payment under its gravest; only with the first page. */
  counts: z.array(reconciliationCountSchema).nullable(),
  /** The number of payments in the lists that people made; only with the first page. */
  lists: z
    .object({ mine: needsReviewSchema, unassigned: needsReviewSchema, snoozed: needsReviewSchema })
    .nullable(),
});
export type ReconciliationPage = z.infer<typeof reconciliationPageSchema>;

/** Requests about the overview, reconciliation and exported files. */
export const reportRequests = {
  'payments.overview': defineRequest(
    'Links created in a time span and their outcomes, by currency, day and agent.',
    { right: 'everyone', effect: 'none' },
    z.object({
      profileId: z.string().nullable().default(null),
      /** Milliseconds, half-open, at most 400 days; split into the days of `timeZone` (IANA). */
      from: z.int(),
      until: z.int(),
      timeZone: z.string().min(1).max(64),
    }),
    overviewSchema,
  ),
  'payments.movedMoney': defineRequest(
    'What came in and went back in a time span, each on its own date, by currency; in total, of each day, and of as many days before.',
    { right: 'everyone', effect: 'none' },
    z.object({
      profileId: z.string().nullable().default(null),
      /** Milliseconds, half-open. */
      from: z.int(),
      until: z.int(),
      /** IANA name of the zone whose days are counted. */
      timeZone: z.string(),
    }),
    movedPeriodSchema,
  ),
  'payments.handoverNote': defineRequest(
    'The handover note for the next shift: open payments, payments that need review, notes; no personal data and no links.',
    { right: 'handover', effect: 'none' },
    z.object({
      profileId: z.string().nullable().default(null),
      /** Notes since this instant, milliseconds. */
      since: z.int(),
    }),
    handoverNoteSchema,
  ),
  'payments.export': defineRequest(
    'Export payments to a file that the user chooses, completely or not at all; `file` is null if the user cancelled. `export.progress` reports the progress.',
    { right: 'export', effect: 'export', recorded: 'required' },
    z.object({
      filter: paymentFilterSchema,
      /** Only these payments, ignoring the filter; null = all that match the filter. */
      payments: z.array(z.object({ profileId, orderNumber })).min(1).max(maxPerJob).nullable().default(null),
      /**
       * Only payments whose money moved in this time span (milliseconds, half-open) of the filter's profile, ignoring
       * the rest of the filter; null = by the filter.
       */
      period: z.object({ from: z.int(), until: z.int() }).nullable().default(null),
      /** `pdf`: the statement of a period and a profile. */
      format: z.enum(exportFormats),
      /** The rows of a CSV file; a workbook has a sheet of each. A refund is a movement on its own date. */
      rows: z.enum(exportRows).default('payments'),
      /** Of a statement. */
      orientation: z.enum(orientations).default('portrait'),
      /** Identifies it for `payments.cancelWait`. */
      requestId: z.uuid().default(() => crypto.randomUUID()),
    }),
    z.object({
      file: z.string().nullable(),
      written: z.int(),
      /** Whether a signed head of the log was saved next to it. */
      signed: z.boolean(),
    }),
  ),
  'payments.reconcile': defineRequest(
    'Payments with missing or conflicting information, gravest cause first, each with its causes and next action.',
    { right: 'everyone', effect: 'none' },
    z.object({
      profileId: profileId.nullable().default(null),
      /** Only this cause; null = all. */
      cause: reconciliationCauseSchema.nullable().default(null),
      /** One list of the review page; null = everything in the queue, informational causes last. */
      list: z.enum(reviewLists).nullable().default(null),
      cursor: z.string().max(64).nullable().default(null),
      /** 0 = only the counts. The lists `mine` and `snoozed` are one page with any limit. */
      limit: z.int().min(0).max(200).default(50),
    }),
    reconciliationPageSchema,
  ),
  'payments.showExport': defineRequest(
    'Show the file of the last export in its folder.',
    { right: 'export', effect: 'none' },
    z.object({}),
    /** False if nothing was exported since the console started. */
    z.object({ shown: z.boolean() }),
  ),
  'payments.exportFigures': defineRequest(
    'Export the figures of the overview, by currency, day and person, to a file that the user chooses; `file` is null if the user cancelled.',
    { right: 'export', effect: 'export', recorded: 'required' },
    z.object({
      profileId: profileId.nullable().default(null),
      /** Milliseconds, half-open; split into the days of the profile's zone. */
      from: z.int(),
      until: z.int(),
      format: z.enum(figureFormats),
    }),
    z.object({ file: z.string().nullable(), signed: z.boolean() }),
  ),
  'payments.exportReconciliation': defineRequest(
    'Export a list of the review page, with causes and next action, to a file that the user chooses; `file` is null if the user cancelled.',
    { right: 'export', effect: 'export', recorded: 'required' },
    z.object({
      profileId: profileId.nullable(),
      cause: reconciliationCauseSchema.nullable(),
      /** Null = everything in the queue, informational causes last. */
      list: z.enum(reviewLists).nullable().default(null),
      format: z.enum(figureFormats),
    }),
    z.object({ file: z.string().nullable(), written: z.int(), signed: z.boolean() }),
  ),
  'payments.dossier': defineRequest(
    'Export everything about one payment, with its proof, as a page and its JSON to a file that the user chooses; `file` is null if the user cancelled.',
    { right: 'export', effect: 'export', recorded: 'required' },
    z.object({ profileId, orderNumber }),
    z.object({
      file: z.string().nullable(),
      /** Whether every event is tied to a signed head. */
      proven: z.boolean(),
    }),
  ),
} as const;

/** Events of this area. */
export const reportEvents = {
  'export.progress': z.object({
    requestId: z.uuid(),
    written: z.int(),
    /** Null while unknown. */
    total: z.int().nullable(),
  }),
} as const;
