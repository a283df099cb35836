import type { AppError, ErrorCode } from '../../../shared/errors.ts';
import type { BulkLookUp, LookUpOutcome } from '../../../shared/payments/bulk-look-up.ts';
import type { PaymentKey } from '../../../shared/payments/payment-key.ts';
import { createLimiter } from '../../pacing/limiter.ts';
import { failureLimits, failureScope, requestPacing } from '../../pacing/request-pacing.ts';

export type LookUpAnswer =
  | { outcome: Exclude<LookUpOutcome, 'failed'> }
  | { outcome: 'failed'; error: AppError };
export type LookUpEntry = { order: PaymentKey } & LookUpAnswer;

/**
 * Looks up payments, a few at a time and with delays; pauses automatically if the gateway refuses or no request is
 * possible. `lookUp` never throws; `wait` waits for a number of milliseconds; `emit` receives every step.
 */
export const runBulkLookUp = (
  orders: readonly PaymentKey[],
  {
    lookUp,
    wait,
    emit,
  }: {
    lookUp: (order: PaymentKey) => Promise<LookUpAnswer>;
    wait: (milliseconds: number) => Promise<unknown>;
    emit: (job: BulkLookUp) => void;
  },
) => {
  const id = crypto.randomUUID();
  const entries: LookUpEntry[] = [];
  let phase: BulkLookUp['phase'] = 'running';
  let problem: AppError | null = null;
  let next = 0;
  let failed = 0;
  let opened = Promise.withResolvers<undefined>();
  opened.resolve(undefined);

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
    if (to === 'paused') opened = Promise.withResolvers();
    else opened.resolve(undefined);
    phase = to;
    problem = why;
    failed = 0;
    emit(state());
  };

  const countOutcome = (answer: LookUpAnswer): void => {
    if (answer.outcome !== 'failed') {
      failed = 0;
      return;
    }
    const scope = failureScope(answer.error);
    if (scope === 'payment') return;
    failed += 1;
    if (failed >= failureLimits[scope] && phase === 'running' && next < orders.length)
      setPhase('paused', answer.error);
  };

  const lookUpNext = async (order: PaymentKey): Promise<void> => {
    await opened.promise;
    if (phase === 'over') return;
    next += 1;
    const isCooldownDue = next % requestPacing.cooldownEvery === 0;
    const answer = await lookUp(order);
    entries.push({ order, ...answer });
    countOutcome(answer);
    emit(state());
    if (next < orders.length) await wait(isCooldownDue ? requestPacing.cooldownMs : requestPacing.delayMs);
  };
  const limiter = createLimiter(requestPacing.concurrency);
  const ended = Promise.all(orders.map(order => limiter.run(() => lookUpNext(order)))).then(() =>
    setPhase('over'),
  );

  return {
    state,
    entries: (): readonly LookUpEntry[] => entries,
    pause: () => setPhase('paused'),
    resume: () => setPhase('running'),
    /** Starts no further look-ups; those in flight are still answered and stored. */
    stop: () => setPhase('over'),
    ended,
  };
};
