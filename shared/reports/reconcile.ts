import type { FlagKind, PaymentRow, PaymentState } from '../payments/payment.ts';
import type { ResolutionReason } from '../review/review.ts';
import { isOperationOpen } from '../operations/operation-kinds.ts';
import { headOf, operationGraceMs } from './head.ts';
import { stateAt } from '../payment-reducer/state-at.ts';

/** Causes of missing or conflicting information about a payment, gravest first. */
export const reconciliationCauses = [
  'changed-between-deliveries',
  'sources-disagree',
  'source-took-back',
  'record-differs',
  'settled-twice',
  'operation-unknown',
  'refunds-differ',
  'returned-twice',
  'operation-overdue',
  'paid-after-withdrawal',
  'chargeback',
  'returned-without-callback',
  'order-status-disagrees',
  'contradicts-interface',
  'outside-interface',
  'unverified-callback',
  'outcome-unknown',
  'paid-without-look-up',
  'refund-amount-unknown',
  'no-outcome-yet',
  'expired-without-outcome',
  'refund-seen',
] as const;
export type ReconciliationCause = (typeof reconciliationCauses)[number];

/** Recommended actions; the catalogue has a sentence for each. */
export const reconciliationActions = [
  'hand-to-finance',
  'refund-one',
  'do-not-ship',
  'look-up',
  'record',
  'new-link',
  'note-it',
] as const;

export type Finding = {
  cause: ReconciliationCause;
  action: (typeof reconciliationActions)[number];
  /** Since when the payment has this cause, milliseconds. */
  since: number;
};

/** A payment with its findings, gravest first. */
export type ReconciliationRow = PaymentRow & { findings: Finding[] };

/** The number of payments in the queue by cause, gravest first; `more`: the count is a lower bound. */
export type ReconciliationCount = { cause: ReconciliationCause; count: number; more: boolean };

/** The number of payments that need review; `more`: the count is a lower bound. */
export type NeedsReview = Omit<ReconciliationCount, 'cause'>;

/** Whether a cause is informational and needs no action. */
export const isAtRest = (cause: ReconciliationCause): boolean =>
  cause === 'expired-without-outcome' || cause === 'refund-seen';

/**
 * The number of payments in the queue that need review: those under a cause that needs action. The rail, the page,
 * the overview, the handover note and the tray all show this number. `counts` contains each cause once.
 */
export const needsReviewOf = (counts: readonly ReconciliationCount[]): NeedsReview => {
  const counted = counts.filter(({ cause }) => !isAtRest(cause));
  return {
    count: counted.reduce((sum, { count }) => sum + count, 0),
    more: counted.some(({ more }) => more),
  };
};

/**
 * Grace period before a user is asked to act, milliseconds: for a pending answer, the confirming look-up, or a
 * callback after the look-up.
 */
export const customerGraceMs = 2 * 60_000;
/** Time limit of one step of a payment in flight; after it a look-up is recommended. */
const overdueAfterMs = 40 * 60_000;

const actions: Readonly<Record<ReconciliationCause, Finding['action']>> = {
  'changed-between-deliveries': 'do-not-ship',
  'sources-disagree': 'do-not-ship',
  'source-took-back': 'do-not-ship',
  'record-differs': 'do-not-ship',
  'settled-twice': 'refund-one',
  'operation-unknown': 'look-up',
  'refunds-differ': 'record',
  'returned-twice': 'hand-to-finance',
  'operation-overdue': 'look-up',
  'paid-after-withdrawal': 'hand-to-finance',
  chargeback: 'hand-to-finance',
  'returned-without-callback': 'hand-to-finance',
  'order-status-disagrees': 'look-up',
  'contradicts-interface': 'look-up',
  'outside-interface': 'look-up',
  'unverified-callback': 'look-up',
  'outcome-unknown': 'look-up',
  'paid-without-look-up': 'look-up',
  'refund-amount-unknown': 'look-up',
  'no-outcome-yet': 'look-up',
  'expired-without-outcome': 'new-link',
  'refund-seen': 'note-it',
};

const inFlight: readonly PaymentState[] = ['started', 'bank-check', 'processing'];
const withoutOutcome: readonly PaymentState[] = ['outcome-unknown', 'waiting', 'expired', ...inFlight];
const returnedStates: readonly PaymentState[] = [
  'refund-seen',
  'part-refunded',
  'refunded',
  'voided',
  'reversed',
  'chargeback',
];

type ScanScope = { states: PaymentState[]; flags: FlagKind[]; after?: number };

/**
 * Where to find a cause: in one of these states, flagged with one of these kinds (none = any), and created at least
 * this many milliseconds ago. Every payment with the cause matches, but not every match has the cause. The log's scan
 * is limited to it.
 */
export const foundIn: Readonly<Record<ReconciliationCause, ScanScope>> = {
  'changed-between-deliveries': { states: [], flags: ['changed-between-deliveries'] },
  'sources-disagree': { states: [], flags: ['sources-disagree'] },
  'source-took-back': { states: [], flags: ['source-took-back'] },
  'record-differs': { states: [], flags: ['amount-differs', 'currency-differs', 'description-differs'] },
  'settled-twice': { states: [], flags: ['settled-twice'] },
  'operation-unknown': { states: [], flags: ['operation-unknown'] },
  'refunds-differ': { states: [], flags: ['refunds-differ'] },
  'returned-twice': { states: [], flags: ['returned-twice'] },
  'operation-overdue': { states: [], flags: ['money-in-progress'], after: operationGraceMs },
  'paid-after-withdrawal': { states: [], flags: ['paid-after-withdrawal'] },
  chargeback: { states: ['chargeback'], flags: [] },
  'returned-without-callback': {
    states: [],
    flags: ['returned-without-callback'],
    after: customerGraceMs,
  },
  'order-status-disagrees': { states: [], flags: ['order-status-disagrees'] },
  'contradicts-interface': { states: [...withoutOutcome], flags: ['contradicts-interface'] },
  'outside-interface': { states: [...withoutOutcome], flags: ['outside-interface'] },
  'unverified-callback': { states: [...withoutOutcome], flags: ['unverified-evidence'] },
  'outcome-unknown': { states: ['outcome-unknown'], flags: [], after: customerGraceMs },
  'paid-without-look-up': { states: ['paid-unconfirmed'], flags: [], after: customerGraceMs },
  'refund-amount-unknown': { states: ['refund-seen'], flags: [] },
  'no-outcome-yet': { states: [...inFlight], flags: [], after: overdueAfterMs },
  'expired-without-outcome': { states: ['expired'], flags: [] },
  'refund-seen': { states: ['refunded', 'part-refunded'], flags: [] },
};

/** Why a callback is overdue: a status check reported, after the grace period, what no callback did; null if none is. */
export const overdueCause = (
  payment: Pick<PaymentRow, 'state' | 'basis' | 'since' | 'flags'>,
  now: number,
): 'paid-without-callback' | 'returned-without-callback' | null => {
  if (now - payment.since < customerGraceMs) return null;
  if (payment.state === 'paid-confirmed' && payment.basis?.kind === 'look-up') return 'paid-without-callback';
  return payment.flags.some(({ kind }) => kind === 'returned-without-callback')
    ? 'returned-without-callback'
    : null;
};

/**
 * The findings of one payment, each with the next action, gravest first. `now` in milliseconds. Empty means that
 * nothing is missing and the sources agree. A callback and a look-up that agree in full resolve an earlier
 * contradiction, but neither a change between deliveries nor a second settlement.
 */
export const reconcile = (payment: PaymentRow, now: number): Finding[] => {
  const state = stateAt(payment, now);
  const flags = new Set<FlagKind>(payment.flags.map(({ kind }) => kind));
  const flaggedAs = (cause: ReconciliationCause): boolean =>
    foundIn[cause].flags.some(kind => flags.has(kind));
  const agreed = state === 'paid-confirmed';
  // Counted from the start of the state: a failed or unchanged look-up does not restart the period.
  const since = state === payment.state ? payment.since : (payment.expiresAt ?? payment.since);
  const lasted = now - since;
  const oneSource = state === 'paid-unconfirmed' && lasted >= customerGraceMs;
  const applies: Record<ReconciliationCause, boolean> = {
    'changed-between-deliveries': flaggedAs('changed-between-deliveries'),
    'sources-disagree': !agreed && flaggedAs('sources-disagree'),
    'source-took-back': !agreed && flaggedAs('source-took-back'),
    'record-differs': flaggedAs('record-differs') && (!agreed || flags.has('description-differs')),
    'settled-twice': flaggedAs('settled-twice'),
    'operation-unknown': flaggedAs('operation-unknown'),
    'refunds-differ': flaggedAs('refunds-differ'),
    'returned-twice': flaggedAs('returned-twice'),
    'operation-overdue':
      flaggedAs('operation-overdue') && now - (payment.pendingSince ?? now) >= operationGraceMs,
    'paid-after-withdrawal': flaggedAs('paid-after-withdrawal'),
    chargeback: state === 'chargeback',
    'returned-without-callback': flaggedAs('returned-without-callback') && lasted >= customerGraceMs,
    'order-status-disagrees': !agreed && flaggedAs('order-status-disagrees'),
    'contradicts-interface': withoutOutcome.includes(state) && flaggedAs('contradicts-interface'),
    'outside-interface': withoutOutcome.includes(state) && flaggedAs('outside-interface'),
    'unverified-callback': withoutOutcome.includes(state) && flaggedAs('unverified-callback'),
    'outcome-unknown': state === 'outcome-unknown' && lasted >= customerGraceMs,
    'paid-without-look-up': oneSource && payment.basis?.kind === 'callback',
    'refund-amount-unknown': state === 'refund-seen',
    'no-outcome-yet': inFlight.includes(state) && lasted >= overdueAfterMs,
    'expired-without-outcome': state === 'expired',
    'refund-seen': state === 'refunded' || state === 'part-refunded',
  };
  const head = headOf(payment, now);
  const actionOf = (cause: ReconciliationCause): Finding['action'] => {
    const action = actions[cause];
    // After a refund there is nothing left to hold back.
    if (action === 'do-not-ship' && returnedStates.includes(state)) return 'hand-to-finance';
    // One of the two may be on its way back.
    if (action === 'refund-one' && payment.concern && isOperationOpen(payment.concern)) return 'look-up';
    // One of the two may be back as a whole.
    if (action === 'refund-one' && head.action?.kind === 'record') return 'record';
    return action;
  };
  return reconciliationCauses
    .filter(cause => applies[cause])
    .map(cause => ({ cause, action: actionOf(cause), since: head.since }));
};

/** States that the evidence proves only for money that came in. */
const proven: readonly PaymentState[] = [
  'paid-confirmed',
  'part-refunded',
  'refunded',
  'voided',
  'reversed',
  'chargeback',
];

/** Whether a reason can be true beside the evidence: what is proven to have come was not unpaid. */
export const canBeReason = (
  reason: ResolutionReason,
  { state, paidAt, flags }: Pick<PaymentRow, 'state' | 'paidAt' | 'flags'>,
): boolean =>
  reason !== 'confirmed-not-paid' ||
  paidAt === null ||
  !(proven.includes(state) || flags.some(({ kind }) => kind === 'settled-twice'));
