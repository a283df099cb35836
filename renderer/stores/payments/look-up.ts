import { create } from 'zustand';
import type { PaymentFile } from '../../../shared/contract/index.ts';
import type { DeskError } from '../../../shared/errors.ts';
import type { EventOf, LookUpKey } from '../../../shared/payments/evidence.ts';
import { call } from '../../ipc-client.ts';

/** A look-up at the gateway, and what it answered. */
type LookUpState = {
  asking: boolean;
  /** Names the look-up under way. */
  request: string | null;
  asked: LookUpKey | null;
  event: EventOf<'status.observed'> | null;
  file: PaymentFile | null;
  problem: DeskError | null;
  ask: (profileId: string, key: LookUpKey) => Promise<void>;
  /** Waits for the answer no longer; nothing is lost by that. */
  stop: () => void;
};

export const useLookUp = create<LookUpState>()((set, get) => ({
  asking: false,
  request: null,
  asked: null,
  event: null,
  file: null,
  problem: null,
  ask: async (profileId, key) => {
    if (get().asking) return;
    const request = crypto.randomUUID();
    set({ asking: true, request, asked: key, problem: null, event: null, file: null });
    const answered = await call('payments.lookUp', { profileId, key, request });
    if (!answered.ok) {
      set({ asking: false, problem: answered.error });
      return;
    }
    const { event, file } = answered.value;
    set({ asking: false, file, event: event.kind === 'status.observed' ? event : null });
  },
  stop: () => {
    const { request } = get();
    if (request !== null) void call('payments.stopWaiting', { request });
  },
}));
