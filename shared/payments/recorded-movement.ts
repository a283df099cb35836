import { balanceOf, isBookedMovement, isOpenMovement } from './balance.ts';
import type { EventBody } from './evidence.ts';
import type { Movement } from './movement.ts';
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

/** Whether a person may know more of it than the evidence: its result or its size is not certain. */
const isUncertain = ({ kind, amount, fate }: Movement): boolean =>
  isOpenMovement({ fate }) ||
  fate === 'contradicted' ||
  (isBookedMovement({ fate }) && (kind === 'chargeback' || amount === null));

/** The movements of a payment whose result or size is not certain, oldest first. */
export const recordableMovements = ({ movements }: Pick<Payment, 'movements'>): RecordableMovement[] =>
  movements.flatMap(movement => {
    const { id, kind, paymentId, amount, at } = movement;
    return kind !== 'paid' && isUncertain(movement) ? [{ id, kind, paymentId, amount, at }] : [];
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
