import * as z from 'zod';
import { copyProgressSchema, othersStandingSchema } from '../team/team-standing.ts';

/** How much of the evidence is in the list of payments on this computer. */
export const listStandingSchema = z.object({
  /** Of this computer's own payments, those that are listed. */
  progress: copyProgressSchema,
  /** Nothing is missing of what this computer knows. */
  isWhole: z.boolean(),
  /** Payments of other installations; null without a team. */
  others: othersStandingSchema.nullable(),
  /** When it was made again because its file was damaged, milliseconds, and the database's code; null: not since the start. */
  remade: z.object({ at: z.int(), cause: z.string() }).nullable(),
});
export type ListStanding = z.infer<typeof listStandingSchema>;

/** The same without the payments of others, which the standing of the team has. */
export const ownListSchema = listStandingSchema.omit({ others: true });
export type OwnList = z.infer<typeof ownListSchema>;
