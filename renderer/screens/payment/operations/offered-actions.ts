import type { OperationOffer } from '../../../../shared/contract/contract.ts';
import { exactAmount } from '../../../../shared/money/wire-amount.ts';
import type { Message, MessageKey } from '../../../../shared/messages/message.ts';
import { offeredKinds, type OfferedKind } from '../../../../shared/operations/operation-kinds.ts';

export type OfferedPayment = OperationOffer['payments'][number];

/** An operation that the profile has: the payments for which it can be sent, and why it cannot if there are none. */
export type OfferedAction = {
  kind: OfferedKind;
  payments: readonly OfferedPayment[];
  refusal: Message | null;
};

/** Refusals that are plain from the payment's state: the action is not shown. */
const plain: readonly MessageKey[] = [
  'operation.no.not-paid',
  'operation.no.not-held',
  'operation.no.not-declined-charge',
];

/** Whether it is plain that this operation cannot be sent: nothing has to be said about it. */
const isPlain = (kind: OfferedKind, { balance }: OfferedPayment, refusal: Message): boolean =>
  plain.includes(refusal.key) || (kind === 'void' && exactAmount(balance.remaining) === 0n);

/** What can be done about the payments of an order, and what cannot any more, first choice first. */
export const offeredActions = (offer: OperationOffer): OfferedAction[] =>
  offeredKinds.flatMap((kind): OfferedAction[] => {
    const offers = offer.payments.flatMap(payment =>
      payment.offers.filter(one => one.kind === kind).map(({ refusal }) => ({ payment, refusal })),
    );
    const payments = offers.filter(({ refusal }) => refusal === null).map(({ payment }) => payment);
    const refused = offers.find(one => one.refusal !== null && !isPlain(kind, one.payment, one.refusal));
    const refusal = refused?.refusal ?? null;
    if (payments.length > 0) return [{ kind, payments, refusal: null }];
    return refusal === null ? [] : [{ kind, payments, refusal }];
  });

/** Until when a payment of the order can be cancelled, milliseconds; null if none can. */
export const cancelUntil = (actions: readonly OfferedAction[]): number | null => {
  const ends = actions
    .filter(({ kind }) => kind === 'void')
    .flatMap(({ payments }) => payments.flatMap(({ voidUntil }) => (voidUntil === null ? [] : [voidUntil])));
  return ends.length === 0 ? null : Math.min(...ends);
};

/** Until when an amount of the order is held, milliseconds; null if that is not known or nothing is held. */
export const heldUntil = (offer: OperationOffer): number | null => {
  const ends = offer.payments.flatMap(({ holdUntil }) => (holdUntil === null ? [] : [holdUntil]));
  return ends.length === 0 ? null : Math.min(...ends);
};

/**
 * What a press on Refund begins: the payment of `named`, or the first one, is cancelled while that is possible, and
 * refunded otherwise. Null if nothing can go back.
 */
export const moneyBack = (
  actions: readonly OfferedAction[],
  named: string | null,
): { kind: OfferedKind; paymentId: string } | null => {
  const offers = (['void', 'refund'] as const).flatMap(kind =>
    actions
      .filter(action => action.kind === kind)
      .flatMap(({ payments }) => payments.map(({ paymentId }) => ({ kind, paymentId }))),
  );
  return offers.find(({ paymentId }) => paymentId === named) ?? offers[0] ?? null;
};
