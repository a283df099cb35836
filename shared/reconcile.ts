import type { FlagKind, PaymentRow } from './payment.ts';
import { stateAt } from './payment.ts';

/** Why a payment's story is incomplete or contradictory, gravest first. */
export const reconciliationCauses = [
  'changed-between-deliveries',
  'sources-disagree',
  'record-differs',
  'settled-twice',
  'chargeback',
  'outcome-unknown',
  'paid-without-look-up',
  'paid-without-callback',
  'no-outcome-yet',
  'expired-without-outcome',
  'refund-seen',
] as const;
export type ReconciliationCause = (typeof reconciliationCauses)[number];

/** What the person should do about it; the catalogue has a sentence for each. */
export type ReconciliationAction = 'hand-to-finance' | 'do-not-ship' | 'look-up' | 'new-link' | 'note-it';

export type ReconciliationRow = {
  profileId: string;
  orderNumber: string;
  cause: ReconciliationCause;
  action: ReconciliationAction;
};

const actions: Record<ReconciliationCause, ReconciliationAction> = {
  'changed-between-deliveries': 'do-not-ship',
  'sources-disagree': 'do-not-ship',
  'record-differs': 'do-not-ship',
  'settled-twice': 'hand-to-finance',
  chargeback: 'hand-to-finance',
  'outcome-unknown': 'look-up',
  'paid-without-look-up': 'look-up',
  'paid-without-callback': 'look-up',
  'no-outcome-yet': 'look-up',
  'expired-without-outcome': 'new-link',
  'refund-seen': 'note-it',
};

/** How long an open payment may stay silent before someone should ask, in milliseconds. */
const patience = 40 * 60 * 1000;

/**
 * Everything about one payment that a supervisor should look at, with the next action.
 * `now` in milliseconds. An empty answer means the story is complete and the sources agree.
 */
export const reconcile = (payment: PaymentRow, now: number): ReconciliationRow[] => {
  const flagged = new Set<FlagKind>(payment.flags.map(flag => flag.kind));
  const state = stateAt(payment, now);
  const silent = now - payment.lastAt >= patience;
  const holds: Record<ReconciliationCause, boolean> = {
    'changed-between-deliveries': flagged.has('changed-between-deliveries'),
    'sources-disagree': flagged.has('sources-disagree'),
    'record-differs': flagged.has('amount-differs') || flagged.has('currency-differs'),
    'settled-twice': flagged.has('settled-twice'),
    chargeback: state === 'chargeback',
    'outcome-unknown': state === 'outcome-unknown',
    'paid-without-look-up': state === 'paid-unconfirmed' && payment.restsOn?.kind === 'callback',
    'paid-without-callback': state === 'paid-unconfirmed' && payment.restsOn?.kind === 'look-up',
    'no-outcome-yet': silent && (state === 'started' || state === 'bank-check' || state === 'processing'),
    'expired-without-outcome': state === 'expired',
    'refund-seen': state === 'refunded' || state === 'part-refunded',
  };
  const { profileId, orderNumber } = payment;
  return reconciliationCauses
    .filter(cause => holds[cause])
    .map(cause => ({ profileId, orderNumber, cause, action: actions[cause] }));
};
