import * as z from 'zod';
import { paymentRowSchema } from '../payments/payment.ts';
import { reconciliationActions, reconciliationCauses } from './reconcile.ts';

/** What of the reconciliation queue crosses between the processes. */
export const reconciliationCauseSchema = z.enum(reconciliationCauses);

export const findingSchema = z.object({
  cause: reconciliationCauseSchema,
  action: z.enum(reconciliationActions),
  /** Milliseconds: since when the payment has been like this. */
  since: z.int(),
});
export type Finding = z.infer<typeof findingSchema>;

/** A payment with what there is to say against its story, gravest first. */
export const reconciliationRowSchema = paymentRowSchema.extend({ findings: z.array(findingSchema) });
export type ReconciliationRow = z.infer<typeof reconciliationRowSchema>;

/** How many payments stand in the queue under each cause, gravest first; `more`: at least so many. */
export const reconciliationCountSchema = z.object({
  cause: reconciliationCauseSchema,
  count: z.int(),
  more: z.boolean(),
});
export type ReconciliationCount = z.infer<typeof reconciliationCountSchema>;

/** How many payments need review; `more`: at least this many. */
export const needsReviewSchema = reconciliationCountSchema.omit({ cause: true });
export type NeedsReview = z.infer<typeof needsReviewSchema>;
