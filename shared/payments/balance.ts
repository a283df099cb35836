import { amountWithout, exactAmount, exactText } from '../money/wire-amount.ts';
import type { Movement } from './movement.ts';
import { isOperationOpen } from '../operations/operation-kinds.ts';
import type { Operation } from '../operations/operation.ts';

/** The money of one payment id, in wire form. */
export type Balance = {
  /** Null: it was not paid, or its amount is not known. */
  paid: string | null;
  /** The exact sum of what went back, as far as it is known. */
  returned: string | null;
  /** Something else went back, and the gateway did not report how much. */
  hasUnknownPart: boolean;
  /** Requested and without a result. */
  onTheWay: string | null;
  /** The most that can still be refunded: neither returned nor on its way. */
  remaining: string | null;
};

const unknown: Balance = {
  paid: null,
  returned: null,
  hasUnknownPart: false,
  onTheWay: null,
  remaining: null,
};

/**
 * The balance of a payment from its movements and operations, in exact integers. A refund that a callback reports
 * without an amount counts with the amount requested here once its operation is done.
 */
export const balanceOf = (
  { movements, operations }: { movements: readonly Movement[]; operations: readonly Operation[] },
  paymentId: string,
): Balance => {
  const own = movements.filter(movement => movement.paymentId === paymentId);
  const { amount: paid = null } = own.find(({ kind }) => kind === 'paid') ?? {};
  const whole = exactAmount(paid);
  if (paid === null || whole === null) return unknown;
  const sumOf = (some: readonly { amount: string | null }[]): bigint =>
    some.reduce((sum, { amount }) => sum + (exactAmount(amount) ?? 0n), 0n);
  const back = own.filter(({ kind }) => kind !== 'paid');
  const refunds = operations.filter(one => one.kind === 'refund' && one.paymentId === paymentId);
  const voids = operations.filter(one => one.kind === 'void' && one.paymentId === paymentId);
  const moved = sumOf(back);
  const requested = sumOf(refunds.filter(({ state }) => state === 'done'));
  // Callbacks in doubt among several of our refunds have no amounts; those refunds are done with the same sum.
  const returned = moved > requested ? moved : requested;
  const capped = returned > whole ? whole : returned;
  const nameless = back.filter(({ amount }) => exactAmount(amount) === null).length;
  const explained = refunds.filter(({ state }) => state === 'done').length;
  const known = back.filter(one => one.kind === 'refund' && exactAmount(one.amount) !== null).length;
  const hasUnknownPart = capped < whole && nameless > Math.max(0, explained - known);
  const isVoiding = voids.some(isOperationOpen);
  const open = isVoiding ? whole - capped : sumOf(refunds.filter(isOperationOpen));
  const way = open > whole - capped ? whole - capped : open;
  const minus = (amount: bigint): string | null => amountWithout(paid, [exactText(amount)]);
  return {
    paid,
    returned: minus(whole - capped),
    hasUnknownPart,
    onTheWay: minus(whole - way),
    remaining: minus(capped + way),
  };
};
