import {
  isOperationOpen,
  movesMoney,
  type MovingKind,
  type OperationState,
} from '../operations/operation-kinds.ts';
import { isOpenMovement } from './balance.ts';
import type { MovementKind } from './payment-kinds.ts';
import type { Payment } from './payment.ts';

/** Something without a result, whose money may still move. `agent`: null if it was not requested here. */
export type OpenMoney = {
  id: string;
  kind: MovingKind | Exclude<MovementKind, 'paid'>;
  paymentId: string;
  amount: string | null;
  agent: string | null;
  at: number;
  state: OperationState;
};

/** What of a payment has no result by its evidence, requested here or elsewhere, oldest first. */
export const openMoney = ({
  movements,
  operations,
}: Pick<Payment, 'movements' | 'operations'>): OpenMoney[] => {
  const open: OpenMoney[] = operations
    .filter(movesMoney)
    .filter(isOperationOpen)
    .map(({ intent, kind, paymentId, amount, agent, at, state }) => {
      // A cancellation has its amount in the ledger alone.
      const moved = movements.find(one => one.intent === intent)?.amount ?? null;
      return { id: intent, kind, paymentId, amount: amount ?? moved, agent, at, state };
    });
  for (const { id, intent, kind, paymentId, amount, at, fate } of movements)
    if (kind !== 'paid' && isOpenMovement({ fate }) && !open.some(one => one.id === intent))
      open.push({ id: intent ?? id, kind, paymentId, amount, agent: null, at, state: 'waiting' });
  return open.sort((one, other) => one.at - other.at);
};
