import { create } from 'zustand';
import type { PaymentKey } from '../../../shared/payments/payment-key.ts';
import type { RequestInput, RequestOutput } from '../../../shared/contract/contract.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { BulkLookUp, LookUpOutcome } from '../../../shared/look-ups/bulk-look-up.ts';
import { request, subscribe } from '../../ipc-client.ts';

type Results = RequestOutput<'lookUps.payments'>;

/** The bulk look-up job that is running or has just ended: main runs it, independent of the screen. */
type BulkLookUpState = {
  job: BulkLookUp | null;
  /** Why it could not be started. */
  problem: AppError | null;
  /** The payments with one outcome, in their current state. */
  shown: (Results & { outcome: LookUpOutcome }) | null;
  start: (payments: readonly PaymentKey[]) => Promise<boolean>;
  control: (to: RequestInput<'lookUps.control'>['to']) => Promise<void>;
  read: () => Promise<void>;
  show: (outcome: LookUpOutcome) => Promise<void>;
};

export const useBulkLookUp = create<BulkLookUpState>()((set, get) => ({
  job: null,
  problem: null,
  shown: null,
  start: async payments => {
    const started = await request('lookUps.start', { payments: [...payments] });
    if (started.ok) set({ job: started.value.job, problem: null, shown: null });
    else set({ problem: started.error });
    return started.ok;
  },
  control: async to => {
    const result = await request('lookUps.control', { to });
    if (result.ok) set({ job: result.value.job, problem: null });
  },
  read: async () => {
    const read = await request('lookUps.read', {});
    if (read.ok) set({ job: read.value.job });
  },
  show: async outcome => {
    if (get().shown?.outcome !== outcome) set({ shown: null });
    const results = await request('lookUps.payments', { outcome });
    if (results.ok) set({ shown: { ...results.value, outcome } });
  },
}));

/** Keeps the job and its shown payments current for the lifetime of the window. */
export const followBulkLookUp = (): void => {
  let timer: number | null = null;
  const soon = (): void => {
    timer ??= window.setTimeout(() => {
      timer = null;
      const { shown, show } = useBulkLookUp.getState();
      if (shown) void show(shown.outcome);
    }, 400);
  };
  subscribe('lookUps.changed', ({ job }) => {
    useBulkLookUp.setState({ job });
    soon();
  });
  subscribe('payments.changed', soon);
};
