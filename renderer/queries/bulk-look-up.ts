import { create } from 'zustand';
import type { RequestInput } from '../../shared/contract/contract.ts';
import type { AppError } from '../../shared/errors.ts';
import type { BulkLookUp, LookUpOutcome } from '../../shared/look-ups/bulk-look-up.ts';
import type { PaymentKey } from '../../shared/payments/payment-row.ts';
import { request } from '../ipc-client.ts';
import { createQuery } from './create-query.ts';

const job = 'job';
const jobQuery = createQuery({ read: () => request('lookUps.read', {}), on: ['lookUps.changed'] });

/** The job that is running or has just ended: main runs it, independent of the screen. */
export const useBulkLookUp = (settleMs = 0): BulkLookUp | null =>
  jobQuery.use(job, settleMs).value?.job ?? null;

/** The payments with one outcome, in their current state. */
export const lookedUpQuery = createQuery({
  read: (of: { outcome: LookUpOutcome }) => request('lookUps.payments', of),
  on: ['lookUps.changed', 'payments.changed'],
  throttleMs: 400,
});

/** Why the last job could not be started. */
export const useStartProblem = create<{ problem: AppError | null }>(() => ({ problem: null }));

/** True if it was started. */
export const startLookUps = async (payments: readonly PaymentKey[]): Promise<boolean> => {
  const started = await request('lookUps.start', { payments: [...payments] });
  useStartProblem.setState({ problem: started.ok ? null : started.error });
  if (started.ok) jobQuery.update(job, () => started.value);
  return started.ok;
};

export const controlLookUps = async (to: RequestInput<'lookUps.control'>['to']): Promise<void> => {
  const controlled = await request('lookUps.control', { to });
  if (controlled.ok) jobQuery.update(job, () => controlled.value);
};
