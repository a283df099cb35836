import type { PaymentState } from '../shared/payments/payment.ts';
import { toneOf } from './components/display/status-badge.tsx';

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

/** The state with this name, or null. */
export const stateNamed = (text: unknown): PaymentState | null =>
  typeof text === 'string' && Object.hasOwn(toneOf, text) ? (text as PaymentState) : null;
