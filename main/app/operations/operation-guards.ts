import type { OpenOperation } from '../../../shared/contract/contract.ts';
import { dayAt, startOf } from '../../../shared/days.ts';
import { msg, type Message } from '../../../shared/messages/message.ts';
import { exactAmount } from '../../../shared/money/wire-amount.ts';
import {
  operationTable,
  type OperationKind,
  type OperationRow,
} from '../../../shared/operations/operation-kinds.ts';
import { mostOf } from '../../../shared/operations/rules.ts';
import { balanceOf, isBookedMovement } from '../../../shared/payments/balance.ts';
import { openMoney } from '../../../shared/payments/open-money.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import type { Profile } from '../../../shared/settings/profile.ts';

/**
 * Why an operation cannot be sent for a payment now, from the evidence alone. No request is made here. What is on its way
 * is no reason: `openOf` lists it first, and a decision sends nevertheless.
 */

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

/** Whether money is held for this payment and not taken: by its evidence, or begun, not paid, not declined. */
const isHeld = (target: Target): boolean => {
  const outcome = attemptOf(target)?.outcome;
  return outcome === 'held' || (outcome === 'in-progress' && target.payment.state === 'processing');
};

/** When a held amount lapses by the profile's setting, milliseconds; null if that is not known or nothing is held. */
export const holdUntil = (target: Target): number | null => {
  const { holdDays } = target.profile.operations;
  const attempt = attemptOf(target);
  return holdDays > 0 && attempt && isHeld(target) ? attempt.firstAt + holdDays * dayMs : null;
};

/** The money of this payment that is in the books, the payment itself included. */
const bookedOf = ({ payment, paymentId }: Target) =>
  payment.movements.filter(one => one.paymentId === paymentId && isBookedMovement(one));

const refundRefusal = (target: Target): Message | null => {
  const attempt = attemptOf(target);
  if (attempt?.outcome === 'chargeback') return msg('operation.no.disputed');
  const booked = bookedOf(target);
  const isPaid = booked.some(({ kind }) => kind === 'paid');
  if (!attempt || !isPaid) return msg(booked.length > 0 ? 'operation.no.cancelled' : 'operation.no.not-paid');
  if (booked.some(({ fate }) => fate === 'contradicted')) return msg('operation.no.contradicted');
  const { most } = mostOf('refund', balanceOf(target.payment, target.paymentId), null);
  if (most === null) return msg('operation.no.amount-unknown');
  return exactAmount(most) === 0n ? msg('operation.no.nothing-left') : null;
};

const voidRefusal = (target: Target): Message | null => {
  const { voidAllowed } = target.profile.operations;
  if (isHeld(target)) return voidAllowed === 'same-day' ? msg('operation.no.only-settled') : null;
  if (attemptOf(target)?.outcome !== 'paid') {
    const refusal = refundRefusal(target);
    const isReturned = bookedOf(target).some(({ kind }) => kind !== 'paid');
    return refusal ?? (isReturned ? msg('operation.no.part-refunded') : msg('operation.no.not-paid'));
  }
  if (voidAllowed === 'authorised') return msg('operation.no.only-held');
  const until = voidUntil(target);
  return until !== null && target.now < until ? null : msg('operation.no.day-over');
};

const refusals: Readonly<Record<OperationRow['needs'], (target: Target) => Message | null>> = {
  left: refundRefusal,
  cancellable: voidRefusal,
  held: target => (isHeld(target) ? null : msg('operation.no.not-held')),
  'declined-charge': target =>
    target.payment.series !== null && attemptOf(target)?.outcome === 'declined'
      ? null
      : msg('operation.no.not-declined-charge'),
  series: () => null,
};

/** Why this operation cannot be sent for this payment now; null if it can. */
export const operationRefusal = (kind: OperationKind, target: Target): Message | null =>
  refusals[operationTable[kind].needs](target);

/** What has no result yet for this payment by its evidence, requested here or elsewhere. */
export const openOf = (payment: Payment, paymentId: string): OpenOperation[] =>
  openMoney(payment).filter(one => one.paymentId === paymentId);
