import type { WithExpiry } from './link.ts';
import type { PaymentState } from './payment-kinds.ts';
import type { PaymentRow } from './payment.ts';

/**
 * Whether a link expired and the provider has answered no look-up since: then it is unknown whether it was paid.
 * `state`: the payment's state now.
 */
export const isUnchecked = (
  state: PaymentState,
  { checkedAt, link, expiresAt }: Pick<PaymentRow, 'checkedAt'> & WithExpiry,
): boolean => state === 'expired' && (checkedAt ?? 0) < (link?.expiresAt ?? expiresAt ?? 0);

/** Whether the sources agree on what was paid, and it is not the amount that was asked for. `state`: now. */
export const isPaidOtherwise = (
  state: PaymentState,
  { paidAt }: { paidAt?: number | null | undefined },
): boolean => state === 'needs-attention' && (paidAt ?? null) !== null;
