import * as z from 'zod';
import type { PaymentState } from './payment.ts';

/** What became of a link that was raised here; every state a raised link can be in belongs to one. */
export const outcomes = ['paid', 'open', 'not-paid', 'expired', 'given-back', 'unclear'] as const;
export type Outcome = (typeof outcomes)[number];

export const outcomeStates: Readonly<Record<Outcome, readonly PaymentState[]>> = {
  paid: ['paid-confirmed', 'paid-unconfirmed'],
  open: ['waiting', 'started', 'bank-check', 'processing'],
  'not-paid': ['declined'],
  expired: ['expired'],
  'given-back': ['part-refunded', 'refunded', 'voided', 'reversed', 'chargeback'],
  unclear: ['outcome-unknown', 'needs-attention'],
};

/** The states of links that were raised; a request the gateway refused has none. */
export const raisedStates: readonly PaymentState[] = outcomes.flatMap(outcome => outcomeStates[outcome]);

/** Money came in, whatever became of it since: what conversion counts. */
export const convertedStates: readonly PaymentState[] = [
  ...outcomeStates.paid,
  'part-refunded',
  'refunded',
  'chargeback',
];

/** How many links ended how. */
export const outcomeCountsSchema = z.record(z.enum(outcomes), z.int());
export type OutcomeCounts = z.infer<typeof outcomeCountsSchema>;

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

export const noOutcomes = (): OutcomeCounts => ({
  paid: 0,
  open: 0,
  'not-paid': 0,
  expired: 0,
  'given-back': 0,
  unclear: 0,
});

/** How many links were raised. */
export const raisedOf = (counts: OutcomeCounts): number =>
  outcomes.reduce((sum, outcome) => sum + counts[outcome], 0);
