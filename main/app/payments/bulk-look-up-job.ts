import type { AppError, ErrorCode } from '../../../shared/errors.ts';
import type { BulkLookUp, LookUpOutcome } from '../../../shared/look-ups/bulk-look-up.ts';
import type { PaymentKey } from '../../../shared/payments/payment-key.ts';
import type { Asked, LookUpQueue } from '../../look-ups/look-up-queue.ts';

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
