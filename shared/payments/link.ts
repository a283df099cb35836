import type { PaymentRow } from './payment.ts';

/** A payment with its link, or a row of the list with only its expiry. */
export type WithExpiry = { link?: { expiresAt: number } | null; expiresAt?: number | null };

/**
 * Whether a customer can still pay with the payment's link (§3.3): it is unused and not expired, in any state of the
 * payment. `now` in milliseconds.
 */
export const isLinkLive = (payment: Pick<PaymentRow, 'linkUsable'> & WithExpiry, now: number): boolean => {
  const expiresAt = payment.link?.expiresAt ?? payment.expiresAt ?? null;
  return payment.linkUsable && expiresAt !== null && now < expiresAt;
};

/** Whether the payer of a declined payment may try again with its link, as long as it is active. */
export const mayBeRetried = ({ state, linkUsable }: Pick<PaymentRow, 'state' | 'linkUsable'>): boolean =>
  state === 'declined' && linkUsable;
