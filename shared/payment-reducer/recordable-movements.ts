import { balanceOf } from '../payments/balance.ts';
import type { Event, EventBody } from '../payments/evidence.ts';
import type { Dispute, Movement } from '../payments/movement.ts';
import type { RecordedOutcome } from '../payments/payment-kinds.ts';
import type { Payment } from '../payments/payment.ts';

/** What a person can record from the provider's dashboard: the window offers it, main checks it. */

export const recordedKinds = ['refund', 'void', 'chargeback'] as const satisfies readonly RecordedKind[];
export type RecordedKind = EventBody<'movement.recorded'>['kind'];

/** Something about which a person may know more than the evidence. */
export type RecordableMovement = Movement & { kind: RecordedKind };

/** The money of a payment that goes back or went back, oldest first; what ended without a trace in the books is left out. */
export const recordableMovements = ({ movements }: Pick<Payment, 'movements'>): RecordableMovement[] =>
  movements.filter(
    (one): one is RecordableMovement => one.kind !== 'paid' && one.fate !== 'failed' && one.fate !== 'won',
  );

/** What can have happened. `isListed`: to something that was reported or requested here. */
export const outcomesOf = (kind: RecordedKind, isListed: boolean): readonly RecordedOutcome[] => {
  if (kind === 'chargeback') return ['carried-out', 'won', 'lost'];
  return isListed ? ['carried-out', 'not-carried-out'] : ['carried-out'];
};

/** The whole amount of something of this kind, wire form: all that a refund leaves, or the payment; null if unknown. */
export const wholeOf = (
  payment: Pick<Payment, 'movements' | 'attempts' | 'amount'>,
  kind: RecordedKind,
  paymentId: string,
): string | null => {
  const { paid, remaining } = balanceOf(payment, paymentId);
  return kind === 'refund' ? remaining : (paid ?? payment.amount);
};

/** The case of a payment's chargeback; null without one, or once it was won or lost. `events`: in order. */
export const disputeOf = (
  events: readonly Event[],
  movements: readonly Pick<Movement, 'id' | 'kind' | 'fate'>[],
): Dispute | null => {
  const ended = new Set<string | null>();
  for (const event of events)
    if (event.kind === 'movement.recorded' && event.body.outcome === 'lost' && event.body.undoes === null)
      ended.add(event.body.movement);
  const open = new Set(
    movements
      .filter(
        ({ id, kind, fate }) =>
          kind === 'chargeback' && fate !== 'won' && fate !== 'failed' && !ended.has(id),
      )
      .map(({ id }) => id),
  );
  const noted = events.findLast(event => event.kind === 'dispute.noted' && open.has(event.body.movement));
  return noted?.kind === 'dispute.noted' ? { ...noted.body, agent: noted.agent, at: noted.happenedAt } : null;
};
