import type { PaymentRow } from './payment.ts';

/** A payment with its link, or a row of the list with its expiry alone. */
export type WithExpiry = { link?: { expiresAt: number } | null; expiresAt?: number | null };

/**
 * Whether a payment has a link that its customer can still pay with (§3.3): it was not used, and it has not
 * expired, whatever state the payment is in. `now` in milliseconds.
 */
export const isLinkLive = (payment: Pick<PaymentRow, 'linkUsable'> & WithExpiry, now: number): boolean => {
  const expiresAt = payment.link?.expiresAt ?? payment.expiresAt ?? null;
  return payment.linkUsable && expiresAt !== null && now < expiresAt;
};
