import { create } from 'zustand';
import type { Desk, Settings } from '../../shared/contract.ts';
import type { DeskError, Result } from '../../shared/errors.ts';
import type { ProfileView } from '../../shared/profile.ts';
import { call, subscribe } from '../desk.ts';

/** What the whole window needs: settings, profiles, health. Main owns it; this is its last word. */
type DeskState = {
  desk: Desk | null;
  problem: DeskError | null;
  /** `first`: the desk as main told it first. */
  start: (first: () => Promise<Result<Desk>>) => Promise<void>;
  change: (settings: Partial<Settings>) => Promise<Result<Desk>>;
};

/** Settings that main has not answered yet: shown at once, so that the next change builds on them however soon it comes. */
let pending: Partial<Settings> = {};
let underWay = 0;
const withPending = (desk: Desk): Desk =>
  underWay === 0 ? desk : { ...desk, settings: { ...desk.settings, ...pending } };

export const useDesk = create<DeskState>()(set => ({
  desk: null,
  problem: null,
  start: async first => {
    subscribe('desk.changed', desk => set({ desk: withPending(desk) }));
    let timer: number | null = null;
    const readHealth = async (): Promise<void> => {
      timer = null;
      const read = await call('desk.read', {});
      if (read.ok) set({ desk: withPending(read.value) });
    };
    // The receiver's numbers move with every callback; they are asked for once the burst is over.
    subscribe('callbacks.arrived', () => {
      timer ??= window.setTimeout(() => void readHealth(), 1000);
    });
    const read = await first();
    if (!read.ok) set({ problem: read.error });
    else set(state => ({ desk: state.desk ?? read.value }));
  },
  change: async settings => {
    underWay += 1;
    pending = { ...pending, ...settings };
    set(({ desk }) => ({ desk: desk && withPending(desk) }));
    const changed = await call('settings.change', settings);
    underWay -= 1;
    if (underWay === 0) pending = {};
    if (changed.ok) set({ desk: withPending(changed.value), problem: null });
    else {
      set({ problem: changed.error });
      const read = await call('desk.read', {});
      if (read.ok) set({ desk: withPending(read.value) });
    }
    return changed;
  },
}));

/** The profile at work, or null before the desk has answered. */
export const activeProfile = (state: { desk: Desk | null }): ProfileView | null =>
  state.desk?.profiles.find(profile => profile.id === state.desk?.settings.activeProfileId) ??
  state.desk?.profiles[0] ??
  null;

/** Whether keys pressed alone act. */
export const useSingleKeys = (): boolean => useDesk(state => state.desk?.settings.singleKeys ?? true);

export const useActiveProfile = (): ProfileView | null => useDesk(activeProfile);
