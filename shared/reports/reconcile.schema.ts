import * as z from 'zod';
import { paymentRowSchema } from '../payments/payment.ts';
import {
  reconciliationActions,
  reconciliationCauses,
  type Finding,
  type NeedsReview,
  type ReconciliationCount,
  type ReconciliationRow,
} from './reconcile.ts';

/** Schemas of the reconciliation queue for the contract. */
export const reconciliationCauseSchema = z.enum(reconciliationCauses);

export const findingSchema = z.object({
  cause: reconciliationCauseSchema,
  action: z.enum(reconciliationActions),
  since: z.int(),
}) satisfies z.ZodType<Finding>;

export const reconciliationRowSchema = paymentRowSchema.extend({
  findings: z.array(findingSchema),
}) satisfies z.ZodType<ReconciliationRow>;

export const reconciliationCountSchema = z.object({
  cause: reconciliationCauseSchema,
  count: z.int(),
  more: z.boolean(),
}) satisfies z.ZodType<ReconciliationCount>;

export const needsReviewSchema = reconciliationCountSchema.omit({
  cause: true,
}) satisfies z.ZodType<NeedsReview>;
