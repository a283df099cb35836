import * as z from 'zod';
import { paymentRowSchema } from '../payments/payment.ts';
import { reconciliationActions, reconciliationCauses } from './reconcile.ts';

/** Schemas of the reconciliation queue for the contract. */
export const reconciliationCauseSchema = z.enum(reconciliationCauses);

export const findingSchema = z.object({
  cause: reconciliationCauseSchema,
  action: z.enum(reconciliationActions),
  /** Since when the payment has this cause, milliseconds. */
  since: z.int(),
});
export type Finding = z.infer<typeof findingSchema>;

/** A payment with its findings, gravest first. */
export const reconciliationRowSchema = paymentRowSchema.extend({ findings: z.array(findingSchema) });
export type ReconciliationRow = z.infer<typeof reconciliationRowSchema>;

/** The number of payments in the queue by cause, gravest first; `more`: the count is a lower bound. */
export const reconciliationCountSchema = z.object({
  cause: reconciliationCauseSchema,
  count: z.int(),
  more: z.boolean(),
});
export type ReconciliationCount = z.infer<typeof reconciliationCountSchema>;

/** The number of payments that need review; `more`: the count is a lower bound. */
export const needsReviewSchema = reconciliationCountSchema.omit({ cause: true });
export type NeedsReview = z.infer<typeof needsReviewSchema>;
