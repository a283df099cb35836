import { exactAmount, mostDigits, signedText } from '../../../../shared/money/wire-amount.ts';
import {
  isOperationOpen,
  operationTable,
  type OperationKind,
} from '../../../../shared/operations/operation-kinds.ts';
import type { Operation } from '../../../../shared/operations/operation.ts';
import { isBookedMovement, isOpenMovement } from '../../../../shared/payments/balance.ts';
import type { MovementKind } from '../../../../shared/payments/payment-kinds.ts';
import type { Attempt, Payment } from '../../../../shared/payments/payment.ts';
import type { Movement } from '../../../../shared/payments/movement.ts';

/** One movement of money, a request that moves none, or an attempt of the payer without one. */
export type LedgerRow = {
  key: string;
  kind: MovementKind | OperationKind;
  paymentId: string;
  at: number;
  amount: string | null;
  movement: Movement | null;
  /** The request of ours. */
  operation: Operation | null;
  /** The payer's attempt, of money that came in or was to come in. */
  attempt: Attempt | null;
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
  if (movement === null) {
    const isDecidable = operation !== null && operationTable[operation.kind].provingStatuses.length > 0;
    return isDecidable && isOperationOpen(operation) ? 'look-up' : null;
  }
  const { kind, amount, fate, since } = movement;
  const isUnclear = isOpenMovement(movement) || fate === 'contradicted';
  const isUnsized = kind !== 'paid' && isBookedMovement(movement) && amount === null;
  if (!isUnclear && !isUnsized) return null;
  return kind !== 'paid' && (isUnsized || (checkedAt ?? 0) > since) ? 'record' : 'look-up';
};

/**
 * What moved, was to move or was tried of an order, oldest first, with a running balance of the books in exact integers. After a
 * movement of unknown amount no balance is known any more.
 */
export const ledgerRows = ({
  movements,
  operations,
  attempts,
  checkedAt,
}: Pick<Payment, 'movements' | 'operations' | 'attempts' | 'checkedAt'>): LedgerRow[] => {
  const digits = mostDigits(movements.map(({ amount }) => amount));
  type Part = Pick<LedgerRow, 'movement' | 'operation' | 'attempt'> & {
    of: Pick<LedgerRow, 'kind' | 'paymentId' | 'at' | 'amount'>;
  };
  const attemptOf = (id: string): Attempt | null => attempts.find(one => one.paymentId === id) ?? null;
  // A charge that was paid is in the row of its money.
  const charge = operations.find(({ kind, state }) => kind === 'recurring' && state === 'done') ?? null;
  const charged = movements.find(({ kind }) => kind === 'paid');
  const operationOf = (movement: Movement): Operation | null =>
    operations.find(({ intent }) => intent === movement.intent) ?? (movement === charged ? charge : null);
  const parts: Part[] = [
    ...movements.map(movement => ({
      of: movement,
      movement,
      operation: operationOf(movement),
      attempt: movement.kind === 'paid' ? attemptOf(movement.paymentId) : null,
    })),
    ...operations
      .filter(one => !movements.some(movement => operationOf(movement) === one))
      .map(operation => ({ of: operation, movement: null, operation, attempt: null })),
    ...attempts
      .filter(({ paymentId }) => !movements.some(one => one.kind === 'paid' && one.paymentId === paymentId))
      .map(attempt => ({
        of: { kind: 'paid' as const, paymentId: attempt.paymentId, at: attempt.lastAt, amount: null },
        movement: null,
        operation: null,
        attempt,
      })),
  ];
  let balance: bigint | null = 0n;
  return parts
    .sort((one, other) => one.of.at - other.of.at)
    .map(({ movement, operation, attempt, of }): LedgerRow => {
      const { kind, paymentId, at, amount } = of;
      const isBooked = movement !== null && isBookedMovement(movement);
      if (isBooked && balance !== null) {
        const exact = exactAmount(amount);
        balance = exact === null ? null : kind === 'paid' ? balance + exact : balance - exact;
      }
      return {
        key: operation?.intent ?? movement?.id ?? paymentId,
        kind,
        paymentId,
        at,
        amount,
        movement,
        operation,
        attempt,
        balance: isBooked && balance !== null ? signedText(balance, digits) : null,
        next: nextOf(movement, operation, checkedAt),
      };
    });
};
