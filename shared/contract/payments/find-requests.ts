import * as z from 'zod';
import { paymentRowSchema } from '../../payments/payment.ts';
import { defineRequest } from '../define-request.ts';
import { maxSearchText } from '../../max-search-text.ts';

const foundPaymentsSchema = z.object({
  /** Exact ones first, each payment once. */
  hits: z.array(z.object({ row: paymentRowSchema, isApproximate: z.boolean() })),
  /** Whether there are more. */
  more: z.boolean(),
});
export type FoundPayments = z.infer<typeof foundPaymentsSchema>;

/** Requests of the search box. */
export const findRequests = {
  'payments.find': defineRequest(
    'The first payments that a typed or pasted text finds: exact ones, then those that match almost. Dates, amounts and filters count as in the list.',
    { right: 'everyone', effect: 'none' },
    z.object({
      /** Null: of all profiles; the text may name others. */
      profileId: z.string().nullable(),
      words: z.string().max(maxSearchText),
      limit: z.int().min(1).max(10),
    }),
    foundPaymentsSchema,
  ),
} as const;
