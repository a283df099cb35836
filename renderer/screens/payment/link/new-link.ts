import { isUnchecked } from '../../../../shared/payments/expired.ts';
import type { Event } from '../../../../shared/payments/evidence.ts';
import type { FlagKind, Payment, PaymentState } from '../../../../shared/payments/payment.ts';

/** States in which the first link may still be paid: a second one requires a confirmation. */
const mayStillBePaid: readonly PaymentState[] = ['waiting', 'started', 'bank-check', 'outcome-unknown'];
/** States in which the last link can no longer be paid; after an expiry the provider has to confirm that it was not. */
const isOver: readonly PaymentState[] = ['refused', 'expired', 'declined', 'voided', 'reversed'];
/** Contradictions about whether money came in: the gateway has to explain them before another link. */
const contradictions: readonly FlagKind[] = ['sources-disagree', 'source-took-back'];

/**
 * Whether a new link for the same order is offered: `no` where the customer might pay twice, `ask` where a
 * confirmation is required. If the result is unknown, a look-up comes first. A new link is offered only after it, and
 * only while the missing answer to our own request is the only evidence of the order. After a contradiction about the
 * money no new link is offered, even if the gateway reports the first status again.
 */
export const newLinkOffer = (
  payment: Payment,
  state: PaymentState,
  events: readonly Event[],
): 'no' | 'ask' | 'yes' => {
  if (payment.flags.some(({ kind }) => contradictions.includes(kind))) return 'no';
  if (isOver.includes(state)) return isUnchecked(state, payment) ? 'ask' : 'yes';
  if (!mayStillBePaid.includes(state)) return 'no';
  if (state !== 'outcome-unknown') return 'ask';
  const wasLookedUp = events.some(
    ({ kind, happenedAt }) => kind === 'status.observed' && happenedAt >= payment.since,
  );
  return payment.basis?.kind === 'silence' && wasLookedUp ? 'ask' : 'no';
};
