import * as z from 'zod';
import { appErrorSchema } from '../errors.schema.ts';

/** How much of the team's payment log this computer has, and how far it is behind. */

/**
 * Why an event is left out. `link`: it does not follow from the event before it. `personal`: its personal values are
 * not those of its digest. `form`: it has no form that this version knows. `size`: it is too large, or its order has
 * too many.
 */
export const leftOutProblems = ['link', 'personal', 'form', 'size'] as const;
export type LeftOutProblem = (typeof leftOutProblems)[number];

/** The events of an installation that are left out, by problem. */
export const leftOutSchema = z.object({
  writer: z.string(),
  problem: z.enum(leftOutProblems),
  events: z.int(),
});
export type LeftOut = z.infer<typeof leftOutSchema>;

/** How much of the chains of other installations is here, events. */
export const copyProgressSchema = z.object({ done: z.int(), total: z.int() });
export type CopyProgress = z.infer<typeof copyProgressSchema>;

export const othersStandingSchema = z.object({
  isConnected: z.boolean(),
  /** Why it is not, or why nothing can be stored. */
  problem: appErrorSchema.nullable(),
  progress: copyProgressSchema,
  /** Everything that is in the shared log is here, but for what was written in the last seconds. */
  isLevel: z.boolean(),
  /** Up to when everything in the shared log is here, milliseconds; null: it never was. */
  levelAt: z.int().nullable(),
  leftOut: z.array(leftOutSchema),
});
export type OthersStanding = z.infer<typeof othersStandingSchema>;
