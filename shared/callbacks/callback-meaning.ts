import { kindsWithCallback } from '../operations/operation-kinds.ts';

/**
 * The claim of a callback's type and status (§3.2): one table for the receiver, the inspector and the payment log. It
 * contains no texts: the inspector explains a claim, the reducer derives the state from it.
 */

/** Types of §2.6 and §6.1 (`recurring` is only in the event list). */
export const documentedTypes = [
  'sale',
  '3ds',
  'redirect',
  'refund',
  'void',
  'recurring',
  'chargeback',
] as const;
export type DocumentedType = (typeof documentedTypes)[number];

/** Types seen in practice, not in the interface. */
export const observedTypes = ['capture', 'debit', 'transfer', 'reversal', 'init'] as const;

/** Types that may occur several times per payment, each as a separate transaction with its date or rrn. */
export const repeatableTypes: ReadonlySet<string> = new Set([
  ...kindsWithCallback,
  'chargeback',
  'recurring',
  'debit',
  'transfer',
]);

/** The values of `order_status` that agree with sale + success: §3.1's, and one seen in practice (field notes). */
const settledStatuses: readonly string[] = ['settled', 'success'];

/**
 * Whether `order_status`, which no table of the interface contains, contradicts a sale's status (field notes).
 * `orderStatus`: null if the callback has none.
 */
export const contradictsSale = (status: string, orderStatus: string | null): boolean => {
  if (orderStatus === null) return false;
  const isSettled = settledStatuses.includes(orderStatus);
  return (status === 'success' && !isSettled) || (status === 'fail' && isSettled);
};

export const documentedStatuses = ['success', 'fail', 'waiting'] as const;
export type DocumentedStatus = (typeof documentedStatuses)[number];

/** The claim of one callback about its payment. `uncertain`: it proves nothing, look the payment up. */
export type CallbackClaim =
  | 'paid'
  | 'not-paid'
  | 'processing'
  | 'link-issued'
  | 'bank-check'
  | 'refund-seen'
  | 'refund-failed'
  | 'refund-waiting'
  | 'voided'
  | 'void-failed'
  | 'void-waiting'
  | 'scheduled-ran'
  | 'chargeback'
  | 'reversed'
  | 'uncertain';

const claims: Readonly<Record<DocumentedType, Partial<Record<DocumentedStatus, CallbackClaim>>>> = {
  sale: { success: 'paid', fail: 'not-paid', waiting: 'processing' },
  '3ds': { success: 'bank-check' },
  redirect: { success: 'link-issued' },
  refund: { success: 'refund-seen', fail: 'refund-failed', waiting: 'refund-waiting' },
  void: { success: 'voided', fail: 'void-failed', waiting: 'void-waiting' },
  // §3.2 calls only sale + success paid: a scheduled payment has to be confirmed by a look-up.
  recurring: { success: 'scheduled-ran', fail: 'not-paid', waiting: 'processing' },
  chargeback: { success: 'chargeback' },
};

/** Claims of types outside the interface; they are flagged, and none of them is ever `paid`. */
const observedClaims: ReadonlyMap<string, CallbackClaim> = new Map([
  ['reversal', 'reversed'],
  ['init', 'link-issued'],
]);

const isOneOf = <T extends string>(list: readonly T[], value: string): value is T =>
  (list as readonly string[]).includes(value);

export const isDocumentedType = (type: string): type is DocumentedType => isOneOf(documentedTypes, type);
export const isDocumentedStatus = (status: string): status is DocumentedStatus =>
  isOneOf(documentedStatuses, status);

/** Whether §3.2 allows this type with this status; false for types or statuses that the interface does not list. */
export const isAllowedPair = (type: string, status: string): boolean =>
  isDocumentedType(type) && isDocumentedStatus(status) && claims[type][status] !== undefined;

/**
 * The claim of a callback of this type and status (§3.2). Values that the interface does not list are `uncertain`,
 * except `reversal` and `init` with success, which field notes explain.
 */
export const claimOf = (type: string, status: string): CallbackClaim => {
  if (isDocumentedType(type) && isDocumentedStatus(status)) return claims[type][status] ?? 'uncertain';
  return status === 'success' ? (observedClaims.get(type) ?? 'uncertain') : 'uncertain';
};
