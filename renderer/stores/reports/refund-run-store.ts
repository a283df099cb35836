import { create } from 'zustand';
import type { RefundRun, RequestInput } from '../../../shared/contract/contract.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { operationReasons } from '../../../shared/operations/operation-kinds.ts';
import type { PaymentKey } from '../../../shared/payments/payment-row.ts';
import { request, subscribe } from '../../ipc-client.ts';

export type RefundReason = (typeof operationReasons)[number];

/** The refunds of several payments: main runs them, so that they outlive the window. */
type RefundRunState = {
  run: RefundRun | null;
  /** Why it could not be started. */
  startProblem: AppError | null;
  /** Kept for the next payment. */
  reason: RefundReason | null;
  text: string;
  typedOrder: string;
  start: (payments: readonly PaymentKey[]) => Promise<void>;
  change: (changes: Partial<Pick<RefundRunState, 'reason' | 'text' | 'typedOrder'>>) => void;
  /** Refunds everything that is left of the current payment. */
  send: () => Promise<void>;
  control: (to: RequestInput<'refunds.control'>['to']) => Promise<void>;
  read: () => Promise<void>;
};

export const useRefundRun = create<RefundRunState>()((set, get) => ({
  run: null,
  startProblem: null,
  reason: null,
  text: '',
  typedOrder: '',
  start: async payments => {
    set({ reason: null, text: '', typedOrder: '' });
    const started = await request('refunds.start', {
      payments: payments.map(({ profileId, orderNumber }) => ({ profileId, orderNumber })),
    });
    set(started.ok ? { run: started.value.run, startProblem: null } : { startProblem: started.error });
  },
  change: set,
  send: async () => {
    const { run, reason, text, typedOrder } = get();
    if (run?.item && reason !== null)
      await request('refunds.send', { paymentId: run.item.paymentId, reason, text, typedOrder });
  },
  control: async to => void (await request('refunds.control', { to })),
  read: async () => {
    const read = await request('refunds.read', {});
    if (read.ok) set({ run: read.value.run });
  },
}));

/** Keeps the run current for the lifetime of the window. */
export const followRefundRun = (): void => {
  subscribe('refunds.changed', ({ run }) => {
    const { paymentId, row } = useRefundRun.getState().run?.item ?? {};
    const isNext = run?.item?.paymentId !== paymentId || run?.item?.row.orderNumber !== row?.orderNumber;
    useRefundRun.setState(isNext ? { run, typedOrder: '' } : { run });
  });
};
