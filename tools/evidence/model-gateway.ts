import * as fc from 'fast-check';
import type { DraftOf, EventDraft } from '../../shared/payments/evidence.ts';
import { accepted, again, callback, lookUp, order, requested, withRefundedAmount } from './evidence.ts';
import {
  operationAnswered,
  operationRefused,
  operationRequested,
  operationUnanswered,
} from './operation-evidence.ts';

/**
 * A gateway that keeps the truth of every cent of one payment, and what reaches a console of it: callbacks and answers that
 * are lost, repeated or late, and look-ups now and then. Refunds, cancellations and disputes come from the console, from
 * a second person at the dashboard and from banks, which also take refunds back days later.
 */

const second = 1_000;
const minute = 60 * second;
const day = 24 * 60 * minute;

/** How a callback reaches the console. */
type Delivery = { isLost: boolean; delay: number; copies: number };

type Return = {
  do: 'refund' | 'void' | 'chargeback';
  isHere: boolean;
  /** Minor units; null: all that is left. */
  amount: number | null;
  answer: 'accepted' | 'unanswered' | 'never-arrived' | 'refused-and-done';
  result: 'success' | 'fail';
  /** The bank takes a refund back, the merchant wins a dispute. */
  isTakenBack: boolean;
  /** A callback says first that it waits. */
  waits: Delivery | null;
  reports: Delivery;
  takesBack: Delivery;
  /** What its callbacks have in common: a separate RRN, or only their date; or nothing. */
  reference: 'rrn' | 'date' | 'none';
};
type Step = { gap: number } & (Return | { do: 'look-up' });

export type Dealings = {
  /** What the payer paid, minor units. */
  paid: number;
  sale: Delivery;
  /** Whether refund callbacks name the refunded amount, and the profile says so. */
  namesRefunded: boolean;
  /** Whether callbacks carry `order_status`. */
  hasOrderStatus: boolean;
  cancelled: 'void' | 'reversal';
  /** Whether a look-up comes after the last callback too. */
  looksAgain: boolean;
  steps: readonly Step[];
};

/** What happened to one return at the gateway. */
export type Deal = {
  kind: Return['do'];
  intent: string | null;
  amount: number;
  /** Whether the money is back with the payer at the end. */
  isDone: boolean;
  /** Whether it was to leave nothing. */
  isWhole: boolean;
  /** Whether a callback that reached the console says what became of it at last. */
  isReported: boolean;
  /** Whether any callback of it reached the console. */
  isHeard: boolean;
  isTakenBack: boolean;
  /** Whether the console has reason to think of it: it asked for it, and was not refused. */
  isExpected: boolean;
};

export type World = {
  drafts: EventDraft[];
  paid: number;
  namesRefunded: boolean;
  deals: Deal[];
  /** The status of the last look-up, which comes ten minutes or more after all that happened. */
  finalStatus: string;
  looksAgain: boolean;
  /** When all evidence is in. */
  until: number;
};

export const text = (minor: number): string =>
  `${String(Math.trunc(minor / 100))}.${String(minor % 100).padStart(2, '0')}`;

const intentOf = (index: number): string =>
  `6a1f0d52-58a7-4a0c-9f3c-3b4a55b2f1${String(index).padStart(2, '0')}`;

type Timed = { at: number; run: () => void };

/** Plays dealings through: what is true at the end, and the evidence of it that reached the console. */
export const play = ({
  paid,
  sale,
  namesRefunded,
  hasOrderStatus,
  cancelled,
  looksAgain,
  steps,
}: Dealings): World => {
  const drafts: EventDraft[] = [requested(), accepted()];
  const asked = { ...order, amount: text(paid) };
  const deals: Deal[] = [];
  const timers: Timed[] = [];
  let last = 0;
  let lastArrival = 0;
  const happens = (at: number, run: () => void): void => {
    timers.push({ at, run });
    last = Math.max(last, at);
  };
  const standing = (kind: Deal['kind']): number =>
    deals.reduce((sum, one) => sum + (one.kind === kind && one.isDone ? one.amount : 0), 0);
  const left = (): number => paid - standing('refund') - standing('void');
  const statusNow = (): string => {
    if (standing('chargeback') > 0) return 'chargeback';
    if (standing('void') > 0) return cancelled;
    return left() > 0 ? 'settled' : 'refund';
  };
  const look = (at: number): void => {
    const dispute = deals.find(one => one.kind === 'chargeback' && one.isDone);
    const amount = dispute ? text(dispute.amount) : asked.amount;
    drafts.push(lookUp(at, statusNow(), { order: { ...asked, amount } }));
  };
  const deliver = (
    draft: DraftOf<'callback.received'>,
    { isLost, delay, copies }: Delivery,
    at: number,
    deal?: Deal,
  ): boolean => {
    if (isLost) return false;
    if (deal) deal.isHeard = true;
    const arrived = namesRefunded ? withRefundedAmount(again(draft, at + delay)) : again(draft, at + delay);
    drafts.push(arrived);
    lastArrival = Math.max(lastArrival, at + delay + copies * minute);
    for (let copy = 1; copy <= copies; copy += 1) drafts.push(again(arrived, at + delay + copy * minute));
    return true;
  };

  const begin = (step: Return, at: number, index: number): void => {
    const isOver = standing('void') > 0;
    const open = left();
    const amount =
      step.do === 'chargeback' ? (step.amount ?? paid) : step.do === 'void' ? open : (step.amount ?? open);
    const isPossible =
      step.do === 'chargeback'
        ? standing('chargeback') === 0
        : !isOver &&
          open > 0 &&
          amount <= open &&
          (step.do === 'refund' || open === paid) &&
          standing('chargeback') === 0;
    const intent = step.isHere && step.do !== 'chargeback' ? intentOf(index) : null;
    const deal: Deal = {
      kind: step.do,
      intent,
      amount,
      isDone: false,
      isWhole: step.do === 'chargeback' ? amount === paid : amount === open,
      isReported: false,
      isHeard: false,
      isTakenBack: false,
      isExpected: intent !== null && step.answer !== 'refused-and-done',
    };
    if (intent !== null && amount > 0 && step.do !== 'chargeback')
      drafts.push(
        operationRequested(at, {
          intent,
          operation: step.do,
          amount: step.do === 'void' ? null : text(amount),
        }),
      );
    else if (!isPossible) return;
    if (intent !== null && amount <= 0) return;
    deals.push(deal);
    if (intent !== null) {
      if (step.answer === 'never-arrived') return void drafts.push(operationUnanswered(at + second, intent));
      if (!isPossible) return void drafts.push(operationRefused(at + second, true, intent));
      drafts.push(
        step.answer === 'accepted'
          ? operationAnswered(at + second, {}, intent)
          : step.answer === 'unanswered'
            ? operationUnanswered(at + second, intent)
            : operationRefused(at + second, true, intent),
      );
    }
    const type = step.do === 'void' ? cancelled : step.do;
    const number = String(index).padStart(2, '0');
    const named = step.do === 'chargeback' || (step.do === 'refund' && namesRefunded) ? amount : paid;
    const report = (status: string, orderStatus: string) =>
      callback(0, type, status, {
        order_amount: text(named),
        rrn: step.reference === 'rrn' ? `R${number}` : '123456789012',
        date: `2026-10-05 13:00:${step.reference === 'none' ? `${number}.${status}` : number}`,
        ...(hasOrderStatus && step.do !== 'chargeback' ? { order_status: orderStatus } : {}),
      });
    if (step.waits && step.do !== 'chargeback')
      deliver(report('waiting', 'settled'), step.waits, at + second, deal);
    happens(at + 30 * second, () => {
      // Something else took the money meanwhile.
      const isDone =
        step.result === 'success' &&
        (step.do === 'chargeback'
          ? standing('chargeback') === 0
          : amount <= left() && standing('void') === 0);
      deal.isDone = isDone;
      const reported = report(isDone ? 'success' : 'fail', left() > 0 ? 'settled' : statusNow());
      if (isDone || step.do !== 'chargeback')
        deal.isReported = deliver(reported, step.reports, at + 30 * second, deal);
      if (isDone && step.isTakenBack && step.do !== 'void')
        happens(at + 2 * day, () => {
          deal.isDone = false;
          deal.isTakenBack = true;
          // A dispute that was won shows in the status alone.
          if (step.do === 'refund')
            deal.isReported =
              deliver(report('fail', 'settled'), step.takesBack, at + 2 * day, deal) && deal.isReported;
          else deal.isReported = false;
        });
    });
  };

  let at = minute;
  deliver(callback(0, 'sale', 'success', { order_amount: asked.amount }), sale, at);
  steps.forEach((step, index) => {
    at += step.gap;
    const when = at;
    happens(when, () => {
      if (step.do === 'look-up') look(when);
      else begin(step, when, index);
    });
  });
  while (timers.length > 0) {
    timers.sort((one, other) => one.at - other.at);
    timers.shift()?.run();
  }
  look(last + 11 * minute);
  const until = Math.max(last, lastArrival) + 12 * minute;
  if (looksAgain) look(until);
  return { drafts, paid, namesRefunded, deals, finalStatus: statusNow(), looksAgain, until: until + minute };
};

const delivery: fc.Arbitrary<Delivery> = fc.record({
  isLost: fc.boolean(),
  delay: fc.constantFrom(0, 0, 3 * second, 5 * minute, day, 3 * day),
  copies: fc.constantFrom(0, 0, 1, 2),
});
const gap = fc.constantFrom(3 * second, minute, 15 * minute, day, 3 * day);

const ofReturn: fc.Arbitrary<Return> = fc.record({
  do: fc.constantFrom('refund', 'refund', 'refund', 'void', 'chargeback'),
  isHere: fc.boolean(),
  amount: fc.constantFrom(null, null, 1_000, 1_000, 2_000, 2_340, 10_000),
  answer: fc.constantFrom('accepted', 'accepted', 'unanswered', 'never-arrived', 'refused-and-done'),
  result: fc.constantFrom('success', 'success', 'success', 'fail'),
  isTakenBack: fc.constantFrom(false, false, true),
  waits: fc.option(delivery, { freq: 2 }),
  reports: delivery,
  takesBack: delivery,
  reference: fc.constantFrom('rrn', 'rrn', 'date', 'none'),
});

/** Any dealings of up to five steps. */
export const dealings: fc.Arbitrary<Dealings> = fc.record({
  paid: fc.constantFrom(12_340, 12_340, 12_340, 12_600, 10_050),
  sale: delivery,
  namesRefunded: fc.boolean(),
  hasOrderStatus: fc.boolean(),
  cancelled: fc.constantFrom('void', 'reversal'),
  looksAgain: fc.boolean(),
  steps: fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.tuple(gap, ofReturn).map(([of, step]): Step => ({ gap: of, ...step })) },
      { weight: 1, arbitrary: gap.map((of): Step => ({ gap: of, do: 'look-up' })) },
    ),
    { maxLength: 5 },
  ),
});
