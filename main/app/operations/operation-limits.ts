import { dayAt, startOf } from '../../../shared/days.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { readAmountLimits } from '../../../shared/money/amount-limits.ts';
import { readWire, wireOf } from '../../../shared/money/wire-amount.ts';
import { operationTable } from '../../../shared/operations/operation-kinds.ts';
import { limitProblem, type PersonLimits } from '../../../shared/operations/rules.ts';
import { balanceOf } from '../../../shared/payments/balance.ts';
import type { EventOf } from '../../../shared/payments/evidence.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';

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
  if (!operationTable[body.operation].movesMoney) return 0n;
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
