import * as z from 'zod';
import { activityGroupNames } from '../activity/activity.ts';
import { activityActionSchema, activityDetailsSchema } from '../activity/activity.schema.ts';
import { defineRequest } from './define-request.ts';

const activityFilterSchema = z.object({
  /** What this person did, and what others did about them; null = everyone. */
  person: z.string().max(80).nullable().default(null),
  group: z.enum(activityGroupNames).nullable().default(null),
});
export type ActivityFilter = z.infer<typeof activityFilterSchema>;

const activityRowSchema = z.object({
  id: z.uuid(),
  at: z.int(),
  /** `console` if no person was signed in, such as for a wrong PIN at the lock screen. */
  agent: z.string(),
  action: activityActionSchema,
  details: activityDetailsSchema,
});
export type ActivityRow = z.infer<typeof activityRowSchema>;

const activityPageSchema = z.object({
  rows: z.array(activityRowSchema),
  /** The position of the next page; null if there is none. A page may hold fewer rows than requested. */
  earlier: z.string().nullable(),
});

/** Requests about the activity list: who signed in, exported, erased or changed something. */
export const activityRequests = {
  'activity.list': defineRequest(
    'One page of the activity list, newest first.',
    { right: 'activity', effect: 'none' },
    activityFilterSchema.extend({
      before: z.string().max(200).nullable().default(null),
      limit: z.int().min(1).max(200).default(100),
    }),
    activityPageSchema.extend({
      /** Activities that wait for the payment log; they are not in the list yet. */
      waiting: z.int(),
    }),
  ),
  'activity.export': defineRequest(
    'Export the activity list as CSV to a file that the user chooses; `file` is null if the user cancelled.',
    { right: 'activity', effect: 'export', recorded: 'required' },
    activityFilterSchema,
    z.object({ file: z.string().nullable(), written: z.int() }),
  ),
} as const;
