import type { Event, StatusAnswer } from '../payments/evidence.ts';
import type { PaymentState } from '../payments/payment.ts';
import { sameId } from './payment-id.ts';
import type { TermsMatch, Terms } from './reduce-amounts.ts';
import type { FlagCollector } from './flag-collector.ts';
import { isBeyond, isInFlight } from './steps.ts';

/** One status answer about one payment id (§2.5). */
export type Observation = {
  event: string;
  at: number;
  paymentId: string | null;
  answer: StatusAnswer;
  terms: Terms;
};

/** A claim about a payment, from one of the two sources. */
export type Claim = {
  state: PaymentState;
  at: number;
  /** When this source last reported it. */
  lastAt: number;
  event: string;
  reason: string | null;
  /** The terms of our request that fits best. */
  ours: Terms;
  /** Amount, currency and description agree with our request. */
  isFullMatch: boolean;
  /** The outcome is unknown, but it was paid at some time: a refund or a void was tried. */
  wasPaid?: boolean;
};

/** The statuses of §3.1 and `void`, which field notes add, as the console's states. */
const observedStates: ReadonlyMap<string, PaymentState> = new Map([
  // §3.1 gives `prepare` no meaning: the page exists, and nothing shows that a customer opened it.
  ['prepare', 'waiting'],
  ['redirect', 'started'],
  ['3ds', 'bank-check'],
  ['pending', 'processing'],
  ['settled', 'paid-unconfirmed'],
  ['decline', 'declined'],
  ['refund', 'refunded'],
  ['reversal', 'reversed'],
  ['void', 'voided'],
  ['chargeback', 'chargeback'],
]);

/** The state for a status alone; an unknown status leaves the outcome unknown. */
const stateOf = (status: string): PaymentState => observedStates.get(status) ?? 'outcome-unknown';

/** The statuses that prove that money came in, and their valid successors; any other status revokes it. */
const successors: ReadonlyMap<string, readonly string[]> = new Map([
  ['settled', ['refund', 'reversal', 'void', 'chargeback']],
  ['refund', ['chargeback']],
  ['reversal', ['refund', 'void', 'chargeback']],
  ['void', ['refund', 'reversal', 'chargeback']],
  ['chargeback', ['refund', 'reversal']],
]);

/** The statuses in the order in which a payment has them, for attempts of the same time. */
const turns = [...observedStates.keys()].filter(status => !successors.has(status) && status !== 'decline');
const turnOf = (status: string): number =>
  ['decline', ...turns, 'settled', 'reversal', 'void', 'refund', 'chargeback'].indexOf(status);

const later = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/**
 * The attempts of one response, oldest first: nothing specifies their order. `date` has no zone, but one format. An
 * attempt that was declined is followed by another one.
 */
const oldestFirst = (answers: readonly StatusAnswer[]): readonly StatusAnswer[] =>
  answers.length < 2
    ? answers
    : answers.toSorted(
        (one, other) =>
          later(one.date ?? '', other.date ?? '') ||
          turnOf(one.status) - turnOf(other.status) ||
          later(JSON.stringify(one), JSON.stringify(other)),
      );

/** Whether a status answer proves that money moved. */
export const isMoneyMoved = ({ answer }: Observation): boolean => successors.has(answer.status);

/** Whether an answer shows that the gateway knows a payment: a status of §3.1, or a payment or order number in it. */
export const confirmsPayment = (answer: StatusAnswer, orderNumber: string): boolean =>
  answer.order.number === null
    ? observedStates.has(answer.status) || answer.paymentId !== null
    : answer.order.number === orderNumber;

/**
 * The status answers among an order's events. `events`: in canonical order. Answers that name another order, or
 * another payment than the one that was asked for, are flagged and left out.
 */
export const observationsOf = (
  events: readonly Event[],
  orderNumber: string,
  notes: FlagCollector,
): Observation[] => {
  const observations: Observation[] = [];
  for (const event of events) {
    if (event.kind !== 'status.observed') continue;
    for (const answer of oldestFirst(event.body.answers)) {
      if (!observedStates.has(answer.status) || answer.status === 'void') {
        notes.add('outside-interface', { field: 'status', theirs: answer.status }, [event.id]);
      }
      if (answer.order.number !== null && answer.order.number !== orderNumber) {
        notes.add(
          'sources-disagree',
          { field: 'order-number', ours: orderNumber, theirs: answer.order.number },
          [event.id],
        );
        continue;
      }
      const { asked } = event.body;
      if (asked.by === 'payment-id' && answer.paymentId !== null && !sameId(asked.value, answer.paymentId)) {
        notes.add('sources-disagree', { field: 'payment-id', ours: asked.value, theirs: answer.paymentId }, [
          event.id,
        ]);
        continue;
      }
      observations.push({
        event: event.id,
        at: event.happenedAt,
        paymentId: answer.paymentId ?? (asked.by === 'payment-id' ? asked.value : null),
        answer,
        terms: answer.order,
      });
    }
  }
  return observations;
};

/**
 * The gateway's claim about one payment id, and since when. The latest answer counts, unless it revokes that money
 * came in: then the payment needs attention, and a chargeback remains one. `observations`: oldest first.
 */
export const lookUpClaim = (
  observations: readonly Observation[],
  matchTo: (terms: Terms) => TermsMatch,
  notes: FlagCollector,
): Claim | null => {
  const [first, ...others] = observations;
  if (!first) return null;
  const last = others.at(-1) ?? first;
  /** The latest answer that revoked nothing, and the start of its claim. */
  let current = first;
  let since = first;
  let reversedAt: number | null = null;
  for (const observation of others) {
    const { status } = observation.answer;
    const [before, after] = [stateOf(current.answer.status), stateOf(status)];
    if (isInFlight(before) && isInFlight(after) && !isBeyond(after, before)) continue;
    const allowed = successors.get(current.answer.status);
    if (allowed && status !== current.answer.status && !allowed.includes(status)) {
      notes.add('source-took-back', { field: 'status', ours: current.answer.status, theirs: status }, [
        current.event,
        observation.event,
      ]);
      reversedAt ??= observation.at;
      continue;
    }
    reversedAt = null;
    if (current.answer.status === 'chargeback') continue;
    if (status !== current.answer.status) since = observation;
    current = observation;
  }
  const { amount, currency, description, ours } = matchTo(last.terms);
  const named = last.terms.amount !== null && last.terms.currency !== null;
  const wrong = (last.terms.amount !== null && !amount) || (last.terms.currency !== null && !currency);
  const state = stateOf(current.answer.status);
  const isUnverified =
    state !== 'chargeback' && (reversedAt !== null || (state === 'paid-unconfirmed' && wrong));
  return {
    state: isUnverified ? 'needs-attention' : state,
    at: reversedAt !== null && isUnverified ? reversedAt : since.at,
    lastAt: last.at,
    event: last.event,
    reason: last.answer.reason,
    ours,
    isFullMatch: named && amount && currency && (description || last.terms.description === null),
  };
};
