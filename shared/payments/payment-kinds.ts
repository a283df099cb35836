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
  'returned-twice',
  'money-in-progress',
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

/** What moves the money of a payment. `void`: it is cancelled or reversed. */
export const movementKinds = ['paid', 'refund', 'chargeback', 'void'] as const;
export type MovementKind = (typeof movementKinds)[number];

/**
 * What became of a movement. `requested`: our request, without a result. `under-way`: accepted, or reported as waiting.
 * `reported`: by a signed callback, whose type and status are not signed. `proven`: by a look-up or a person's record.
 * `failed`: refused, failed, or not carried out. `won`: a chargeback. `contradicted`: sources disagree.
 */
export const movementFates = [
  'requested',
  'in-progress',
  'reported',
  'proven',
  'failed',
  'won',
  'contradicted',
] as const;
export type MovementFate = (typeof movementFates)[number];

/** The fates of money that is in the books. */
export const bookedFates: readonly MovementFate[] = ['reported', 'proven', 'contradicted'];
/** The fates of money that may be on its way. */
export const openFates: readonly MovementFate[] = ['requested', 'in-progress'];

/** Where a movement began: with a request of ours, elsewhere, or only a person's record shows it. */
export const movementOrigins = ['here', 'elsewhere', 'recorded'] as const;

/** What a person may record about money after the payment. `won`, `lost`: a chargeback. */
export const recordedOutcomes = ['carried-out', 'not-carried-out', 'won', 'lost'] as const;
export type RecordedOutcome = (typeof recordedOutcomes)[number];
