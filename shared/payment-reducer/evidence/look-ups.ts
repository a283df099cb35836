import type { Event, StatusAnswer } from '../../payments/evidence.ts';
import type { PaymentState } from '../../payments/payment.ts';
import { sameId } from './payment-id.ts';
import type { Asked, Terms } from './terms.ts';
import type { FlagCollector } from './flag-collector.ts';
import { isBeyond, isInFlight } from './steps.ts';

/** One status answer about one payment id (§2.5). */
export type Observation = {
  event: string;
  at: number;
  paymentId: string | null;
  answer: StatusAnswer;
  terms: Terms;
  writer: string;
  /** Its place among the events. */
  index: number;
  asked: Asked;
  /** Whether the interface or field notes know its status. */
  isKnownStatus: boolean;
};

/** What one source says about a payment of which no money is known. */
export type Claim = {
  state: PaymentState;
  at: number;
  /** When this source last reported it. */
  lastAt: number;
  event: string;
  reason: string | null;
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
  askedAt: (index: number) => Asked,
  notes: FlagCollector,
): Observation[] => {
  const observations: Observation[] = [];
  for (const [index, event] of events.entries()) {
    if (event.kind !== 'status.observed') continue;
    for (const answer of oldestFirst(event.body.answers)) {
      if (!observedStates.has(answer.status) || answer.status === 'void')
        notes.add('outside-interface', { field: 'status', theirs: answer.status }, [event.id]);
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
        writer: event.writer,
        index,
        asked: askedAt(index),
        isKnownStatus: observedStates.has(answer.status),
      });
    }
  }
  return observations;
};

/**
 * The gateway's claim about one payment id, and since when. The latest answer counts, but a late earlier step, and a word
 * that neither the interface nor field notes know beside one that they know. Flags an answer that revokes that money
 * came in. `observations`: oldest first.
 */
export const lookUpClaim = (observations: readonly Observation[], notes: FlagCollector): Claim | null => {
  let current: Observation | null = null;
  let since = 0;
  for (const observation of observations) {
    const { status } = observation.answer;
    if (current === null) {
      current = observation;
      since = observation.at;
      continue;
    }
    if (!observation.isKnownStatus && current.isKnownStatus) continue;
    const { answer } = current;
    const [before, after] = [stateOf(answer.status), stateOf(status)];
    if (isInFlight(before) && isInFlight(after) && !isBeyond(after, before)) continue;
    const allowed = successors.get(answer.status);
    if (allowed && status !== answer.status && !allowed.includes(status))
      notes.add('source-took-back', { field: 'status', ours: answer.status, theirs: status }, [
        current.event,
        observation.event,
      ]);
    if (status !== answer.status) since = observation.at;
    current = observation;
  }
  const last = observations.at(-1);
  if (!current || !last) return null;
  return {
    state: stateOf(current.answer.status),
    at: since,
    lastAt: last.at,
    event: last.event,
    reason: last.answer.reason,
  };
};
