import { create } from 'zustand';
import { request, subscribe } from '../../ipc-client.ts';
import { activeProfile, useAppState } from '../app-state-store.ts';

/** The number of payments of the active profile by state and by currency. */
type CountsState = {
  profileId: string | null;
  states: Readonly<Record<string, number>>;
  currencies: Readonly<Record<string, number>>;
  flagged: number;
  read: () => Promise<void>;
};

export const useCounts = create<CountsState>()(set => ({
  profileId: null,
  states: {},
  currencies: {},
  flagged: 0,
  read: async () => {
    const profileId = activeProfile(useAppState.getState())?.id ?? null;
    const counts = await request('payments.counts', { profileId });
    if (counts.ok) set({ profileId, ...counts.value });
  },
}));

/** Counts again, at most twice a second, when payments or the active profile change. */
export const followCounts = (): void => {
  let timer: number | null = null;
  const soon = (): void => {
    timer ??= window.setTimeout(() => {
      timer = null;
      void useCounts.getState().read();
    }, 500);
  };
  subscribe('payments.changed', soon);
  useAppState.subscribe((state, before) => {
    if (activeProfile(state)?.id !== activeProfile(before)?.id) void useCounts.getState().read();
  });
};
