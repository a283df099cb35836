import * as z from 'zod';

/** Money of one currency by the date on which it moved, no matter when its link was created; wire form. */
export const movedMoneySchema = z.object({
  currency: z.string(),
  paidAmount: z.string(),
  refundedAmount: z.string(),
  voidedAmount: z.string(),
  disputedAmount: z.string(),
  /** Of the payments of which every amount of the period is known; may have a minus sign. */
  netAmount: z.string(),
  /** Movements in none of them, because their amount is unknown or cannot be read. */
  uncounted: z.int(),
});
export type MovedMoney = z.infer<typeof movedMoneySchema>;
