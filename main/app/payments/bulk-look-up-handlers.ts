import { lookUpKeyOf } from '../../../shared/look-ups/look-up-key.ts';
import type { Handlers } from '../../../shared/contract/contract.ts';
import { fail, ok, type AppError, type ErrorCode } from '../../../shared/errors.ts';
import type { Payment, PaymentState } from '../../../shared/payments/payment.ts';
import type { PaymentKey } from '../../../shared/payments/payment-key.ts';
import { rowOf } from '../../../shared/payments/payment-row.ts';
import { stateAt } from '../../../shared/payment-reducer/state-at.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { Asked, LookUpQueue } from '../../look-ups/look-up-queue.ts';
import { toLogFailure } from '../../payment-log/log-failures.ts';
import { paymentMissing } from './find-payment.ts';
import type { AppDependencies } from '../common/app-context.ts';
import type { LookUp } from './look-up-payment.ts';
import type { BulkLookUp, LookUpOutcome } from '../../../shared/look-ups/bulk-look-up.ts';

export type LookUpAnswer =
  | { outcome: Exclude<LookUpOutcome, 'failed'> }
  | { outcome: 'failed'; error: AppError };
export type LookUpEntry = { order: PaymentKey } & LookUpAnswer;

/**
 * Looks up payments through the queue; pauses if the provider refuses or no request is possible. `lookUp` never throws;
 * `emit` receives every step.
 */
export const runBulkLookUp = (
  orders: readonly PaymentKey[],
  {
    queue,
    lookUp,
    emit,
  }: {
    queue: LookUpQueue;
    lookUp: (order: PaymentKey) => Promise<LookUpAnswer>;
    emit: (job: BulkLookUp) => void;
  },
) => {
  const id = crypto.randomUUID();
  const entries: LookUpEntry[] = [];
  let phase: BulkLookUp['phase'] = 'running';
  let problem: AppError | null = null;
  /** Without an answer yet. */
  const remaining = new Set(orders);

  const state = (): BulkLookUp => {
    const outcomes = { 'paid-now': 0, changed: 0, unchanged: 0, failed: 0 };
    const causes = new Map<ErrorCode, number>();
    for (const entry of entries) {
      outcomes[entry.outcome] += 1;
      if (entry.outcome === 'failed') causes.set(entry.error.code, (causes.get(entry.error.code) ?? 0) + 1);
    }
    const failures = [...causes].map(([code, count]) => ({ code, count }));
    return { id, phase, total: orders.length, done: entries.length, outcomes, failures, problem };
  };
  const setPhase = (to: BulkLookUp['phase'], why: AppError | null = null): void => {
    if (phase === 'over' || phase === to) return;
    phase = to;
    problem = why;
    emit(state());
  };

  const ask = async (order: PaymentKey): Promise<Asked> => {
    if (phase !== 'running' || !remaining.delete(order)) return 'skipped';
    const answer = await lookUp(order);
    entries.push({ order, ...answer });
    if (entries.length === orders.length) setPhase('over');
    else emit(state());
    return answer.outcome === 'failed' ? answer.error : 'answered';
  };
  const onPause = (why: AppError): void => {
    if (phase === 'running' && remaining.size > 0) setPhase('paused', why);
  };
  const resume = (): void => {
    setPhase('running');
    for (const profileId of new Set(orders.map(order => order.profileId))) queue.resume(profileId);
    for (const order of remaining)
      queue.add({ ...order, reason: 'bulk', at: 0, ask: () => ask(order), onPause });
  };
  resume();

  return {
    state,
    entries: (): readonly LookUpEntry[] => entries,
    pause: () => setPhase('paused'),
    resume,
    /** Starts no further look-ups; those in flight are still answered and stored. */
    stop: () => setPhase('over'),
  };
};

type BulkLookUpHandlers = Pick<
  Handlers,
  'lookUps.start' | 'lookUps.control' | 'lookUps.read' | 'lookUps.payments'
>;

const paid: readonly PaymentState[] = ['paid-confirmed', 'paid-unconfirmed'];

/** The requests about bulk look-ups; one job at a time. */
export const createBulkLookUpHandlers = (
  parts: AppDependencies,
  lookUp: LookUp,
  queue: LookUpQueue,
): { handlers: BulkLookUpHandlers; isRunning: () => boolean; stop: () => void } => {
  let job: ReturnType<typeof runBulkLookUp> | null = null;

  const read = async ({ profileId, orderNumber }: PaymentKey): Promise<Payment | null> =>
    parts.log.ok ? parts.log.value.payment(profileId, orderNumber) : null;
  const stateOf = (payment: Payment | null): PaymentState | null =>
    payment && stateAt({ state: payment.state, expiresAt: payment.link?.expiresAt ?? null }, parts.clock());

  const lookUpOne = async (order: PaymentKey, agent: string): Promise<LookUpAnswer> => {
    const before = await read(order);
    if (before === null) return { outcome: 'failed', error: paymentMissing(order.orderNumber).error };
    const stateBefore = stateOf(before);
    const answered = await lookUp(order.profileId, lookUpKeyOf(before), 'console', agent);
    if (!answered.ok) return { outcome: 'failed', error: answered.error };
    const is = stateOf(await read(order));
    if (is === stateBefore || is === null) return { outcome: 'unchanged' };
    return { outcome: paid.includes(is) ? 'paid-now' : 'changed' };
  };
  /** The log may fail meanwhile. */
  const lookUpSafely = (order: PaymentKey, agent: string): Promise<LookUpAnswer> =>
    lookUpOne(order, agent).catch((thrown: unknown) => ({
      outcome: 'failed',
      error: toLogFailure(thrown).error,
    }));

  const current = () => ok({ job: job?.state() ?? null });
  return {
    handlers: {
      'lookUps.start': async ({ payments }) => {
        if (!parts.log.ok) return parts.log;
        if (job !== null && job.state().phase !== 'over')
          return fail('input.invalid', msg('bulk-look-up.already-running'), {
            hint: msg('bulk-look-up.already-running.hint'),
          });
        const agent = parts.requester.name();
        const orders = [...new Map(payments.map(one => [JSON.stringify(one), one])).values()];
        const started = runBulkLookUp(orders, {
          queue,
          lookUp: order => lookUpSafely(order, agent),
          emit: state => {
            if (job === started) parts.notify('lookUps.changed', { job: state });
          },
        });
        job = started;
        const state = started.state();
        parts.notify('lookUps.changed', { job: state });
        return ok({ job: state });
      },
      'lookUps.control': async ({ to }) => {
        if (to === 'pause') job?.pause();
        else if (to === 'go-on') job?.resume();
        else if (to === 'stop') job?.stop();
        else if (job?.state().phase === 'over') {
          job = null;
          parts.notify('lookUps.changed', { job });
        }
        return current();
      },
      'lookUps.read': async () => current(),
      'lookUps.payments': async ({ outcome }) => {
        const entries = (job?.entries() ?? []).filter(entry => entry.outcome === outcome);
        const payments = await Promise.all(entries.map(({ order }) => read(order)));
        return ok({ rows: payments.filter(payment => payment !== null).map(rowOf) });
      },
    },
    // The list of a paused job would be lost.
    isRunning: () => job !== null && job.state().phase !== 'over',
    stop: () => job?.stop(),
  };
};
