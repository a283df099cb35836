import { sumOfAmounts } from '../money/wire-amount.ts';
import { isOperationOpen, movesMoney, type MovingKind } from '../operations/operation-kinds.ts';
import type { Operation } from '../operations/operation.ts';
import { isOpenMovement } from '../payments/balance.ts';
import type { Movement } from '../payments/movement.ts';
import type { Concern } from '../payments/payment.ts';

type Request = Operation & { kind: Exclude<MovingKind, 'recurring'> };

/**
 * What a caller asks about: the money after the payment without a result, an unknown one first; otherwise the last one
 * that has a result. Requests of one kind in the same situation count together. A recurring charge is its own payment.
 */
export const concernOf = (
  operations: readonly Operation[],
  movements: readonly Movement[],
  currency: string | null,
): Concern | null => {
  const own = operations.filter((one): one is Request => movesMoney(one) && one.kind !== 'recurring');
  const open = own.filter(isOperationOpen);
  const elsewhere = movements.find(
    one => one.kind !== 'paid' && isOpenMovement(one) && one.origin !== 'here',
  );
  if (open.length === 0 && elsewhere !== undefined && elsewhere.kind !== 'paid') {
    const { kind, amount, since } = elsewhere;
    return { kind, state: 'waiting', amount, currency: elsewhere.currency ?? currency, since, isHere: false };
  }
  const chosen =
    open.findLast(one => one.state === 'unknown') ??
    open.at(-1) ??
    own.findLast(one => one.state === 'done' || one.state === 'failed');
  if (!chosen) return null;
  const { kind, state, since } = chosen;
  const same = isOperationOpen(chosen)
    ? open.filter(one => one.kind === kind && one.state === state)
    : [chosen];
  // A cancellation has its amount in the ledger alone.
  const amounts = same.map(
    one => one.amount ?? movements.find(({ intent }) => intent === one.intent)?.amount ?? null,
  );
  return { kind, state, amount: sumOfAmounts(amounts), currency: chosen.currency, since, isHere: true };
};
