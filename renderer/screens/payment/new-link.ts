import type { Event } from '../../../shared/payments/evidence.ts';
import type { Payment, PaymentState } from '../../../shared/payments/payment.ts';

/** States in which the first link may still be paid: the console asks before it makes another. */
const mayStillBePaid: readonly PaymentState[] = ['waiting', 'started', 'bank-check', 'outcome-unknown'];
/** States in which nothing more comes of the last link. */
const isOver: readonly PaymentState[] = ['refused', 'expired', 'declined', 'voided', 'reversed'];

/**
 * Whether a new link for the same order is offered: `no` where the customer might pay twice, `ask` where that has to
 * be asked first. Where nobody knows the result a look-up comes first; a new link is offered only after one, and only
 * while nothing but the missing answer to our own request speaks of the order.
 */
export const newLinkOffer = (
  payment: Payment,
  state: PaymentState,
  events: readonly Event[],
): 'no' | 'ask' | 'yes' => {
  if (isOver.includes(state)) return 'yes';
  if (!mayStillBePaid.includes(state)) return 'no';
  if (state !== 'outcome-unknown') return 'ask';
  const wasLookedUp = events.some(
    ({ kind, happenedAt }) => kind === 'status.observed' && happenedAt >= payment.since,
  );
  return payment.basis?.kind === 'silence' && wasLookedUp ? 'ask' : 'no';
};
