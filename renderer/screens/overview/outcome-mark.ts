import type { Outcome } from '../../../shared/payments/outcomes.ts';
import type { PaymentState } from '../../../shared/payments/payment.ts';

/** The state whose shape and tone represent an outcome. */
export const markOf: Readonly<Record<Outcome, PaymentState>> = {
  paid: 'paid-confirmed',
  open: 'waiting',
  'not-paid': 'declined',
  expired: 'expired',
  returned: 'refunded',
  unclear: 'outcome-unknown',
};
