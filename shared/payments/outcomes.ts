import type { PaymentState } from './payment-kinds.ts';

/** How links end, in words alone: the list's threads and the first screen need them without any schema. */

/** What became of a link that was raised here; every state a raised link can be in belongs to one. */
export const outcomes = ['paid', 'open', 'not-paid', 'expired', 'given-back', 'unclear'] as const;
export type Outcome = (typeof outcomes)[number];

export const outcomeStates: Readonly<Record<Outcome, readonly PaymentState[]>> = {
  paid: ['paid-confirmed', 'paid-unconfirmed'],
  open: ['waiting', 'started', 'bank-check', 'processing'],
  'not-paid': ['declined'],
  expired: ['expired'],
  'given-back': ['refund-seen', 'part-refunded', 'refunded', 'voided', 'reversed', 'chargeback'],
  unclear: ['outcome-unknown', 'needs-attention'],
};

/** The states of links that were raised; a request the gateway refused has none. */
export const raisedStates: readonly PaymentState[] = outcomes.flatMap(outcome => outcomeStates[outcome]);

/** Money came in, whatever became of it since: what conversion counts. */
export const convertedStates: readonly PaymentState[] = [
  ...outcomeStates.paid,
  'refund-seen',
  'part-refunded',
  'refunded',
  'chargeback',
];

/** How many links ended how. */
export type OutcomeCounts = Record<Outcome, number>;

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
