import * as z from 'zod';

/** The callback types of one profile, newest first: verified ones only. */
export const eventHealthSchema = z.object({
  profileId: z.string(),
  types: z.array(z.object({ type: z.string(), lastAt: z.int(), count: z.int() })),
  /** Whether older callbacks exist that were not read: counts are lower limits then. */
  more: z.boolean(),
  /** A payment of this profile was refunded, by any source. */
  isRefundKnown: z.boolean(),
});
export type EventHealth = z.infer<typeof eventHealthSchema>;
