import {
  comparedDigits,
  decimalText,
  exactAmount,
  fractionDigits,
} from '../../../../shared/money/wire-amount.ts';
import type { Payment } from '../../../../shared/payments/payment.ts';
import type { Movement } from '../../../../shared/payments/movement.ts';
import { isOperationOpen } from '../../../../shared/operations/operation-kinds.ts';
import type { Operation } from '../../../../shared/operations/operation.ts';

/** One movement of money. `balance`: what the merchant has after it, signed wire form; null if that is not known. */
export type LedgerRow = Movement & { balance: string | null };

/** The most fraction digits that one of these amounts has. */
const digitsOf = (amounts: readonly (string | null)[]): number => {
  const digits = amounts.map(amount => (amount === null ? 0 : (fractionDigits(amount.trim()) ?? 0)));
  return Math.min(comparedDigits, Math.max(0, ...digits));
};

/** An exact integer of millionths in wire form, with a minus sign below zero. */
const signedText = (millionths: bigint, digits: number): string => {
  const size = millionths < 0n ? -millionths : millionths;
  const figures = decimalText(size / 10n ** BigInt(comparedDigits - digits), digits);
  return millionths < 0n ? `-${figures}` : figures;
};

/** The exact sum of amounts in wire form; null if one of them is not known. */
export const sumOfAmounts = (amounts: readonly (string | null)[]): string | null => {
  let sum = 0n;
  for (const amount of amounts) {
    const exact = exactAmount(amount);
    if (exact === null) return null;
    sum += exact;
  }
  return signedText(sum, digitsOf(amounts));
};

/**
 * The movements of an order with a running balance in exact integers. After a movement of unknown amount no balance is
 * known any more.
 */
export const ledgerRows = (movements: readonly Movement[]): LedgerRow[] => {
  const digits = digitsOf(movements.map(({ amount }) => amount));
  let balance: bigint | null = 0n;
  return movements.map(movement => {
    const amount = exactAmount(movement.amount);
    if (balance !== null)
      balance = amount === null ? null : movement.kind === 'paid' ? balance + amount : balance - amount;
    return { ...movement, balance: balance === null ? null : signedText(balance, digits) };
  });
};

/** Operations that may still move money; a recurring charge is another payment. */
export const openOperations = (operations: readonly Operation[]): Operation[] =>
  operations.filter(operation => operation.kind !== 'recurring' && isOperationOpen(operation));

/** Whether the sources of a payment contradict each other about money that is in its movements. */
export const isContradicted = ({ movements, attempts }: Pick<Payment, 'movements' | 'attempts'>): boolean =>
  movements.some(({ paymentId }) =>
    attempts.some(attempt => attempt.paymentId === paymentId && attempt.outcome === 'unknown'),
  );
