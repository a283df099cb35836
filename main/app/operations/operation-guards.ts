import type { OpenOperation } from '../../../shared/contract/contract.ts';
import { dayAt, startOf } from '../../../shared/days.ts';
import { msg, type Message } from '../../../shared/messages/message.ts';
import { exactAmount } from '../../../shared/money/wire-amount.ts';
import { isOperationOpen, type OperationKind } from '../../../shared/operations/operation-kinds.ts';
import { balanceOf } from '../../../shared/payments/balance.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import type { Profile } from '../../../shared/settings/profile.ts';

/** Why an operation cannot be sent for a payment now, from the evidence alone. No request is made here. */

const dayMs = 86_400_000;

/** The payment of one payment id of an order. */
type Target = { payment: Payment; paymentId: string; profile: Profile; now: number };

const attemptOf = ({ payment, paymentId }: Target) =>
  payment.attempts.find(attempt => attempt.paymentId === paymentId);

/**
 * Until when a payment can be cancelled: the end of the gateway's day on which it was paid, milliseconds; null if it was
 * not paid. The interface does not show the day's end or zone: it is read in the profile's gateway zone (assumption).
 */
export const voidUntil = ({ payment, paymentId, profile }: Omit<Target, 'now'>): number | null => {
  const paid = payment.movements.find(one => one.paymentId === paymentId && one.kind === 'paid');
  if (!paid) return null;
  return startOf(dayAt(paid.at, profile.gatewayZone).add({ days: 1 }), profile.gatewayZone);
};

/** Whether money is held for this payment and not taken: begun, not paid, not declined. */
const isHeld = (target: Target): boolean =>
  attemptOf(target)?.outcome === 'in-progress' && target.payment.state === 'processing';

/** When a held amount lapses by the profile's setting, milliseconds; null if that is not known or nothing is held. */
export const holdUntil = (target: Target): number | null => {
  const { holdDays } = target.profile.operations;
  const attempt = attemptOf(target);
  return holdDays > 0 && attempt && isHeld(target) ? attempt.firstAt + holdDays * dayMs : null;
};

const refundRefusal = (target: Target): Message | null => {
  const attempt = attemptOf(target);
  const outcomes: readonly unknown[] = ['paid', 'part-refunded', 'refund-seen'];
  if (!attempt || !outcomes.includes(attempt.outcome)) return msg('operation.no.not-paid');
  const { remaining } = balanceOf(target.payment, target.paymentId);
  if (remaining === null) return msg('operation.no.amount-unknown');
  return exactAmount(remaining) === 0n ? msg('operation.no.nothing-left') : null;
};

const voidRefusal = (target: Target): Message | null => {
  const { voidAllowed } = target.profile.operations;
  if (isHeld(target)) return voidAllowed === 'same-day' ? msg('operation.no.only-settled') : null;
  if (attemptOf(target)?.outcome !== 'paid') {
    const isReturned = target.payment.movements.some(
      one => one.paymentId === target.paymentId && one.kind !== 'paid',
    );
    return isReturned ? msg('operation.no.part-refunded') : msg('operation.no.not-paid');
  }
  if (voidAllowed === 'authorised') return msg('operation.no.only-held');
  const until = voidUntil(target);
  return until !== null && target.now < until ? null : msg('operation.no.day-over');
};

const refusals: Readonly<Record<OperationKind, (target: Target) => Message | null>> = {
  refund: refundRefusal,
  void: voidRefusal,
  capture: target => (isHeld(target) ? null : msg('operation.no.not-held')),
  retry: target =>
    target.payment.series !== null && attemptOf(target)?.outcome === 'declined'
      ? null
      : msg('operation.no.not-declined-charge'),
  recurring: () => null,
};

/** Why this operation cannot be sent for this payment now; null if it can. */
export const operationRefusal = (kind: OperationKind, target: Target): Message | null =>
  refusals[kind](target);

/** What has no result yet for this payment, requested here or not. */
export const openOf = (payment: Payment, paymentId: string): OpenOperation[] =>
  payment.operations
    .filter(one => one.paymentId === paymentId && isOperationOpen(one))
    .map(({ intent, kind, amount, agent, at, state }) => ({ id: intent, kind, amount, agent, at, state }));

/** The statuses of a fresh look-up under which an operation may be sent (§3.1; `pending` is held by assumption). */
export const expectedStatuses: Readonly<Record<OperationKind, readonly string[]>> = {
  refund: ['settled'],
  void: ['settled', 'pending'],
  capture: ['pending'],
  retry: ['decline'],
  recurring: ['settled', 'refund'],
};
