import { isLinkLive } from '../../../shared/payments/link.ts';
import type { PaymentRow, PaymentState } from '../../../shared/payments/payment.ts';
import { stateAt } from '../../../shared/payment-reducer/state-at.ts';

/** States in which the customer is paying, or whose result is missing: a caller asks about these. */
const unfinished: readonly PaymentState[] = [
  'draft',
  'started',
  'bank-check',
  'processing',
  'outcome-unknown',
  'needs-attention',
  'paid-unconfirmed',
];

/**
 * The payment that a customer on the phone most probably asks about: the newest one that can be paid or has no result
 * yet, otherwise the newest one. `rows`: newest first; `now` in milliseconds. Null without payments.
 */
export const relevantPayment = (rows: readonly PaymentRow[], now: number): PaymentRow | null =>
  rows.find(row => isLinkLive(row, now) || unfinished.includes(stateAt(row, now))) ?? rows[0] ?? null;

/** The latest payment that money came in for; null if none was paid. */
export const lastPaid = (rows: readonly PaymentRow[]): PaymentRow | null =>
  rows
    .filter(({ paidAt }) => paidAt !== null)
    .toSorted((one, other) => (other.paidAt ?? 0) - (one.paidAt ?? 0))[0] ?? null;

/**
 * The payments whose links are offered first: those that can be paid, and the newest payment if its link is over
 * without money. `rows`: newest first.
 */
export const linksOf = (rows: readonly PaymentRow[], now: number): PaymentRow[] =>
  rows.filter(
    (row, index) =>
      isLinkLive(row, now) || (index === 0 && row.expiresAt !== null && stateAt(row, now) === 'expired'),
  );
