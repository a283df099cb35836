import * as z from 'zod';
import { appStateSchema } from './app-state.ts';
import { defineRequest, emptySchema } from './define-request.ts';

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
