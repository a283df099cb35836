import { exactAmount, mostDigits, signedText } from '../../../../shared/money/wire-amount.ts';
import { isOperationOpen, type OperationKind } from '../../../../shared/operations/operation-kinds.ts';
import type { Operation } from '../../../../shared/operations/operation.ts';
import { isBookedMovement, isOpenMovement } from '../../../../shared/payments/balance.ts';
import type { MovementKind } from '../../../../shared/payments/payment-kinds.ts';
import type { Payment } from '../../../../shared/payments/payment.ts';
import type { Movement } from '../../../../shared/payments/movement.ts';

/** One movement of money, or a request that moves none. */
export type LedgerRow = {
  key: string;
  kind: MovementKind | OperationKind;
  paymentId: string;
  at: number;
  amount: string | null;
  movement: Movement | null;
  /** The request of ours. */
  operation: Operation | null;
  /** What the merchant has after it, signed wire form; null if it is not in the books or that is not known. */
  balance: string | null;
  /** What a person can do about an unclear one: ask the provider, then look into its dashboard. */
  next: 'look-up' | 'record' | null;
};

/** The next step about a movement; null if its result and its size are known. A look-up that changed nothing is one. */
const nextOf = (
  movement: Movement | null,
  operation: Operation | null,
  checkedAt: number | null,
): LedgerRow['next'] => {
  if (movement === null) return operation && isOperationOpen(operation) ? 'look-up' : null;
  const { kind, amount, fate, since } = movement;
  const isUnclear = isOpenMovement(movement) || fate === 'contradicted';
  const isUnsized = kind !== 'paid' && isBookedMovement(movement) && amount === null;
  if (!isUnclear && !isUnsized) return null;
  return kind !== 'paid' && (isUnsized || (checkedAt ?? 0) > since) ? 'record' : 'look-up';
};

/**
 * What moved or was to move of an order, oldest first, with a running balance of the books in exact integers. After a
 * movement of unknown amount no balance is known any more.
 */
export const ledgerRows = ({
  movements,
  operations,
  checkedAt,
}: Pick<Payment, 'movements' | 'operations' | 'checkedAt'>): LedgerRow[] => {
  const digits = mostDigits(movements.map(({ amount }) => amount));
  const moved = movements.map(movement => ({
    movement,
    operation: operations.find(({ intent }) => intent === movement.intent) ?? null,
  }));
  const others = operations
    .filter(({ intent }) => !movements.some(one => one.intent === intent))
    .map(operation => ({ movement: null, operation }));
  let balance: bigint | null = 0n;
  return [...moved, ...others]
    .map(one => ({ ...one, of: one.movement ?? one.operation }))
    .sort((one, other) => one.of.at - other.of.at)
    .map(({ movement, operation, of }): LedgerRow => {
      const { kind, paymentId, at, amount } = of;
      const isBooked = movement !== null && isBookedMovement(movement);
      if (isBooked && balance !== null) {
        const exact = exactAmount(amount);
        balance = exact === null ? null : kind === 'paid' ? balance + exact : balance - exact;
      }
      return {
        key: operation?.intent ?? movement?.id ?? '',
        kind,
        paymentId,
        at,
        amount,
        movement,
        operation,
        balance: isBooked && balance !== null ? signedText(balance, digits) : null,
        next: nextOf(movement, operation, checkedAt),
      };
    });
};
