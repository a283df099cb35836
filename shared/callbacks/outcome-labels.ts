import type { MessageKey } from '../messages/message.ts';
import { paymentStatuses } from '../payments/payment-statuses.ts';
import { claimOf } from './callback-meaning.ts';

/** The result that a callback reports, in words (§3.2). Null: a type or status outside the interface. */
export const callbackOutcome = (type: string, status: string): MessageKey | null => {
  const claim = claimOf(type, status);
  return claim === 'uncertain' ? null : `reported.claim.${claim}`;
};

/** The result that a look-up reports, in words (§3.1; `void`: field notes). Null: another status. */
export const statusOutcome = (status: string): MessageKey | null => {
  const known = [...paymentStatuses, 'void' as const].find(one => one === status);
  return known === undefined ? null : `reported.status.${known}`;
};
