import { amountWithout, exactAmount } from '../money/wire-amount.ts';
import { convertedStates } from '../payments/outcomes.ts';
import type { Movement } from '../payments/movement.ts';
import type { Attempt, PaymentState } from '../payments/payment.ts';
import { valueOf, type Receipt } from './reduce-callbacks.ts';
import { refundedBy } from './reduce-refunds.ts';

/**
 * The money of one payment id that came in and went back. `paidAt`: the first evidence of it; `wasTaken`: the money was
 * not only held, so a void or reversal is a counter-entry; `paid`: the paid wire amount, null if unknown; `refunds`:
 * the successful ones, oldest first; `ours`: the amounts of those requested here, by event; `returnedAt`: when a
 * look-up first said that all of it was refunded; `cancelledAt`, `disputedAt`: the first evidence of a void or
 * reversal, and of a chargeback; `since`: when `state` began; `disputed`: the callback of a chargeback. A chargeback
 * takes back what is left, unless its callback names another amount than the payment's: then it may be over a part, and
 * its size is unknown. Later evidence moves no entry to another date.
 */
export const movementsOf = ({
  attempt,
  state,
  since,
  paidAt,
  wasTaken,
  paid,
  refunds,
  ours,
  returnedAt,
  cancelledAt,
  disputedAt,
  disputed,
}: {
  attempt: Attempt;
  state: PaymentState;
  since: number;
  paidAt: number | null;
  wasTaken: boolean;
  paid: string | null;
  refunds: readonly Receipt[];
  ours: ReadonlyMap<string, string>;
  returnedAt: number | null;
  cancelledAt: number | null;
  disputedAt: number | null;
  disputed: Receipt | null;
}): Movement[] => {
  const isCancelled = wasTaken && (state === 'voided' || state === 'reversed');
  if (paidAt === null || !(isCancelled || convertedStates.includes(state))) return [];
  const one = (
    kind: Movement['kind'],
    at: number,
    amount: string | null,
    by: Receipt | null = null,
  ): Movement => ({
    kind,
    at,
    amount,
    paymentId: attempt.paymentId,
    rrn: (by && valueOf(by.fields, 'rrn')) ?? attempt.rrn,
    approvalCode: (by && valueOf(by.fields, 'approval_code')) ?? attempt.approvalCode,
  });
  const paidExactly = exactAmount(paid);
  const chargedBackAt = state === 'chargeback' ? (disputedAt ?? since) : Number.POSITIVE_INFINITY;
  const isReturned = isCancelled || state === 'refunded' || state === 'chargeback';
  const cancelled = { kind: 'void', at: wasTaken ? cancelledAt : null } as const;
  const [whole = null] = [cancelled, { kind: 'refund', at: returnedAt } as const]
    .flatMap(({ kind, at }) => (isReturned && at !== null && at <= chargedBackAt ? [{ kind, at }] : []))
    .sort((first, second) => first.at - second.at);
  // When all went back, it did: a callback that comes later moves no money to a later date.
  const late = refunds.filter(({ at }) => whole !== null && at > whole.at);
  const parts = refunds
    .filter(refund => !late.includes(refund))
    .map(refund => one('refund', refund.at, refundedBy(refund, ours, paidExactly), refund));
  // A chargeback takes back what was left at its time.
  const counted = parts.filter(({ at }) => at <= chargedBackAt);
  const [unknown, anotherUnknown] = counted.filter(({ amount }) => amount === null);
  // A full refund whose callback names the order's amount, or that only a look-up reports, is the remainder.
  if ((whole === null ? state === 'refunded' : whole.kind === 'refund') && unknown && !anotherUnknown) {
    const known = counted.filter(part => part !== unknown).map(({ amount }) => amount);
    unknown.amount = amountWithout(paid, known);
  }
  const left = (): string | null =>
    amountWithout(
      paid,
      counted.map(({ amount }) => amount),
    );
  const rest = left();
  const add = (movement: Movement): void => {
    parts.push(movement);
    counted.push(movement);
  };
  // The callbacks until then explain only a part of the whole. Among refunds of unknown size nothing is guessed.
  if (whole?.kind === 'void' && exactAmount(rest) !== 0n) add(one('void', whole.at, rest));
  if (whole?.kind === 'refund' && (parts.length === 0 || exactAmount(rest)))
    add(one('refund', whole.at, rest, late.length === 1 ? (late[0] ?? null) : null));
  if (state === 'refunded' && parts.length === 0) add(one('refund', since, paid));
  const movements = [one('paid', paidAt, paid), ...parts];
  if (state !== 'chargeback') return movements;
  const named = exactAmount(disputed?.terms.amount ?? null);
  const isPart = named !== null && named !== paidExactly;
  return [...movements, one('chargeback', chargedBackAt, isPart ? null : left(), disputed)];
};
