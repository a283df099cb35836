import type { EventDraft } from '../../shared/payments/evidence.ts';
import type { ReconciliationCause } from '../../shared/reports/reconcile.ts';
import {
  accepted,
  callback,
  draft,
  hour,
  idempotencyKey,
  lookUp,
  order,
  otherPayer,
  invalid,
  requested,
  start,
} from './evidence.ts';

import { operationAnswered, operationCallback, operationRequested } from './operation-evidence.ts';

/** Payments with missing or conflicting information. */

export const minute = 60_000;
export const raised = [requested(), accepted()];
export const paid = callback(minute, 'sale', 'success');
export const settled = lookUp(2 * minute, 'settled');
const other = (amount: string) => ({ order: { ...order, amount } });

/** A payment that a status check alone reports as paid. */
export const paidWithoutCallback: EventDraft[] = [...raised, settled];

/** For each cause a payment with it as its gravest; no further event for three hours. */
export const attemptHistories: Record<ReconciliationCause, EventDraft[]> = {
  'changed-between-deliveries': [
    ...raised,
    paid,
    callback(2 * minute, 'sale', 'success', { card: '555555****4444' }),
    settled,
  ],
  'sources-disagree': [...raised, paid, lookUp(2 * minute, 'decline')],
  'source-took-back': [...raised, paid, settled, lookUp(3 * minute, 'pending')],
  'record-differs': [
    ...raised,
    callback(minute, 'sale', 'success', { order_amount: '12.34' }),
    lookUp(2 * minute, 'settled', other('12.34')),
  ],
  'settled-twice': [
    ...raised,
    paid,
    settled,
    callback(3 * minute, 'sale', 'success', { id: otherPayer, rrn: '2' }),
    lookUp(4 * minute, 'settled', { paymentId: otherPayer }),
  ],
  'operation-unknown': [...raised, paid, settled, operationRequested(5 * minute)],
  'refunds-differ': [
    ...raised,
    paid,
    settled,
    operationRequested(5 * minute, { amount: '10.00' }),
    operationAnswered(6 * minute),
    operationCallback(7 * minute, 'refund', 'success'),
    lookUp(8 * minute, 'refund'),
  ],
  'returned-twice': [
    ...raised,
    paid,
    settled,
    callback(5 * minute, 'refund', 'success', { order_status: 'refund' }),
    callback(6 * minute, 'chargeback', 'success'),
  ],
  'operation-overdue': [...raised, paid, settled, callback(5 * minute, 'refund', 'waiting')],
  'paid-after-withdrawal': [
    ...raised,
    draft('link.withdrawn', 30_000, { idempotencyKey, reason: 'replaced', text: '' }),
    paid,
    settled,
  ],
  chargeback: [...raised, paid, settled, callback(5 * minute, 'chargeback', 'success')],
  'returned-without-callback': [...raised, paid, settled, lookUp(5 * minute, 'refund')],
  'order-status-disagrees': [...raised, callback(minute, 'sale', 'success', { order_status: 'pending' })],
  'contradicts-interface': [...raised, callback(minute, '3ds', 'fail')],
  'outside-interface': [...raised, callback(minute, 'transfer', 'success')],
  'unverified-callback': [...raised, callback(minute, 'sale', 'success', {}, invalid)],
  'outcome-unknown': [requested()],
  'paid-without-look-up': [...raised, paid],
  'refund-amount-unknown': [...raised, paid, settled, callback(5 * minute, 'refund', 'success')],
  'no-outcome-yet': [...raised, callback(minute, 'sale', 'waiting')],
  'expired-without-outcome': raised,
  'refund-seen': [
    ...raised,
    paid,
    settled,
    callback(5 * minute, 'refund', 'success'),
    lookUp(6 * minute, 'refund'),
  ],
};

const threeHoursAgo = Date.now() - 3 * hour;

/** The events of one order as another order's, from another moment on (milliseconds since 1970). */
export const moved = (
  drafts: readonly EventDraft[],
  profileId: string,
  orderNumber: string,
  from = threeHoursAgo,
): EventDraft[] => {
  const shift = from - start;
  const ids = new Map(drafts.map(({ id }) => [id, crypto.randomUUID()]));
  const bodyOf = (one: EventDraft): EventDraft['body'] => {
    if (one.kind === 'session.accepted') {
      const { issuedAt, expiresAt } = one.body;
      return { ...one.body, issuedAt: issuedAt + shift, expiresAt: expiresAt + shift };
    }
    if (one.kind === 'callback.reverified')
      return { ...one.body, callback: ids.get(one.body.callback) ?? one.body.callback };
    if (one.kind !== 'status.observed') return one.body;
    const answers = one.body.answers.map(answer => ({
      ...answer,
      order: { ...answer.order, number: orderNumber },
    }));
    return { ...one.body, answers };
  };
  return drafts.map(
    one =>
      ({
        ...one,
        id: ids.get(one.id),
        dedupeKey: one.dedupeKey === null ? null : `${one.dedupeKey} ${orderNumber}`,
        happenedAt: one.happenedAt + shift,
        profileId,
        orderNumber,
        body: bodyOf(one),
      }) as EventDraft,
  );
};
