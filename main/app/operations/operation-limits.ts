import { dayAt, startOf } from '../../../shared/days.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { readAmountLimits } from '../../../shared/money/amount-limits.ts';
import { readWire, wireOf } from '../../../shared/money/wire-amount.ts';
import { operationTable } from '../../../shared/operations/operation-kinds.ts';
import { balanceOf } from '../../../shared/payments/balance.ts';
import type { EventOf } from '../../../shared/payments/evidence.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';

/** Limits of one person in one currency, minor units; null = none. */
type Limits = { perOperation: bigint | null; leftToday: bigint | null; secondPersonFrom: bigint | null };

type Log = Pick<PaymentLog, 'operationsSince' | 'payment'>;

/** An operation that a person is sending: its amount (wire form) counts before it is recorded. */
export type Spending = { intent: string; profileId: string; agent: string; currency: string; amount: string };

/** All money of a payment id, which a cancellation or a retry moves; wire form, null if unknown. */
export const wholeOf = (payment: Payment, paymentId: string): string | null =>
  balanceOf(payment, paymentId).paid ?? payment.amount;

/** The money that a requested operation moves, wire form; empty if it moves none or that is unknown. */
const movedBy = async (
  log: Log,
  { profileId, orderNumber, paymentId, body }: EventOf<'operation.requested'>,
): Promise<string> => {
  const payment = orderNumber === null ? null : await log.payment(profileId, orderNumber);
  const hasFailed = payment?.operations.some(one => one.intent === body.intent && one.state === 'failed');
  if (hasFailed || !operationTable[body.operation].movesMoney) return '';
  return body.amount ?? (payment && wholeOf(payment, paymentId ?? '')) ?? '';
};

/**
 * The limits of a person in one currency now. What they requested today counts unless it was refused or failed, and so
 * does `earlier`, which is being sent; the day is the merchant's. `now`: milliseconds.
 */
export const limitsOf = async (
  log: Log,
  profile: Profile,
  agent: string,
  currency: string,
  now: number,
  earlier: readonly Spending[] = [],
): Promise<Limits> => {
  const { perOperation, perDay, secondPersonFrom } = profile.operations.limits;
  const limitIn = (text: string): bigint | null => readAmountLimits(text)?.get(currency) ?? null;
  const daily = limitIn(perDay);
  let leftToday: bigint | null = null;
  if (daily !== null) {
    const zone = profile.timeZone === '' ? undefined : profile.timeZone;
    const today = await log.operationsSince(startOf(dayAt(now, zone), zone));
    const isCounted = (one: { profileId: string; agent: string | null }, spentIn: string): boolean =>
      one.profileId === profile.id && one.agent === agent && spentIn === currency;
    const spent = new Map<string, string>();
    for (const one of earlier) if (isCounted(one, one.currency)) spent.set(one.intent, one.amount);
    for (const event of today)
      if (isCounted(event, event.body.currency)) spent.set(event.body.intent, await movedBy(log, event));
    const used = [...spent.values()].reduce((sum, amount) => sum + (readWire(amount, currency) ?? 0n), 0n);
    leftToday = daily > used ? daily - used : 0n;
  }
  return { perOperation: limitIn(perOperation), leftToday, secondPersonFrom: limitIn(secondPersonFrom) };
};

/** Limits in wire form, for the window. */
export const limitsInWords = (limits: Limits, currency: string) => {
  const wire = (minor: bigint | null): string | null => (minor === null ? null : wireOf(minor, currency));
  return {
    perOperation: wire(limits.perOperation),
    leftToday: wire(limits.leftToday),
    secondPersonFrom: wire(limits.secondPersonFrom),
  };
};

/** Whether an amount (wire form) is within the limits. Error: `operation.limit` with the field `amount`. */
export const withinLimits = (
  amount: string,
  currency: string,
  { perOperation, leftToday }: Limits,
): Result<undefined> => {
  const minor = readWire(amount, currency) ?? 0n;
  const refused = (key: 'operation.limit.one' | 'operation.limit.day', limit: bigint) => {
    const message = msg(key, { limit: `${currency} ${wireOf(limit, currency)}` });
    return fail('operation.limit', message, {
      hint: msg('operation.limit.hint'),
      fields: [{ path: 'amount', message }],
    });
  };
  if (perOperation !== null && minor > perOperation) return refused('operation.limit.one', perOperation);
  if (leftToday !== null && minor > leftToday) return refused('operation.limit.day', leftToday);
  return ok(undefined);
};

/** Whether a second person has to confirm this amount (wire form). */
export const needsSecondPerson = (amount: string, currency: string, { secondPersonFrom }: Limits): boolean =>
  secondPersonFrom !== null && (readWire(amount, currency) ?? 0n) >= secondPersonFrom;
