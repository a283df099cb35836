import * as z from 'zod';
import { appErrorSchema } from '../errors.schema.ts';

/** The workbook that this installation writes after each day or month. */

export const exportIntervals = ['day', 'month'] as const;
export type ExportInterval = (typeof exportIntervals)[number];

/** Null = no file is written. */
export const scheduledExportSchema = z
  .strictObject({
    every: z.enum(exportIntervals),
    /** Absolute path. */
    folder: z.string().min(1).max(4096),
    profileIds: z
      .array(z.string().regex(/^[a-z0-9-]{1,64}$/))
      .min(1)
      .max(51),
  })
  .nullable();
export type ScheduledExport = z.infer<typeof scheduledExportSchema>;

/** The state of the scheduled export, as the window shows it. */
export const scheduledExportStateSchema = z.object({
  /** When the last file was written, milliseconds. */
  lastRunAt: z.int().nullable(),
  lastFile: z.string().nullable(),
  /** When the next period ends, milliseconds; null: the export is off. */
  nextRunAt: z.int().nullable(),
  /** Why the last attempt failed; it is repeated every hour. */
  problem: appErrorSchema.nullable(),
});
export type ScheduledExportState = z.infer<typeof scheduledExportStateSchema>;
