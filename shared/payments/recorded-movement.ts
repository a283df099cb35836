import { isOperationOpen, operationTable } from '../operations/operation-kinds.ts';
import type { Operation } from '../operations/operation.ts';
import { balanceOf } from './balance.ts';
import type { EventBody } from './evidence.ts';
import type { RecordedOutcome } from './payment-kinds.ts';
import type { Payment } from './payment.ts';

/** What a person can record from the provider's dashboard: the window offers it, main checks it. */

export const recordedKinds = ['refund', 'void', 'chargeback'] as const satisfies readonly RecordedKind[];
export type RecordedKind = EventBody<'movement.recorded'>['kind'];

/** Something about which a person may know more than the evidence. `amount`: wire form, null if it is unknown. */
export type RecordableMovement = {
  id: string;
  kind: RecordedKind;
  paymentId: string;
  amount: string | null;
  at: number;
};

const kindOf = ({ kind }: Operation): RecordedKind | null =>
  operationTable[kind].sign === '−' ? (recordedKinds.find(one => one === kind) ?? null) : null;

/** The movements of a payment whose result is not certain, oldest first. */
export const recordableMovements = (
  payment: Pick<Payment, 'movements' | 'operations' | 'amount'>,
): RecordableMovement[] =>
  payment.operations.filter(isOperationOpen).flatMap(operation => {
    const { intent, paymentId, amount, at } = operation;
    const kind = kindOf(operation);
    if (kind === null) return [];
    const whole = kind === 'void' ? wholeOf(payment, kind, paymentId) : null;
    return [{ id: intent, kind, paymentId, amount: amount ?? whole, at }];
  });

/** What can have happened. `isListed`: to something that was reported or requested here. */
export const outcomesOf = (kind: RecordedKind, isListed: boolean): readonly RecordedOutcome[] => {
  if (kind === 'chargeback') return ['carried-out', 'won', 'lost'];
  return isListed ? ['carried-out', 'not-carried-out'] : ['carried-out'];
};

/** The whole amount of something of this kind, wire form: all that a refund leaves, or the payment; null if unknown. */
export const wholeOf = (
  payment: Pick<Payment, 'movements' | 'operations' | 'amount'>,
  kind: RecordedKind,
  paymentId: string,
): string | null => {
  const { paid, remaining } = balanceOf(payment, paymentId);
  return kind === 'refund' ? remaining : (paid ?? payment.amount);
};
