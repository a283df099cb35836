import type { PaymentState } from './payment.ts';

/** Groups of states for saved views, their counts, and texts outside the window. */
export const openStates: readonly PaymentState[] = ['waiting', 'started', 'bank-check', 'processing'];
export const paidStates: readonly PaymentState[] = ['paid-confirmed', 'paid-unconfirmed'];
