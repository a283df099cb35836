import { amountText, readAmount } from './sandbox-money.ts';
import type { Attempt, SandboxEvent, Session } from './sandbox-payments.ts';
import type { SandboxChoices } from './sandbox.ts';

type Move = Pick<SandboxEvent, 'type' | 'status'> & { title: string };

/** Possible events after a payment (§6.1), by the merchant or the bank, under the names of their buttons. */
export const afterMoves = {
  refund: { title: 'Refund', type: 'refund', status: 'success' },
  'refund-fail': { title: 'Refund fails', type: 'refund', status: 'fail' },
  'refund-wait': { title: 'Refund waits', type: 'refund', status: 'waiting' },
  void: { title: 'Void', type: 'void', status: 'success' },
  'void-fail': { title: 'Void fails', type: 'void', status: 'fail' },
  'void-wait': { title: 'Void waits', type: 'void', status: 'waiting' },
  chargeback: { title: 'Chargeback', type: 'chargeback', status: 'success' },
} as const satisfies Readonly<Record<string, Move>>;

/** Scheduled payments of a series. */
export const repeats = {
  recurring: { title: 'Recurring payment', type: 'recurring', status: 'success' },
  'recurring-fail': { title: 'Recurring fails', type: 'recurring', status: 'fail' },
  'recurring-wait': { title: 'Recurring waits', type: 'recurring', status: 'waiting' },
} as const satisfies Readonly<Record<string, Move>>;
export const moves = { ...afterMoves, ...repeats };

/** Amounts of one order are counted in units of the last digit that the order was written with. */
const noAmount = { units: 0n, digits: 0 };

/** The amount that was paid: the order's, or what a capture took of it. */
const paidAmount = ({ request: { order } }: Session, { captured }: Attempt) => {
  const { units, digits } = readAmount(order.amount) ?? noAmount;
  return { units: captured ?? units, digits };
};

/** The amount that is not refunded yet, in the wire form of the order's amount; empty unless the payment is settled. */
export const refundable = (session: Session, attempt: Attempt): string => {
  const { units, digits } = paidAmount(session, attempt);
  return attempt.status === 'settled' ? amountText({ units: units - attempt.refunded, digits }) : '';
};

/**
 * Applies an event to a paid attempt; `amount` in wire form is the refunded amount, empty = the remaining one.
 * Returns what happened, or a sentence with the reason for a refusal. Of the choices, `refundAmount` is the order
 * amount in a refund's callback and `voidedStatus` the status after a void; the interface specifies neither.
 */
export const applyToPaid = (
  session: Session,
  attempt: Attempt,
  { type, status }: Pick<SandboxEvent, 'type' | 'status'>,
  amount: string,
  choices: Pick<SandboxChoices, 'refundAmount' | 'voidedStatus'>,
): SandboxEvent[] | string => {
  if (attempt.status !== 'settled') return 'Only a settled payment can be refunded, voided or charged back.';
  if (type === 'void' && status === 'success') {
    if (attempt.refunded > 0n) return 'A payment that was refunded in part can no longer be voided.';
    attempt.status = choices.voidedStatus;
  }
  if (type === 'chargeback') attempt.status = 'chargeback';
  if (type !== 'refund') return [{ attempt, type, status }];
  const total = paidAmount(session, attempt);
  const left = refundable(session, attempt);
  const requested = amount === '' ? left : amount;
  const refund = readAmount(requested);
  if (refund?.digits !== total.digits) return `Write the refund like ${left}.`;
  if (refund.units === 0n || refund.units > total.units - attempt.refunded)
    return `At most ${left} can still be refunded.`;
  if (status === 'success') {
    attempt.refunded += refund.units;
    // After a partial refund the payment remains settled.
    if (attempt.refunded === total.units) attempt.status = 'refund';
  }
  return [
    {
      attempt,
      type,
      status,
      ...(status === 'fail' ? { reason: 'Refund rejected by the bank' } : {}),
      ...(choices.refundAmount === 'refunded' ? { amount: requested } : {}),
    },
  ];
};
