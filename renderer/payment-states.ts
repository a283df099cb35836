import type { PaymentState } from '../shared/payments/payment.ts';

/** Every state in display order: open, successful, unsuccessful. */
export const statesInOrder: readonly PaymentState[] = [
  'needs-attention',
  'outcome-unknown',
  'waiting',
  'started',
  'bank-check',
  'processing',
  'paid-unconfirmed',
  'paid-confirmed',
  'declined',
  'expired',
  'refused',
  'refund-seen',
  'part-refunded',
  'refunded',
  'voided',
  'reversed',
  'chargeback',
  'draft',
];
