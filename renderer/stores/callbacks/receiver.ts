import { create } from 'zustand';
import type { CallOutput } from '../../../shared/contract/index.ts';
import type { DeskError } from '../../../shared/errors.ts';
import { call } from '../../ipc-client.ts';

/** What is done to the receiver beside its settings. */
type ReceiverStore = {
  busy: 'certificate' | 'room' | 'test' | null;
  problem: DeskError | null;
  /** How the last test callback went. */
  tested: CallOutput<'receiver.test'> | null;
  chooseCertificate: () => Promise<void>;
  makeRoom: () => Promise<void>;
  test: () => Promise<void>;
};

export const useReceiver = create<ReceiverStore>()(set => ({
  busy: null,
  problem: null,
  tested: null,
  chooseCertificate: async () => {
    set({ busy: 'certificate', problem: null });
    const chosen = await call('receiver.chooseCertificate', {});
    set({ busy: null, problem: chosen.ok ? null : chosen.error });
  },
  makeRoom: async () => {
    set({ busy: 'room', problem: null });
    const made = await call('receiver.makeRoom', {});
    set({ busy: null, problem: made.ok ? null : made.error });
  },
  test: async () => {
    set({ busy: 'test', problem: null, tested: null });
    const tested = await call('receiver.test', {});
    set({
      busy: null,
      problem: tested.ok ? null : tested.error,
      tested: tested.ok ? tested.value : null,
    });
  },
}));
