/** Operations on a payment that was made, without schemas: the first screen imports it cheaply. */

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
export type OperationReason = (typeof operationReasons)[number];

const reasonsToReturn = operationReasons.filter(reason => reason !== 'agreed-payment');
const reasonsToTake: readonly OperationReason[] = ['agreed-payment', 'other'];

/** What one kind of operation is: everything that the code asks about a kind, apart from its request and formula. */
export type OperationRow = {
  /** The request's amount. `none`: it is about the whole payment. `part`: whole or a part. `order`: of a new order. */
  amount: 'none' | 'part' | 'order';
  /** The most that it moves: what was not returned yet, or the payment's amount; null if nothing bounds it. */
  upTo: 'left' | 'payment' | null;
  /** Whether money moves with it; see `movesMoney`. */
  movesMoney: boolean;
  /** What it does to the merchant's money. */
  sign: '+' | '−' | '';
  reasons: readonly OperationReason[];
  /** The state of a payment that it needs; see `operation-guards.ts`. */
  needs: 'left' | 'cancellable' | 'held' | 'declined-charge' | 'series';
  /** The statuses of a look-up directly before sending under which it may be sent (§3.1; `pending`: assumption). */
  expectedStatuses: readonly string[];
  /** The callback that reports its result (§6.1): of the kind's own type, or that of a payment; null: none does. */
  callback: 'own' | 'sale' | null;
  /** The statuses of a later look-up that prove that it was carried out, or that it was not. */
  provingStatuses: readonly string[];
  contradictingStatuses: readonly string[];
  /** The words of an answer by which it is done; none: an answer says only that the request was accepted. */
  doneWords: readonly string[];
  /** Its place among the actions of a payment, first choice first; null: it is offered with the series. */
  place: number | null;
};

/**
 * The requests after the payment. All are assumptions, off by default. A kind is also its setting in a profile
 * (`operations.refund`), its formula, its path at the gateway and the last part of the keys of its messages.
 */
const rows = {
  refund: {
    amount: 'part',
    upTo: 'left',
    movesMoney: true,
    sign: '−',
    reasons: reasonsToReturn,
    needs: 'left',
    expectedStatuses: ['settled'],
    callback: 'own',
    provingStatuses: ['refund'],
    contradictingStatuses: ['settled'],
    doneWords: [],
    place: 3,
  },
  void: {
    amount: 'none',
    upTo: 'payment',
    movesMoney: true,
    sign: '−',
    reasons: reasonsToReturn,
    needs: 'cancellable',
    expectedStatuses: ['settled', 'pending'],
    callback: 'own',
    provingStatuses: ['void', 'reversal', 'refund'],
    contradictingStatuses: ['settled'],
    doneWords: ['void', 'reversal', 'success'],
    place: 2,
  },
  capture: {
    amount: 'part',
    upTo: 'payment',
    movesMoney: true,
    sign: '+',
    reasons: reasonsToTake,
    needs: 'held',
    expectedStatuses: ['pending'],
    callback: 'own',
    provingStatuses: ['settled'],
    contradictingStatuses: ['pending'],
    doneWords: ['settled', 'success'],
    place: 1,
  },
  recurring: {
    amount: 'order',
    upTo: null,
    movesMoney: true,
    sign: '+',
    reasons: reasonsToTake,
    needs: 'series',
    expectedStatuses: ['settled', 'refund'],
    callback: 'sale',
    provingStatuses: ['settled'],
    contradictingStatuses: ['decline'],
    doneWords: ['settled', 'success'],
    place: null,
  },
  retry: {
    amount: 'none',
    upTo: 'payment',
    movesMoney: true,
    sign: '+',
    reasons: reasonsToTake,
    needs: 'declined-charge',
    expectedStatuses: ['decline'],
    callback: 'sale',
    provingStatuses: ['settled'],
    contradictingStatuses: ['decline'],
    doneWords: [],
    place: 4,
  },
} as const satisfies Readonly<Record<string, OperationRow>>;

export type OperationKind = keyof typeof rows;
/** The kinds whose request has this sort of amount. */
export type KindWithAmount<A extends OperationRow['amount']> = {
  [K in OperationKind]: (typeof rows)[K]['amount'] extends A ? K : never;
}[OperationKind];

export const operationTable: Readonly<Record<OperationKind, OperationRow>> = rows;
export const operationKinds = Object.keys(rows) as OperationKind[];

/** Whether the amount of a kind is of this sort. */
export const hasAmount = <A extends OperationRow['amount']>(
  kind: OperationKind,
  amount: A,
): kind is KindWithAmount<A> => operationTable[kind].amount === amount;

/** The kinds that move money. */
export type MovingKind = {
  [K in OperationKind]: (typeof rows)[K]['movesMoney'] extends true ? K : never;
}[OperationKind];

/** Whether an operation moves money: only then does it count against limits, and its money may be open. */
export const movesMoney = <O extends { kind: OperationKind }>(
  operation: O,
): operation is O & { kind: MovingKind } => operationTable[operation.kind].movesMoney;

/** The kinds whose callback has their own type. */
export const kindsWithCallback = operationKinds.filter(kind => operationTable[kind].callback === 'own');

/** The kinds that act on the payment itself: no new order is made. */
export type OfferedKind = KindWithAmount<'none' | 'part'>;

/** They as a payment's page offers them, first choice first. */
export const offeredKinds: readonly OfferedKind[] = operationKinds
  .filter(kind => !hasAmount(kind, 'order'))
  .toSorted((one, other) => (operationTable[one].place ?? 0) - (operationTable[other].place ?? 0));

/** A value for each kind. */
export const forEachKind = <V>(valueOf: (kind: OperationKind) => V): Record<OperationKind, V> =>
  Object.fromEntries(operationKinds.map(kind => [kind, valueOf(kind)])) as Record<OperationKind, V>;

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
