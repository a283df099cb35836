import { setTimeout as wait } from 'node:timers/promises';
import type { OperationKind } from '../../shared/operations/operation-kinds.ts';
import { applyToPaid, refundable } from './after-payment.ts';
import { gatewayDate } from './callback.ts';
import { refusal, type Answer } from './faults.ts';
import type { OperationChoices, Outcome } from './operation-choices.ts';
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
  shape: OperationChoices['voidAnswer'],
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

  const paymentOf = (paymentId: string): FoundAttempt | null =>
    payments.find({ by: 'payment_id', value: paymentId });

  const isRefusedAsDuplicate = ({ attempt }: FoundAttempt): boolean =>
    choices().duplicates === 'refused' && attempt.inFlight.length > 0;

  /**
   * Accepts an operation and sends its callbacks after the delay. `waiting`: the callback before the last one, if the
   * outcome waits. `end` applies the outcome and returns the last callbacks; it runs at the end, or at once
   * (`isImmediate`) unless the outcome waits.
   */
  const begin = (
    { session, attempt }: FoundAttempt,
    { operation, amount }: { operation: OperationKind; amount: string | null },
    outcome: Outcome,
    waiting: () => SandboxEvent[],
    end: (succeeds: boolean) => SandboxEvent[],
    isImmediate = false,
  ): void => {
    accept(operation, attempt.paymentId, amount);
    const waits = outcome === 'wait-success' || outcome === 'wait-fail';
    const finish = () => end(outcome === 'success' || outcome === 'wait-success');
    const ended = isImmediate && !waits ? finish() : null;
    const entry = { operation, amount, since: clock() };
    attempt.inFlight = [...attempt.inFlight, entry];
    const callBack = async (): Promise<void> => {
      if (!(await pause())) return;
      if (waits) {
        send(session, waiting());
        if (!(await pause())) return;
      }
      attempt.inFlight = attempt.inFlight.filter(one => one !== entry);
      send(session, ended ?? finish());
    };
    void callBack();
  };

  const refund = (body: unknown): Answer => {
    const checked = validateAmount(body, merchant);
    if (!checked.ok) return refusal(checked.problems);
    const { payment_id: paymentId, amount } = checked.value;
    const found = paymentOf(paymentId);
    if (!found) return refusal([paymentNotFound]);
    const { session, attempt } = found;
    const left = refundable(session, attempt);
    if (left === '') return refusal([notRefundable]);
    if (isRefusedAsDuplicate(found)) return refusal([duplicateRequest]);
    // Only a refund that succeeded takes from what is left: a second equal one really pays twice.
    const problem = amountProblem(amount, left, refundTooHigh);
    if (problem !== null) return refusal([problem]);
    const move = (name: 'refund' | 'refund-fail' | 'refund-wait'): SandboxEvent[] => {
      const sandboxEvents = applyToPaid(session, attempt, name, amount, choices());
      return typeof sandboxEvents === 'string'
        ? [{ attempt, type: 'refund', status: 'fail', reason: sandboxEvents }]
        : sandboxEvents;
    };
    begin(
      found,
      { operation: 'refund', amount },
      choices().refundOutcome,
      () => move('refund-wait'),
      succeeds => move(succeeds ? 'refund' : 'refund-fail'),
    );
    return { status: 200, json: { payment_id: paymentId, result: 'accepted' } };
  };

  const voidProblem = ({ attempt }: FoundAttempt): NumberedProblem | string | null => {
    if (attempt.isAuthorised) return null;
    if (attempt.status !== 'settled' || attempt.paidAt === null) return notVoidable;
    if (attempt.refunded > 0n) return partlyRefunded;
    const day = (at: number): string => gatewayDate(at).slice(0, 10);
    return day(attempt.paidAt) === day(clock()) ? null : voidTooLate;
  };

  const voidPayment = (body: unknown): Answer => {
    const checked = validatePayment(body, merchant);
    if (!checked.ok) return refusal(checked.problems);
    const found = paymentOf(checked.value.payment_id);
    if (!found) return refusal([paymentNotFound]);
    const problem = voidProblem(found);
    if (problem !== null) return refusal([problem]);
    if (isRefusedAsDuplicate(found)) return refusal([duplicateRequest]);
    const { session, attempt } = found;
    const { voidOutcome, voidAnswer: shape } = choices();
    const before = attempt.status;
    begin(
      found,
      { operation: 'void', amount: null },
      voidOutcome,
      () => [{ attempt, type: 'void', status: 'waiting' }],
      succeeds => {
        if (!succeeds || voidProblem(found) !== null)
          return [{ attempt, type: 'void', status: 'fail', reason: defaultReason }];
        attempt.status = choices().voidedStatus;
        attempt.isAuthorised = false;
        return [{ attempt, type: 'void', status: 'success' }];
      },
      true,
    );
    return { status: 200, json: voidAnswer(shape, voidOutcome, before, { session, attempt }, clock()) };
  };

  const capture = (body: unknown): Answer => {
    const checked = validateAmount(body, merchant);
    if (!checked.ok) return refusal(checked.problems);
    const { payment_id: paymentId, amount } = checked.value;
    const found = paymentOf(paymentId);
    if (!found) return refusal([paymentNotFound]);
    const { session, attempt } = found;
    if (!attempt.isAuthorised) return refusal([notAuthorised]);
    if (isRefusedAsDuplicate(found)) return refusal([duplicateRequest]);
    const problem = amountProblem(amount, session.request.order.amount, captureTooHigh);
    if (problem !== null) return refusal([problem]);
    const { captureOutcome } = choices();
    begin(
      found,
      { operation: 'capture', amount },
      captureOutcome,
      () => [{ attempt, type: 'capture', status: 'waiting' }],
      succeeds => {
        if (!succeeds || !attempt.isAuthorised)
          return [{ attempt, type: 'capture', status: 'fail', reason: defaultReason }];
        attempt.isAuthorised = false;
        attempt.captured = readAmount(amount)?.units ?? null;
        settle(attempt, clock());
        return [{ attempt, type: 'capture', status: 'success' }];
      },
      true,
    );
    const result = {
      success: 'SUCCESS',
      fail: 'FAIL',
      'wait-success': 'UNDEFINED',
      'wait-fail': 'UNDEFINED',
    };
    return {
      status: 200,
      json: {
        payment_id: paymentId,
        status: attempt.status,
        trans_status: result[captureOutcome],
        date: gatewayDate(clock()),
      },
    };
  };

  const retry = (body: unknown): Answer => {
    const checked = validatePayment(body, merchant);
    if (!checked.ok) return refusal(checked.problems);
    const found = paymentOf(checked.value.payment_id);
    if (!found) return refusal([paymentNotFound]);
    const { session, attempt } = found;
    if (!session.recurring?.initialPaymentId || attempt.status !== 'decline') return refusal([notRetryable]);
    if (isRefusedAsDuplicate(found)) return refusal([duplicateRequest]);
    begin(
      found,
      { operation: 'retry', amount: null },
      choices().retryOutcome,
      () => asChosen(session, [{ attempt, type: 'sale', status: 'waiting' }], choices()),
      succeeds => {
        // Another retry may have succeeded meanwhile.
        if (attempt.status !== 'decline') return [];
        const failed: SandboxEvent = { attempt, type: 'sale', status: 'fail', reason: defaultReason };
        return asChosen(session, succeeds ? settle(attempt, clock()) : [failed], choices());
      },
    );
    return { status: 200, json: { payment_id: attempt.paymentId, result: 'accepted' } };
  };

  const recurring = (body: unknown): Answer => {
    const checked = validateRecurring(body, merchant);
    if (!checked.ok) return refusal(checked.problems);
    const { recurring_init_trans_id: initialPaymentId, recurring_token: token, order } = checked.value;
    const first = paymentOf(initialPaymentId);
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

  const answers: Readonly<Record<OperationKind, (body: unknown) => Answer>> = {
    refund,
    void: voidPayment,
    capture,
    retry,
    recurring,
  };

  return {
    /** The response to a request for an operation (assumption); an accepted one is applied, now or after the delay. */
    answer: (operation: OperationKind, body: unknown): Answer => answers[operation](body),
    accepted: (): readonly SandboxOperation[] => [...accepted],
  };
};
