import { create } from 'zustand';
import type { Desk, Lock, Settings } from '../../shared/contract/index.ts';
import type { DeskError, Result } from '../../shared/errors.ts';
import type { ProfileView } from '../../shared/settings/profile.ts';
import { call, subscribe } from '../ipc-client.ts';

export type FirstAnswer = { desk: Desk } | { lock: Lock } | { problem: DeskError };

/** What the whole window needs: settings, profiles, health. Main owns it; this is its last word. */
type DeskState = {
  /** Null until main has answered, and while the desk is locked. */
  desk: Desk | null;
  /** What the lock screen shows; null unless the desk is locked. */
  lock: Lock | null;
  problem: DeskError | null;
  /** `first`: the desk or its lock screen, as main sent it first. */
  start: (first: () => Promise<FirstAnswer>) => Promise<void>;
  /** The desk is open. */
  open: (desk: Desk) => void;
  /** `openTo`: the address at which the person agreed to open the receiver to other computers. */
  change: (settings: Partial<Settings>, openTo?: string) => Promise<Result<Desk>>;
  dismissRecovery: () => Promise<void>;
};

/** Settings that main has not answered yet: shown at once, so that the next change builds on them however soon it comes. */
let pending: Partial<Settings> = {};
let underWay = 0;
const withPending = (desk: Desk): Desk =>
  underWay === 0 ? desk : { ...desk, settings: { ...desk.settings, ...pending } };

export const useDesk = create<DeskState>()((set, get) => ({
  desk: null,
  lock: null,
  problem: null,
  open: desk => set({ desk: withPending(desk), lock: null }),
  start: async first => {
    subscribe('desk.changed', desk => {
      // Until it is unlocked in this window, a locked desk stays covered: what was left is put back first.
      if (get().lock === null) set({ desk: withPending(desk) });
    });
    // Main loads the page anew when the desk is locked; until then this one shows nothing.
    subscribe('desk.locked', () => {
      document.title = 'Counterfoil';
      set({ desk: null, problem: null });
    });
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
    const answer = await first();
    if ('desk' in answer) set(state => ({ desk: state.desk ?? answer.desk }));
    else set(answer);
  },
  change: async (settings, openTo) => {
    underWay += 1;
    pending = { ...pending, ...settings };
    set(({ desk }) => ({ desk: desk && withPending(desk) }));
    const changed = await call('settings.change', openTo === undefined ? settings : { ...settings, openTo });
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
  dismissRecovery: async () => {
    const dismissed = await call('settings.dismissRecovery', {});
    set(dismissed.ok ? { desk: withPending(dismissed.value) } : { problem: dismissed.error });
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
