import * as z from 'zod';
import { movedMoneySchema } from '../money/moved-money.schema.ts';
import { outcomes } from '../payments/outcomes.ts';

export const outcomeCountsSchema = z.record(z.enum(outcomes), z.int());

/** Links of only one currency: amounts of two currencies are never added. */
const figuresSchema = z.object({
  outcomes: outcomeCountsSchema,
  /** Requests that the gateway refused: they have no link. */
  refused: z.int(),
  /** Links that were paid, even if refunded since. */
  converted: z.int(),
  /** The requested amounts of the created links, in wire form. */
  raisedAmount: z.string(),
  /** Links whose requested amount cannot be read; they are not in `raisedAmount`. */
  unreadAmounts: z.int(),
  /**
   * Money that came in, and money that went back, in wire form; and the difference of the payments of which every
   * amount is known, which may have a minus sign.
   */
  paidAmount: z.string(),
  returnedAmount: z.string(),
  netAmount: z.string(),
  /** What is known of the other payments, which is in the first two and not in the difference. */
  outsideNetAmount: z.string(),
  /** Payments and refunds whose amount is unknown or cannot be read; they are in none of the three. */
  uncounted: z.int(),
});
export type Figures = z.infer<typeof figuresSchema>;

const currencyOverviewSchema = z.object({
  currency: z.string(),
  figures: figuresSchema,
  /** Median time from the request to the first paid report, milliseconds; null if none was paid. */
  medianToPay: z.number().nullable(),
  /** One for each day of the time zone, oldest first; milliseconds, half-open. */
  days: z.array(
    z.object({
      from: z.int(),
      until: z.int(),
      outcomes: outcomeCountsSchema,
      converted: z.int(),
      paidAmount: z.string(),
    }),
  ),
  /** The agent with most links first. */
  agents: z.array(figuresSchema.extend({ agent: z.string() })),
});
export type CurrencyOverview = z.infer<typeof currencyOverviewSchema>;

/** The money of a period; of each list the currency with the most payments first. */
export const movedPeriodSchema = z.object({
  total: z.array(movedMoneySchema),
  days: z.array(z.array(movedMoneySchema)),
  /** As many days before; `total` up to the present time of day while the period lasts. */
  before: z.object({ total: z.array(movedMoneySchema), days: z.array(z.array(movedMoneySchema)) }),
});
export type MovedPeriod = z.infer<typeof movedPeriodSchema>;

export const overviewSchema = z.object({
  /** The currency with most links first. */
  currencies: z.array(currencyOverviewSchema),
  /** Payments of this time span that were not created here. */
  elsewhere: z.int(),
});
export type Overview = z.infer<typeof overviewSchema>;
