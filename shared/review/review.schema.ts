import * as z from 'zod';
import { maxResolutionText, resolutionReasons, type Review } from './review.ts';

export const resolutionReasonSchema = z.enum(resolutionReasons);

/** SHA-256 of a payment's facts, shortened; see payment-reducer/fingerprint.ts. */
export const factsSchema = z.string().regex(/^[0-9a-f]{32}$/);

export const resolutionTextSchema = z.string().trim().max(maxResolutionText);

export const reviewSchema = z.object({
  resolved: z
    .object({ reason: resolutionReasonSchema, text: z.string(), at: z.int(), agent: z.string() })
    .nullable(),
  assignee: z.string().nullable(),
  snoozedUntil: z.int().nullable(),
}) satisfies z.ZodType<Review>;
