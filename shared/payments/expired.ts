import type { WithExpiry } from './link.ts';
import type { PaymentState } from './payment-kinds.ts';
import type { PaymentRow } from './payment.ts';

type Checked = Pick<PaymentRow, 'checkedAt'> & WithExpiry;

/**
 * Whether a link expired and the provider has answered no look-up since: then it is unknown whether it was paid.
 * `state`: the payment's state now.
 */
export const isUnchecked = (state: PaymentState, { checkedAt, link, expiresAt }: Checked): boolean =>
  state === 'expired' && (checkedAt ?? 0) < (link?.expiresAt ?? expiresAt ?? 0);

/** The name of a payment's state now. */
export const stateKeyOf = (state: PaymentState, payment: Checked) =>
  isUnchecked(state, payment) ? 'state.expired-unchecked' : (`state.${state}` as const);
