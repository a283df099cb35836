import type { PaymentState } from './payment-kinds.ts';

/**
 * Outcomes of links, without schemas: the log's threads and the first screen use them without loading a schema
 * library.
 */

/** The outcome of a link created here; every possible state belongs to exactly one. */
export const outcomes = ['paid', 'open', 'not-paid', 'expired', 'returned', 'unclear'] as const;
export type Outcome = (typeof outcomes)[number];

export const outcomeStates: Readonly<Record<Outcome, readonly PaymentState[]>> = {
  paid: ['paid-confirmed', 'paid-unconfirmed'],
  open: ['waiting', 'started', 'bank-check', 'processing'],
  'not-paid': ['declined'],
  expired: ['expired'],
  returned: ['refund-seen', 'part-refunded', 'refunded', 'voided', 'reversed', 'chargeback'],
  unclear: ['outcome-unknown', 'needs-attention'],
};

/** The states of created links; a request that the gateway refused has none. */
export const raisedStates: readonly PaymentState[] = outcomes.flatMap(outcome => outcomeStates[outcome]);

/** States after a payment, even if it went back since: the numerator of the conversion rate, two of the groups. */
export const convertedStates: readonly PaymentState[] = [...outcomeStates.paid, ...outcomeStates.returned];

/** The number of links by outcome. */
export type OutcomeCounts = Record<Outcome, number>;

export const noOutcomes = (): OutcomeCounts => ({
  paid: 0,
  open: 0,
  'not-paid': 0,
  expired: 0,
  returned: 0,
  unclear: 0,
});

/** The number of links created. */
export const raisedOf = (counts: OutcomeCounts): number =>
  outcomes.reduce((sum, outcome) => sum + counts[outcome], 0);

/** Groups of states for saved views, their counts, and texts outside the window. */
export const openStates = outcomeStates.open;
export const paidStates = outcomeStates.paid;

/** The number of payments in a set of states, from the payment log's counts. */
export const countIn = (
  { states }: { states: Readonly<Record<string, number>> },
  wanted: readonly PaymentState[],
): number => wanted.reduce((sum, state) => sum + (states[state] ?? 0), 0);

/** The number of open links: a declined one that can still be paid is one as well. */
export const openLinksIn = (counts: Parameters<typeof countIn>[0] & { retryable: number }): number =>
  countIn(counts, openStates) + counts.retryable;
