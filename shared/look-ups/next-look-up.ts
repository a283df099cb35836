import type { Event } from '../payments/evidence.ts';
import type { Payment } from '../payments/payment.ts';
import { rowOf } from '../payments/payment-row.ts';
import { dayMs, lastAskedAt, recheckedStates } from '../payment-reducer/checked-days.ts';
import { receiptsOf } from '../payment-reducer/reduce-callbacks.ts';
import { endsWithLink } from '../payment-reducer/state-at.ts';
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
  /** Verified callbacks about money after the payment. */
  reports: readonly { at: number; type: string }[];
  /** What the provider answered. */
  observed: readonly { at: number; status: string }[];
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

/**
 * The statuses that prove what a callback of a type, or an operation, reported: type and status of a callback are not
 * signed (§5.3). A part of a refund is never proven.
 */
const provingStatuses: ReadonlyMap<string, readonly string[]> = new Map([
  ['refund', ['refund']],
  ['void', ['void', 'reversal', 'refund']],
  ['reversal', ['void', 'reversal', 'refund']],
  ['chargeback', ['chargeback']],
  ['capture', ['settled']],
  ['recurring', ['settled', 'decline']],
  ['retry', ['settled', 'decline']],
]);
const reportTypes: readonly string[] = ['refund', 'void', 'reversal', 'chargeback', 'capture'];

/** Whether a callback of this type and status needs a look-up as its second source. */
export const needsSecondSource = (type: string, status: string): boolean =>
  reportTypes.includes(type) || (type === 'sale' && status === 'success');

/** What decides about the next look-up of a payment, from all its events. */
export const lookUpEvidenceOf = (events: readonly Event[]): LookUpEvidence => ({
  askedAt: lastAskedAt(events),
  reports: receiptsOf(events).filter(({ trusted, type }) => trusted && reportTypes.includes(type)),
  observed: events.flatMap(event =>
    event.kind === 'status.observed'
      ? event.body.answers.map(({ status }) => ({ at: event.happenedAt, status }))
      : [],
  ),
});

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
  { askedAt, reports, observed }: LookUpEvidence,
  { automatic, watch, recheckDays, byOrder }: LookUpWishes,
  now: number,
): WantedLookUp | null => {
  const { state, link, paidAt, since } = payment;
  const latest = payment.paymentIds.at(-1) ?? null;
  const wanted: WantedLookUp[] = [];
  const want = (reason: LookUpReason, at: number | null, paymentId: string | null = latest): void => {
    if (at !== null && (paymentId !== null || byOrder)) wanted.push({ reason, at, paymentId });
  };

  const isProven = (type: string, since: number): boolean =>
    observed.some(({ at, status }) => at >= since && provingStatuses.get(type)?.includes(status) === true);

  for (const operation of payment.operations) {
    const { kind, at: requestedAt } = operation;
    if (operation.state === 'refused' || operation.state === 'not-sent') continue;
    if (operation.provenBy === 'look-up' || isProven(kind, requestedAt)) continue;
    // The answer to a charge may name the payment of another order.
    const charged = byOrder ? null : latest;
    const id = kind === 'recurring' ? charged : operation.paymentId;
    want('operation', nextOf(operation.since, reportDelaysMs, askedAt), id);
  }
  for (const { at, type } of reports)
    if (!isProven(type, at)) want('operation', nextOf(at, reportDelaysMs, askedAt));
  if (recheckDays.length > 0 && paidAt !== null && recheckedStates.some(one => one === state)) {
    const days = recheckDays.map(day => day * dayMs);
    const paid = payment.movements.findLast(({ kind }) => kind === 'paid')?.paymentId;
    if (now < paidAt + 2 * (days.at(-1) ?? 0)) want('recheck', nextOf(paidAt, days, askedAt), paid ?? latest);
  }
  if (automatic) {
    const isOneSource = state === 'paid-unconfirmed' && payment.basis?.kind === 'callback';
    // A settled answer with another description adds nothing when it is repeated.
    const differs = payment.flags.some(({ kind }) => kind === 'description-differs');
    if (isOneSource && !differs) want('confirm', nextOf(since, confirmDelaysMs, askedAt));
    if (link && endsWithLink(state)) {
      const { issuedAt, expiresAt } = link;
      const last = Math.max(askedAt ?? 0, issuedAt);
      const pause = Math.min(Math.max((last - issuedAt) / 2, watchFirstMs), watchMaxMs);
      if (watch && last + pause < expiresAt) want('watch', last + pause);
      want('expired', nextOf(expiresAt, expiredDelaysMs, askedAt));
    }
    const stalled = reconcile(rowOf(payment), now).find(({ action }) => action === 'look-up');
    if (stalled) want('stalled', nextOf(stalled.since, stalledDelaysMs, askedAt));
  }
  const rank = ({ reason }: WantedLookUp): number => lookUpReasons.indexOf(reason);
  return wanted.sort((one, other) => one.at - other.at || rank(one) - rank(other))[0] ?? null;
};
