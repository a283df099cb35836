import { create } from 'zustand';
import type { RequestOutput } from '../../../shared/contract/contract.ts';
import type { AppError } from '../../../shared/errors.ts';
import { request } from '../../ipc-client.ts';

/** Actions on the receiver besides its settings. */
type ReceiverStore = {
  busy: 'certificate' | 'room' | 'test' | null;
  problem: AppError | null;
  /** The result of the last test callback. */
  tested: RequestOutput<'receiver.test'> | null;
  chooseCertificate: () => Promise<void>;
  resetQuarantine: () => Promise<void>;
  test: () => Promise<void>;
};

export const useReceiver = create<ReceiverStore>()(set => ({
  busy: null,
  problem: null,
  tested: null,
  chooseCertificate: async () => {
    set({ busy: 'certificate', problem: null });
    const chosen = await request('receiver.chooseCertificate', {});
    set({ busy: null, problem: chosen.ok ? null : chosen.error });
  },
  resetQuarantine: async () => {
    set({ busy: 'room', problem: null });
    const made = await request('receiver.resetQuarantine', {});
    set({ busy: null, problem: made.ok ? null : made.error });
  },
  test: async () => {
    set({ busy: 'test', problem: null, tested: null });
    const tested = await request('receiver.test', {});
    set({
      busy: null,
      problem: tested.ok ? null : tested.error,
      tested: tested.ok ? tested.value : null,
    });
  },
}));
