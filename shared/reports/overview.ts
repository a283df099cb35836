import * as z from 'zod';
import { outcomes } from '../payments/outcomes.ts';

export const outcomeCountsSchema = z.record(z.enum(outcomes), z.int());

/** Links of one currency alone: amounts of two currencies are never added. */
const figuresSchema = z.object({
  outcomes: outcomeCountsSchema,
  /** Requests that the gateway refused: no link came of them. */
  refused: z.int(),
  /** Links that brought money in, whether or not it was given back since. */
  converted: z.int(),
  /** What the raised and the paid links ask for, in the wire's form. */
  raisedAmount: z.string(),
  paidAmount: z.string(),
  /** Links whose amount cannot be read; they are in no sum. */
  unreadAmounts: z.int(),
  /** Milliseconds from the request to the first word that it was paid; null when none was. */
  medianToPay: z.number().nullable(),
});
export type Figures = z.infer<typeof figuresSchema>;

const currencyOverviewSchema = z.object({
  currency: z.string(),
  figures: figuresSchema,
  /** One for each day of the time zone, oldest first; milliseconds, half-open. */
  days: z.array(z.object({ from: z.int(), until: z.int(), outcomes: outcomeCountsSchema })),
  /** Whoever raised most comes first. */
  agents: z.array(figuresSchema.extend({ agent: z.string() })),
});
export type CurrencyOverview = z.infer<typeof currencyOverviewSchema>;

export const overviewSchema = z.object({
  /** The currency with most links first. */
  currencies: z.array(currencyOverviewSchema),
  /** Payments of this time that were not raised here. */
  elsewhere: z.int(),
});
export type Overview = z.infer<typeof overviewSchema>;
