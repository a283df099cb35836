import { create } from 'zustand';
import type { PaymentDetail } from '../../../shared/contract/index.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { EventOf, LookUpKey } from '../../../shared/payments/evidence.ts';
import { request } from '../../ipc-client.ts';

/** A look-up at the gateway, and what it answered. */
type LookUpState = {
  asking: boolean;
  /** Names the look-up under way. */
  requestId: string | null;
  asked: LookUpKey | null;
  event: EventOf<'status.observed'> | null;
  file: PaymentDetail | null;
  problem: AppError | null;
  ask: (profileId: string, key: LookUpKey) => Promise<void>;
  /** Waits for the answer no longer; nothing is lost by that. */
  stop: () => void;
};

export const useLookUp = create<LookUpState>()((set, get) => ({
  asking: false,
  requestId: null,
  asked: null,
  event: null,
  file: null,
  problem: null,
  ask: async (profileId, key) => {
    if (get().asking) return;
    const requestId = crypto.randomUUID();
    set({ asking: true, requestId, asked: key, problem: null, event: null, file: null });
    const answered = await request('payments.lookUp', { profileId, key, requestId });
    if (!answered.ok) {
      set({ asking: false, problem: answered.error });
      return;
    }
    const { event, file } = answered.value;
    set({ asking: false, file, event: event.kind === 'status.observed' ? event : null });
  },
  stop: () => {
    const { requestId } = get();
    if (requestId !== null) void request('payments.cancelWait', { requestId });
  },
}));
