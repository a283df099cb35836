/** Operations on a payment that was made, without schemas: the first screen imports it cheaply. */

/** Requests after the payment, in the order in which they are offered. All are assumptions, off by default. */
export const operationKinds = ['refund', 'void', 'capture', 'recurring', 'retry'] as const;
export type OperationKind = (typeof operationKinds)[number];

/** Why a person sends one, in the order in which the reasons are offered. They stay here: no request carries a reason. */
export const operationReasons = [
  'returned-goods',
  'not-delivered',
  'wrong-amount',
  'paid-twice',
  'goodwill',
  'order-cancelled',
  'agreed-payment',
  'other',
] as const;

/** Limit of the text beside a reason, characters. */
export const maxOperationText = 400;

/**
 * What is known of an operation. `unknown`: the request may have arrived. `accepted`: the gateway took it, which is no
 * result yet. `waiting`: a callback says that it is being processed. `one-of`: a callback is about one of several
 * operations with different amounts.
 */
export const operationStates = [
  'unknown',
  'accepted',
  'waiting',
  'one-of',
  'done',
  'failed',
  'refused',
  'not-sent',
] as const;
export type OperationState = (typeof operationStates)[number];

/** Operations without a result: their money may still move. */
export const openOperationStates: readonly OperationState[] = ['unknown', 'accepted', 'waiting', 'one-of'];

export const isOperationOpen = ({ state }: { state: OperationState }): boolean =>
  openOperationStates.includes(state);
