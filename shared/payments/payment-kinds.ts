/** States and flags of payments, without schemas: the first screen uses them without loading a schema library. */

/** A payment's state as far as its evidence shows. Derived by reduce.ts, never edited. */
export const paymentStates = [
  'draft',
  'refused',
  'outcome-unknown',
  'waiting',
  'expired',
  'started',
  'bank-check',
  'processing',
  'paid-unconfirmed',
  'paid-confirmed',
  'declined',
  'refund-seen',
  'part-refunded',
  'refunded',
  'voided',
  'reversed',
  'chargeback',
  'needs-attention',
] as const;
export type PaymentState = (typeof paymentStates)[number];

/** The state with this name, or null. */
export const stateNamed = (text: unknown): PaymentState | null =>
  paymentStates.find(state => state === text) ?? null;

/** Gravest first. */
export const flagKinds = [
  'changed-between-deliveries',
  'sources-disagree',
  'source-took-back',
  'amount-differs',
  'currency-differs',
  'description-differs',
  'settled-twice',
  'operation-unknown',
  'refunds-differ',
  'paid-after-withdrawal',
  'returned-without-callback',
  'order-status-disagrees',
  'contradicts-interface',
  'unverified-evidence',
  'outside-interface',
  'duplicate-delivery',
  'token-missing',
  'not-raised-here',
  'raised-twice',
] as const;
export type FlagKind = (typeof flagKinds)[number];

/** What moved the money of a payment. `void`: a payment that was cancelled or reversed after the money was taken. */
export const movementKinds = ['paid', 'refund', 'chargeback', 'void'] as const;

/** What a person may record about money after the payment. `won`, `lost`: a chargeback. */
export const recordedOutcomes = ['carried-out', 'not-carried-out', 'won', 'lost'] as const;
export type RecordedOutcome = (typeof recordedOutcomes)[number];
