import type { PaymentState } from '../../payments/payment-kinds.ts';

/** Progress of a payment in flight; a late report of an earlier step changes nothing. */
const steps: readonly PaymentState[] = ['waiting', 'started', 'bank-check', 'processing'];

/** Whether a payment in this state has begun, or is ready to begin, and has no result. */
export const isInFlight = (state: PaymentState): boolean => steps.includes(state);

/** Whether one state is a later step than the other. */
export const isBeyond = (one: PaymentState, other: PaymentState): boolean =>
  steps.indexOf(one) > steps.indexOf(other);
