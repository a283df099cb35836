import { operationTable } from '../operations/operation-kinds.ts';
import type { Event } from '../payments/evidence.ts';
import type { Payment } from '../payments/payment.ts';
import { movementTypes } from '../payment-reducer/ledger/match-movement.ts';
import { rowOf } from '../payments/payment-row.ts';
import { dayMs, lastAskedAt, recheckedStates } from '../payment-reducer/checked-days.ts';
import { idToCheck } from './look-up-key.ts';
import { sameId } from '../payment-reducer/evidence/payment-id.ts';
import { reconcile } from '../reports/reconcile.ts';

/** Why a payment is looked up without a person at its page, the most urgent first. */
export const lookUpReasons = [
  'bulk',
  'operation',
  'confirm',
  'expired',
  'watch',
  'stalled',
  'recheck',
] as const;
export type LookUpReason = (typeof lookUpReasons)[number];

/** Which look-ups the payments of one profile may have. */
export type LookUpWishes = {
  /** The setting: confirm what was paid, check expired links, and payments without a result. */
  automatic: boolean;
  /** Callbacks do not reach this console: an open link is watched. */
  watch: boolean;
  /** Days after a payment, ascending. */
  recheckDays: readonly number[];
  /** Whether the provider answers look-ups by order number. */
  byOrder: boolean;
};

/** `at`: when it is due, milliseconds; `paymentId` null: by order number. */
export type WantedLookUp = { reason: LookUpReason; at: number; paymentId: string | null };

/** What decides about the next look-up beside the payment; times in milliseconds. */
export type LookUpEvidence = {
  /** When the provider last answered or refused a look-up; null: never. */
  askedAt: number | null;
  /** What the provider answered, and about which payment id; without a status: it refused to. */
  observed: readonly { at: number; status: string | null; paymentId: string | null }[];
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Delays after an operation or a report. */
const reportDelaysMs = [15_000, hourMs, dayMs, 7 * dayMs];
/** Delays after a callback reported a payment as paid; then those of a stalled payment. */
const confirmDelaysMs = [1_500, 10_000, minuteMs, 5 * minuteMs];
/** Delays after a payment stalled. */
const stalledDelaysMs = [0, 10 * minuteMs, hourMs, 6 * hourMs, dayMs];
/** The clocks of console and provider differ: the answer has to be newer than the expiry. */
const expiredDelaysMs = [5_000];
/** Delay of the first look-up of an open link; the shortest and the longest pause between two. */
const watchFirstMs = 20_000;
const watchMaxMs = 10 * minuteMs;

/** Whether a callback of this type and status needs a look-up as its second source. */
export const needsSecondSource = (type: string, status: string): boolean =>
  movementTypes.has(type) || (type === 'sale' && status === 'success');

/** What decides about the next look-up of a payment, from all its events. */
export const lookUpEvidenceOf = (events: readonly Event[]): LookUpEvidence => ({
  askedAt: lastAskedAt(events),
  observed: events.flatMap(event => {
    if (event.kind !== 'status.observed') return [];
    const { asked, answers } = event.body;
    const named = answers.map(({ status, paymentId }) => ({ at: event.happenedAt, status, paymentId }));
    return asked.by === 'payment-id' && lastAskedAt([event]) !== null
      ? [...named, { at: event.happenedAt, status: null, paymentId: asked.value }]
      : named;
  }),
});

/** When the provider last answered about this payment id, milliseconds; null: never. */
const askedAbout = (observed: LookUpEvidence['observed'], id: string): number | null =>
  observed.findLast(({ paymentId }) => paymentId !== null && sameId(paymentId, id))?.at ?? null;

/** Whether an attempt has a result. */
const isEnded = ({ attempts }: Payment, id: string): boolean =>
  attempts.some(one => sameId(one.paymentId, id) && one.outcome !== 'in-progress');

/** The first of these times after `base` that no look-up has followed yet. */
const nextOf = (base: number, delaysMs: readonly number[], askedAt: number | null): number | null => {
  const delay = delaysMs.find(milliseconds => askedAt === null || askedAt < base + milliseconds);
  return delay === undefined ? null : base + delay;
};

/**
 * The next look-up that a payment still wants: why, when, and by which payment id; null if its evidence needs no more.
 * A look-up by anyone counts, also one that was refused. It depends on the evidence alone, so that a restart changes
 * nothing. `now` in milliseconds.
 */
export const nextLookUp = (
  payment: Payment,
  { askedAt, observed }: LookUpEvidence,
  { automatic, watch, recheckDays, byOrder }: LookUpWishes,
  now: number,
): WantedLookUp | null => {
  const { state, paidAt, since } = payment;
  const latest = payment.paymentIds.at(-1) ?? null;
  const wanted: WantedLookUp[] = [];
  const want = (reason: LookUpReason, at: number | null, paymentId: string | null = latest): void => {
    if (at !== null && (paymentId !== null || byOrder)) wanted.push({ reason, at, paymentId });
  };

  for (const operation of payment.operations) {
    const { kind, state: of, provenBy, since: from } = operation;
    const { sign, provingStatuses, contradictingStatuses } = operationTable[kind];
    // A refund and a cancellation are movements; what makes a payment paid needs only a status with a result.
    if (sign !== '+' || of === 'refused' || of === 'not-sent' || provenBy === 'look-up') continue;
    const deciding = [...provingStatuses, ...contradictingStatuses];
    if (observed.some(one => one.at >= operation.at && one.status !== null && deciding.includes(one.status)))
      continue;
    // The answer to a charge may name the payment of another order.
    const charged = byOrder ? null : latest;
    want(
      'operation',
      nextOf(from, reportDelaysMs, askedAt),
      kind === 'recurring' ? charged : operation.paymentId,
    );
  }
  const refused = new Set(
    payment.operations.filter(({ state: of }) => of === 'refused').map(({ intent }) => intent),
  );
  for (const { kind, fate, since: from, intent, paymentId } of payment.movements) {
    if (kind === 'paid' || fate === 'proven' || fate === 'won' || refused.has(intent ?? '')) continue;
    // A failure is looked up once: a callback's type and status are not signed (§5.3).
    const delays = fate === 'failed' ? reportDelaysMs.slice(0, 1) : reportDelaysMs;
    want('operation', nextOf(from, delays, askedAt), paymentId);
  }
  if (recheckDays.length > 0 && paidAt !== null && recheckedStates.some(one => one === state)) {
    const days = recheckDays.map(day => day * dayMs);
    if (now < paidAt + 2 * (days.at(-1) ?? 0))
      want('recheck', nextOf(paidAt, days, askedAt), idToCheck(payment));
  }
  if (automatic) {
    const isOneSource = state === 'paid-unconfirmed' && payment.basis?.kind === 'callback';
    // A settled answer with another description adds nothing when it is repeated.
    const differs = payment.flags.some(({ kind }) => kind === 'description-differs');
    if (isOneSource && !differs) want('confirm', nextOf(since, confirmDelaysMs, askedAt), idToCheck(payment));
    // What is on its way, or has to be confirmed, is asked for by its id first.
    const isNamed = state === 'processing' || state === 'paid-unconfirmed';
    const unused = isNamed ? [] : payment.links.filter(({ used }) => used !== 'yes');
    const newest = unused.at(-1);
    if (newest !== undefined) {
      const { issuedAt } = newest;
      const expiresAt = Math.max(...unused.map(one => one.expiresAt));
      const last = Math.max(askedAt ?? 0, issuedAt);
      const pause = Math.min(Math.max((last - issuedAt) / 2, watchFirstMs), watchMaxMs);
      // Only the order number finds another attempt after one with a result, and one on a page that is not known.
      const isElsewhere =
        latest === null || isEnded(payment, latest) || payment.links.length > payment.paymentIds.length;
      if (watch && last + pause < expiresAt)
        want('watch', last + pause, byOrder && isElsewhere ? null : latest);
      want('expired', nextOf(expiresAt, expiredDelaysMs, askedAt), byOrder ? null : latest);
      // An order number answers for the latest attempt alone.
      const others = payment.paymentIds.length > 1 ? payment.paymentIds : [];
      for (const one of others.filter(id => !isEnded(payment, id)))
        want('expired', nextOf(expiresAt, expiredDelaysMs, askedAbout(observed, one)), one);
    }
    const stalled = reconcile(rowOf(payment), now).find(({ action }) => action === 'look-up');
    if (stalled) want('stalled', nextOf(stalled.since, stalledDelaysMs, askedAt));
  }
  const rank = ({ reason }: WantedLookUp): number => lookUpReasons.indexOf(reason);
  return wanted.sort((one, other) => one.at - other.at || rank(one) - rank(other))[0] ?? null;
};
