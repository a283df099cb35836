import * as z from 'zod';
import { outcomes } from '../payments/outcomes.ts';

export const outcomeCountsSchema = z.record(z.enum(outcomes), z.int());

/** Links of only one currency: amounts of two currencies are never added. */
const figuresSchema = z.object({
  outcomes: outcomeCountsSchema,
  /** Requests that the gateway refused: they have no link. */
  refused: z.int(),
  /** Links that were paid, even if refunded since. */
  converted: z.int(),
  /** The total amounts of the created and the paid links, in wire form. */
  raisedAmount: z.string(),
  paidAmount: z.string(),
  /** Links whose amount cannot be read; they are in no sum. */
  unreadAmounts: z.int(),
  /** Median time from the request to the first paid report, milliseconds; null if none was paid. */
  medianToPay: z.number().nullable(),
});
export type Figures = z.infer<typeof figuresSchema>;

const currencyOverviewSchema = z.object({
  currency: z.string(),
  figures: figuresSchema,
  /** One for each day of the time zone, oldest first; milliseconds, half-open. */
  days: z.array(z.object({ from: z.int(), until: z.int(), outcomes: outcomeCountsSchema })),
  /** The agent with most links first. */
  agents: z.array(figuresSchema.extend({ agent: z.string() })),
});
export type CurrencyOverview = z.infer<typeof currencyOverviewSchema>;

export const overviewSchema = z.object({
  /** The currency with most links first. */
  currencies: z.array(currencyOverviewSchema),
  /** Payments of this time span that were not created here. */
  elsewhere: z.int(),
});
export type Overview = z.infer<typeof overviewSchema>;
