import { setTimeout as wait } from 'node:timers/promises';
import type { OperationKind } from '../../shared/operations/operation-kinds.ts';
import { applyToPaid, refundable } from './after-payment.ts';
import { gatewayDate } from './callback.ts';
import { refusal, type Answer } from './faults.ts';
import type { Outcome } from './choices.ts';
import {
  amountProblem,
  duplicateRequest,
  paymentNotFound,
  validateAmount,
  validatePayment,
  validateRecurring,
  type NumberedProblem,
} from './operation-requests.ts';
import { amountProblems, type Merchant } from './requests.ts';
import { readAmount } from './sandbox-money.ts';
import {
  defaultReason,
  type Attempt,
  type FoundAttempt,
  type PaymentStatus,
  type SandboxEvent,
  type SandboxPayments,
  type Session,
  settle,
} from './sandbox-payments.ts';
import type { SandboxChoices, SandboxOperation } from './sandbox.ts';

const results: Readonly<Record<Outcome, 'SUCCESS' | 'FAIL' | 'UNDEFINED'>> = {
  success: 'SUCCESS',
  fail: 'FAIL',
  'wait-success': 'UNDEFINED',
  'wait-fail': 'UNDEFINED',
};

/**
 * The answer to a void at `now` in milliseconds, in one of the three documented shapes; `before` is the payment's
 * status until then. A done one always says `void`, also if look-ups say `reversal` afterwards.
 */
const voidAnswer = (
  shape: SandboxChoices['voidAnswer'],
  outcome: Outcome,
  before: PaymentStatus,
  { session, attempt }: FoundAttempt,
  now: number,
): Record<string, unknown> => {
  const result = results[outcome];
  const status = result === 'SUCCESS' ? 'void' : before;
  const { number, amount, currency, description } = session.request.order;
  const payment = { payment_id: attempt.paymentId, date: gatewayDate(now) };
  const rest = {
    ...payment,
    ...(result === 'FAIL' ? { reason: defaultReason } : {}),
    order: { number, amount, currency, description },
  };
  if (shape === 'table')
    return { status: result === 'UNDEFINED' ? 'UNDEFINED' : status.toUpperCase(), ...rest };
  if (shape === 'example') return { status: result, payment_status: status, ...rest };
  return { ...payment, status, trans_status: result };
};

type Problem = NumberedProblem | string;

/** An operation on one payment; `amount` in wire form, empty for the whole payment. */
type Rule = {
  /** The choice of how it ends. */
  outcome: 'refundOutcome' | 'voidOutcome' | 'captureOutcome' | 'retryOutcome';
  /** Why the payment does not allow it; null if it does. */
  problem: (found: FoundAttempt) => Problem | null;
  /** The most that it may name, in wire form; without it, it names no amount. */
  limit?: (found: FoundAttempt) => { most: string; tooMuch: NumberedProblem };
  /** The callback before the last one, if it says more than `waiting`. */
  waiting?: (found: FoundAttempt, amount: string) => SandboxEvent[];
  /** Applies the outcome and returns the last callbacks. */
  end: (found: FoundAttempt, succeeds: boolean, amount: string) => SandboxEvent[];
  /** The answer of one that happens at once, unless it waits; without it, an answer says that it was accepted. */
  answer?: (found: FoundAttempt, before: PaymentStatus, outcome: Outcome) => Record<string, unknown>;
};

export type OperationsOptions = {
  payments: SandboxPayments;
  merchant: Merchant;
  choices: () => SandboxChoices;
  clock: () => number;
  /** Milliseconds from a request to its callback. */
  delayMs: number;
  /** Ends the waits. */
  closing: AbortSignal;
  send: (session: Session, sandboxEvents: readonly SandboxEvent[]) => void;
};

export type Operations = ReturnType<typeof createOperations>;

const acceptedLimit = 10_000;

const notRefundable: NumberedProblem = { code: 208_005, text: 'Only a settled payment can be refunded.' };
const refundTooHigh: NumberedProblem = { code: 208_006, text: 'The refund is more than what is left.' };
const notAuthorised: NumberedProblem = { code: 208_003, text: 'Only an authorised payment can be captured.' };
const captureTooHigh: NumberedProblem = { code: 208_004, text: 'The capture is more than was authorised.' };
const partlyRefunded: NumberedProblem = {
  code: 208_009,
  text: 'A payment that was refunded in part can no longer be voided.',
};
const notVoidable = 'payment_id: Only a settled or an authorised payment can be voided.';
const voidTooLate = 'payment_id: A payment can be voided on the day of its settlement only.';
const notRetryable = 'payment_id: Only a declined recurring payment can be retried.';
const tokenNotValid = 'recurring_token: This value is not valid.';

/** A payment of a series, as events of the type that the merchant chose. */
export const asChosen = (
  { recurring }: Session,
  sandboxEvents: readonly SandboxEvent[],
  { recurringCallback }: SandboxChoices,
): SandboxEvent[] =>
  sandboxEvents.map(one =>
    one.type === 'sale' && recurring?.initialPaymentId ? { ...one, type: recurringCallback } : one,
  );

export const createOperations = (options: OperationsOptions) => {
  const { payments, merchant, choices, clock, closing, send } = options;
  const accepted: SandboxOperation[] = [];

  const accept = (operation: OperationKind, paymentId: string, amount: string | null): void => {
    accepted.push({ operation, paymentId, amount, at: clock() });
    if (accepted.length > acceptedLimit) accepted.shift();
  };

  /** False if the sandbox closed meanwhile. */
  const pause = (): Promise<boolean> =>
    wait(options.delayMs, true, { signal: closing, ref: false }).catch(() => false);

  const voidProblem = ({ attempt }: FoundAttempt): Problem | null => {
    if (attempt.isAuthorised) return null;
    if (attempt.status !== 'settled' || attempt.paidAt === null) return notVoidable;
    if (attempt.refunded > 0n) return partlyRefunded;
    const day = (at: number): string => gatewayDate(at).slice(0, 10);
    return day(attempt.paidAt) === day(clock()) ? null : voidTooLate;
  };
  const failed = (attempt: Attempt, type: SandboxEvent['type']): SandboxEvent[] => [
    { attempt, type, status: 'fail', reason: defaultReason },
  ];
  const refundAs = (
    { session, attempt }: FoundAttempt,
    status: SandboxEvent['status'],
    amount: string,
  ): SandboxEvent[] => {
    const sandboxEvents = applyToPaid(session, attempt, { type: 'refund', status }, amount, choices());
    return typeof sandboxEvents === 'string'
      ? [{ attempt, type: 'refund', status: 'fail', reason: sandboxEvents }]
      : sandboxEvents;
  };

  const rules: Readonly<Record<Exclude<OperationKind, 'recurring'>, Rule>> = {
    refund: {
      outcome: 'refundOutcome',
      problem: ({ session, attempt }) => (refundable(session, attempt) === '' ? notRefundable : null),
      // Only a refund that succeeded takes from what is left: a second equal one really pays twice.
      limit: ({ session, attempt }) => ({ most: refundable(session, attempt), tooMuch: refundTooHigh }),
      waiting: (found, amount) => refundAs(found, 'waiting', amount),
      end: (found, succeeds, amount) => refundAs(found, succeeds ? 'success' : 'fail', amount),
    },
    void: {
      outcome: 'voidOutcome',
      problem: voidProblem,
      end: (found, succeeds) => {
        const { attempt } = found;
        if (!succeeds || voidProblem(found) !== null) return failed(attempt, 'void');
        attempt.status = choices().voidedStatus;
        attempt.isAuthorised = false;
        return [{ attempt, type: 'void', status: 'success' }];
      },
      answer: (found, before, outcome) => voidAnswer(choices().voidAnswer, outcome, before, found, clock()),
    },
    capture: {
      outcome: 'captureOutcome',
      problem: ({ attempt }) => (attempt.isAuthorised ? null : notAuthorised),
      limit: ({ session }) => ({ most: session.request.order.amount, tooMuch: captureTooHigh }),
      end: ({ attempt }, succeeds, amount) => {
        if (!succeeds || !attempt.isAuthorised) return failed(attempt, 'capture');
        attempt.isAuthorised = false;
        attempt.captured = readAmount(amount)?.units ?? null;
        settle(attempt, clock());
        return [{ attempt, type: 'capture', status: 'success' }];
      },
      answer: ({ attempt }, _before, outcome) => ({
        payment_id: attempt.paymentId,
        status: attempt.status,
        trans_status: results[outcome],
        date: gatewayDate(clock()),
      }),
    },
    retry: {
      outcome: 'retryOutcome',
      problem: ({ session, attempt }) =>
        session.recurring?.initialPaymentId && attempt.status === 'decline' ? null : notRetryable,
      end: ({ session, attempt }, succeeds) => {
        // Another retry may have succeeded meanwhile.
        if (attempt.status !== 'decline') return [];
        return asChosen(session, succeeds ? settle(attempt, clock()) : failed(attempt, 'sale'), choices());
      },
    },
  };

  /** Accepts an operation, and sends its callbacks after the delay: `waiting` first if the outcome waits. */
  const operate = (operation: keyof typeof rules, body: unknown): Answer => {
    const rule = rules[operation];
    const checked = rule.limit ? validateAmount(body, merchant) : validatePayment(body, merchant);
    if (!checked.ok) return refusal(checked.problems);
    const { payment_id: paymentId, amount }: { payment_id: string; amount?: string } = checked.value;
    const found = payments.find({ by: 'payment_id', value: paymentId });
    if (!found) return refusal([paymentNotFound]);
    const { session, attempt } = found;
    const problem = rule.problem(found);
    if (problem !== null) return refusal([problem]);
    if (choices().duplicates === 'refused' && attempt.inFlight.length > 0) return refusal([duplicateRequest]);
    const limit = rule.limit?.(found);
    const wrong = limit && amountProblem(amount ?? '', limit.most, limit.tooMuch);
    if (wrong) return refusal([wrong]);
    const before = attempt.status;
    const outcome = choices()[rule.outcome];
    accept(operation, paymentId, amount ?? null);
    const waits = outcome === 'wait-success' || outcome === 'wait-fail';
    const end = () => rule.end(found, outcome === 'success' || outcome === 'wait-success', amount ?? '');
    // What is answered with its result has happened by then.
    const ended = rule.answer && !waits ? end() : null;
    const entry = { operation, amount: amount ?? null, since: clock() };
    attempt.inFlight = [...attempt.inFlight, entry];
    const callBack = async (): Promise<void> => {
      if (!(await pause())) return;
      if (waits) {
        const type = operation === 'retry' ? 'sale' : operation;
        const waiting = asChosen(session, [{ attempt, type, status: 'waiting' }], choices());
        send(session, rule.waiting?.(found, amount ?? '') ?? waiting);
        if (!(await pause())) return;
      }
      attempt.inFlight = attempt.inFlight.filter(one => one !== entry);
      send(session, ended ?? end());
    };
    void callBack();
    const json = rule.answer?.(found, before, outcome) ?? { payment_id: paymentId, result: 'accepted' };
    return { status: 200, json };
  };

  const recurring = (body: unknown): Answer => {
    const checked = validateRecurring(body, merchant);
    if (!checked.ok) return refusal(checked.problems);
    const { recurring_init_trans_id: initialPaymentId, recurring_token: token, order } = checked.value;
    const first = payments.find({ by: 'payment_id', value: initialPaymentId });
    const series = first?.session.recurring;
    if (!first || !series || series.initialPaymentId !== null || first.attempt.paidAt === null)
      return refusal([paymentNotFound]);
    if (series.token !== token) return refusal([tokenNotValid]);
    const { currency } = first.session.request.order;
    const problems = amountProblems({ order: { amount: order.amount, currency } });
    if (problems.length > 0) return refusal(problems);
    const status = ({ settled: 'success', decline: 'fail', pending: 'waiting' } as const)[
      choices().recurringOutcome
    ];
    const { session, sandboxEvents } = payments.charge(first.session, clock(), status, checked.value);
    const [attempt] = session.attempts;
    accept('recurring', attempt.paymentId, order.amount);
    void pause().then(isOpen => {
      if (isOpen) send(session, asChosen(session, sandboxEvents, choices()));
    });
    const { number, amount, description } = order;
    const { schedule_id: scheduleId } = checked.value;
    return {
      status: 200,
      json: {
        status: attempt.status === 'decline' ? 'declined' : attempt.status,
        ...(attempt.reason === null ? {} : { reason: attempt.reason }),
        payment_id: attempt.paymentId,
        date: gatewayDate(attempt.startedAt),
        ...(scheduleId === undefined ? {} : { schedule_id: scheduleId }),
        order: { number, amount, currency, description },
      },
    };
  };

  return {
    /** The response to a request for an operation (assumption); an accepted one is applied, now or after the delay. */
    answer: (operation: OperationKind, body: unknown): Answer =>
      operation === 'recurring' ? recurring(body) : operate(operation, body),
    accepted: (): readonly SandboxOperation[] => [...accepted],
  };
};
