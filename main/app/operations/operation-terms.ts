import type { RequestParsed } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg, type Message } from '../../../shared/messages/message.ts';
import { amountRuleFor } from '../../../shared/money/amount-rules.ts';
import {
  hasAmount,
  movesMoney,
  operationTable,
  type OperationKind,
  type OperationRow,
} from '../../../shared/operations/operation-kinds.ts';
import {
  limitProblem,
  mostOf,
  readOperationAmount,
  type PersonLimits,
} from '../../../shared/operations/rules.ts';
import { balanceOf, isBookedMovement, isOpenMovement } from '../../../shared/payments/balance.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import type { OperationRequest } from '../../gateway/operation.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { findPayment } from '../payments/payment-detail.ts';
import type { Shown } from './operation-intents.ts';
import { underWay } from './run-operation.ts';
import { openCharges, readFirstPayment } from './series.ts';
import { dayAt, startOf } from '../../../shared/days.ts';
import { readAmountLimits } from '../../../shared/money/amount-limits.ts';
import { exactAmount, readWire, wireOf } from '../../../shared/money/wire-amount.ts';
import type { EventOf } from '../../../shared/payments/evidence.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { openMoney } from '../../../shared/payments/open-money.ts';

/**
 * Why an operation cannot be sent for a payment now, from the evidence alone. No request is made here. What is on its way
 * is no reason: `openMoney` lists it first, and a decision sends nevertheless.
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

/**
 * What of an order went back or may be on its way, by movement. One of ours without a request is the result of one of
 * several open requests, which are here too.
 */
export const returnsIn = ({ movements }: Pick<Payment, 'movements'>): string[] =>
  movements
    .filter(one => one.kind !== 'paid' && (isBookedMovement(one) || isOpenMovement(one)))
    .filter(({ origin, intent }) => origin !== 'here' || intent !== null)
    .map(({ id }) => id);

/** The other payments of the order that have money left, by payment id; instalments of a series belong together. */
export const paidBeside = (payment: Payment, paymentId: string): string[] => {
  const own = payment.attempts.filter(one => !one.instalment);
  if (!own.some(one => one.paymentId === paymentId)) return [];
  return own
    .map(one => one.paymentId)
    .filter(id => {
      const { paid, remaining } = balanceOf(payment, id);
      return id !== paymentId && paid !== null && exactAmount(remaining) !== 0n;
    });
};

/** Limits of one person in one currency, minor units; null = none. */
type Limits = { perOperation: bigint | null; leftToday: bigint | null; secondPersonFrom: bigint | null };

/** An operation that a person is sending; it counts before it is recorded. `minor`: null if that is not known. */
export type Spending = {
  intent: string;
  account: string;
  agentId: string;
  currency: string;
  minor: bigint | null;
};

/** Whose limits, and where: an account has the operations of several profiles. */
export type Spender = { profile: Profile; account: string; profileIds: readonly string[]; agentId: string };

/** All money of a payment id, which a cancellation or a retry moves; wire form, null if unknown. */
export const wholeOf = (payment: Payment, paymentId: string): string | null =>
  balanceOf(payment, paymentId).paid ?? payment.amount;

/** The money that a requested operation moves, minor units; 0 if it failed, null if that is not known. */
const movedBy = async (
  log: Pick<PaymentLog, 'payment'>,
  { profileId, orderNumber, paymentId, body }: EventOf<'operation.requested'>,
): Promise<bigint | null> => {
  const payment = orderNumber === null ? null : await log.payment(profileId, orderNumber);
  if (payment?.operations.some(one => one.intent === body.intent && one.state === 'failed')) return 0n;
  if (!movesMoney({ kind: body.operation })) return 0n;
  const amount = body.amount ?? (payment && wholeOf(payment, paymentId ?? ''));
  return readWire(amount ?? '', body.currency);
};

/**
 * The limits of a person in one currency now. What they requested today counts unless it was refused or failed, and so
 * do `earlier`, which is being sent, and what they sent at other installations (`elsewhere`, minor units). The day is the
 * merchant's; `now`: milliseconds. What is not known leaves nothing, and a limit that cannot be read allows nothing.
 */
export const limitsOf = async (
  log: Pick<PaymentLog, 'operationsSince' | 'payment'>,
  { profile, account, profileIds, agentId }: Spender,
  currency: string,
  now: number,
  earlier: readonly Spending[],
  elsewhere: (since: number) => Promise<Result<bigint | null>>,
): Promise<Result<Limits>> => {
  const { perOperation, perDay, secondPersonFrom } = profile.operations.limits;
  const limitIn = (text: string): bigint | null => {
    const limits = readAmountLimits(text);
    return limits === null ? 0n : (limits.get(currency) ?? null);
  };
  const daily = limitIn(perDay);
  let leftToday: bigint | null = null;
  if (daily !== null) {
    const zone = profile.timeZone === '' ? undefined : profile.timeZone;
    const since = startOf(dayAt(now, zone), zone);
    const others = await elsewhere(since);
    if (!others.ok) return others;
    const spent = [others.value];
    const counted = new Set<string>();
    for (const event of await log.operationsSince(since)) {
      const { body } = event;
      if (!profileIds.includes(event.profileId) || body.agentId !== agentId || body.currency !== currency)
        continue;
      counted.add(body.intent);
      spent.push(await movedBy(log, event));
    }
    for (const one of earlier)
      if (
        one.account === account &&
        one.agentId === agentId &&
        one.currency === currency &&
        !counted.has(one.intent)
      )
        spent.push(one.minor);
    const used = spent.reduce((sum, minor) => (sum === null || minor === null ? null : sum + minor), 0n);
    leftToday = used !== null && daily > used ? daily - used : 0n;
  }
  return ok({
    perOperation: limitIn(perOperation),
    leftToday,
    secondPersonFrom: limitIn(secondPersonFrom),
  });
};

/** Limits in wire form, for the window. */
export const limitsInWords = (limits: Limits, currency: string): PersonLimits => {
  const wire = (minor: bigint | null): string | null => (minor === null ? null : wireOf(minor, currency));
  return {
    perOperation: wire(limits.perOperation),
    leftToday: wire(limits.leftToday),
    secondPersonFrom: wire(limits.secondPersonFrom),
  };
};

/** Whether an amount (wire form) is within the limits. Error: `operation.limit` with the field `amount`. */
export const withinLimits = (moved: string, currency: string, limits: Limits): Result<undefined> => {
  const message = limitProblem(moved, limitsInWords(limits, currency), wire => `${currency} ${wire}`);
  return message === null
    ? ok(undefined)
    : fail('operation.limit', message, {
        hint: msg('operation.limit.hint'),
        fields: [{ path: 'amount', message }],
      });
};

type Form = Pick<
  RequestParsed<'operations.send'>,
  'orderNumber' | 'paymentId' | 'operation' | 'amount' | 'charge' | 'seen'
>;

/** What a form sends, by the evidence. */
type Terms = {
  request: OperationRequest;
  currency: string;
  /** Wire form; null if the request has none. */
  amount: string | null;
  /** The money that it moves, wire form. */
  moved: string;
  /** The operations of which evidence is here. */
  known: readonly string[];
};

export const refused = (message: Message): ReturnType<typeof fail> =>
  fail('operation.refused', message, { hint: msg('operation.refused.hint') });

type FirstPayment = Awaited<ReturnType<typeof readFirstPayment>>;

/** Why a stored card cannot be charged; null if it can. */
export const chargeRefusal = ({ order, token }: FirstPayment, orderNumber: string): Message | null =>
  order !== orderNumber ? msg('charge.no-first-payment') : token === null ? msg('charge.no-token') : null;

const isUnseen = (open: readonly { id: string }[], seen: readonly string[]): boolean =>
  open.some(({ id }) => !seen.includes(id));

const chargeTerms = async (
  log: PaymentLog,
  profile: Profile,
  { orderNumber, paymentId, amount: typed, charge, seen }: Form,
): Promise<Result<Terms>> => {
  const first = await readFirstPayment(log, profile.id, paymentId);
  const refusal = chargeRefusal(first, orderNumber);
  if (refusal !== null) return refused(refusal);
  const payment = await findPayment(log, profile.id, orderNumber);
  if (!payment.ok) return payment;
  const { currency, customer } = payment.value;
  if (currency === null || first.token === null) return refused(msg('operation.no.amount-unknown'));
  const { orderNumber: number = '', description = '' } = charge ?? {};
  if ((await log.payment(profile.id, number)) !== null) {
    const message = msg('charge.order.taken');
    return fail('input.invalid', message, { fields: [{ path: 'orderNumber', message }] });
  }
  const amount = readOperationAmount('recurring', typed, {
    currency,
    whole: null,
    most: null,
    payment: null,
    rule: amountRuleFor(profile, currency),
    money: wire => `${currency} ${wire}`,
  });
  if (!amount.ok) return amount;
  const { open, known } = await openCharges(log, profile, paymentId);
  if (isUnseen(open, seen)) return underWay();
  return ok({
    request: {
      operation: 'recurring',
      firstPaymentId: paymentId,
      token: first.token,
      order: { number, amount: amount.value, currency, description },
      customer,
    },
    currency,
    amount: amount.value,
    moved: amount.value,
    known,
  });
};

/**
 * What a form sends, by the evidence as it is now (`now`: milliseconds); a refusal of the guards, or while something has
 * no result that the person did not see.
 */
export const readTerms = async (
  log: PaymentLog,
  profile: Profile,
  form: Form,
  shown: Shown,
  now: number,
): Promise<Result<Terms>> => {
  const { orderNumber, paymentId, operation, amount: typed, seen } = form;
  if (hasAmount(operation, 'order')) return chargeTerms(log, profile, form);
  const found = await findPayment(log, profile.id, orderNumber);
  if (!found.ok) return found;
  const payment = found.value;
  // First: what has no result may be the reason why nothing is left.
  if (isUnseen(openMoney(payment), seen)) return underWay();
  const reason = operationRefusal(operation, { payment, paymentId, profile, now });
  if (reason !== null) return refused(reason);
  const { currency } = payment;
  const { whole, most } = mostOf(operation, balanceOf(payment, paymentId), payment.amount);
  if (currency === null) return refused(msg('operation.no.amount-unknown'));
  const known = payment.operations.map(({ intent }) => intent);
  // All of it: what the person saw, not what is left by now.
  if (typed && 'whole' in typed && whole !== shown.most) return refused(msg('operation.amount.changed'));
  // Perhaps what this form is about: by another person, at the dashboard, or of the other payment of the order.
  if (returnsIn(payment).some(id => !shown.returns.includes(id)))
    return refused(msg('operation.money-moved'));
  const amount = readOperationAmount(operation, typed, {
    currency,
    whole,
    most,
    payment: wholeOf(payment, paymentId),
    rule: null,
    money: wire => `${currency} ${wire}`,
  });
  if (!amount.ok) return amount;
  const { value } = amount;
  if (hasAmount(operation, 'none')) {
    const moved = movesMoney({ kind: operation }) ? value : '0';
    return ok({ request: { operation, paymentId }, currency, amount: null, moved, known });
  }
  return ok({
    request: { operation, paymentId, amount: value },
    currency,
    amount: value,
    moved: value,
    known,
  });
};
