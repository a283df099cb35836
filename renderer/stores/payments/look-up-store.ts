import { create } from 'zustand';
import type { PaymentDetail } from '../../../shared/contract/contract.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { EventOf, LookUpKey } from '../../../shared/payments/evidence.ts';
import { request } from '../../ipc-client.ts';

/** A look-up at the gateway, and its answer. */
type LookUpState = {
  isInFlight: boolean;
  /** Identifies the look-up in flight. */
  requestId: string | null;
  event: EventOf<'status.observed'> | null;
  file: PaymentDetail | null;
  problem: AppError | null;
  lookUp: (profileId: string, key: LookUpKey) => Promise<void>;
  /** Cancels the wait for the answer; nothing is lost. */
  stop: () => void;
};

export const useLookUp = create<LookUpState>()((set, get) => ({
  isInFlight: false,
  requestId: null,
  event: null,
  file: null,
  problem: null,
  lookUp: async (profileId, key) => {
    if (get().isInFlight) return;
    const requestId = crypto.randomUUID();
    set({ isInFlight: true, requestId, problem: null, event: null, file: null });
    const answered = await request('payments.lookUp', { profileId, key, requestId });
    if (!answered.ok) {
      set({ isInFlight: false, problem: answered.error });
      return;
    }
    const { event, file } = answered.value;
    set({ isInFlight: false, file, event: event.kind === 'status.observed' ? event : null });
  },
  stop: () => {
    const { requestId } = get();
    if (requestId !== null) void request('payments.cancelWait', { requestId });
  },
}));
