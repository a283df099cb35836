import { create } from 'zustand';
import type { AppState, Lock, Settings } from '../../shared/contract/index.ts';
import type { AppError, Result } from '../../shared/errors.ts';
import type { ProfileView } from '../../shared/settings/profile.ts';
import { request, subscribe } from '../ipc-client.ts';

export type InitialState = { appState: AppState } | { lock: Lock } | { problem: AppError };

/** What the whole window needs: settings, profiles, health. Main owns it; this is its last word. */
type AppStateStore = {
  /** Null until main has answered, and while the desk is locked. */
  appState: AppState | null;
  /** What the lock screen shows; null unless the desk is locked. */
  lock: Lock | null;
  problem: AppError | null;
  /** `first`: the desk or its lock screen, as main sent it first. */
  start: (first: () => Promise<InitialState>) => Promise<void>;
  /** The desk is open. */
  open: (appState: AppState) => void;
  /** `confirmedHost`: the address at which the person agreed to open the receiver to other computers. */
  change: (settings: Partial<Settings>, confirmedHost?: string) => Promise<Result<AppState>>;
  dismissRecovery: () => Promise<void>;
};

/** Settings that main has not answered yet: shown at once, so that the next change builds on them however soon it comes. */
let pending: Partial<Settings> = {};
let inFlight = 0;
const withPending = (appState: AppState): AppState =>
  inFlight === 0 ? appState : { ...appState, settings: { ...appState.settings, ...pending } };

export const useAppState = create<AppStateStore>()((set, get) => ({
  appState: null,
  lock: null,
  problem: null,
  open: appState => set({ appState: withPending(appState), lock: null }),
  start: async first => {
    subscribe('app.changed', appState => {
      // Until it is unlocked in this window, a locked desk stays covered: what was left is put back first.
      if (get().lock === null) set({ appState: withPending(appState) });
    });
    // Main loads the page anew when the desk is locked; until then this one shows nothing.
    subscribe('app.locked', () => {
      document.title = 'Counterfoil';
      set({ appState: null, problem: null });
    });
    let timer: number | null = null;
    const readHealth = async (): Promise<void> => {
      timer = null;
      const read = await request('app.read', {});
      if (read.ok) set({ appState: withPending(read.value) });
    };
    // The receiver's numbers move with every callback; they are asked for once the burst is over.
    subscribe('callbacks.arrived', () => {
      timer ??= window.setTimeout(() => void readHealth(), 1000);
    });
    const answer = await first();
    if ('appState' in answer) set(state => ({ appState: state.appState ?? answer.appState }));
    else set(answer);
  },
  change: async (settings, confirmedHost) => {
    inFlight += 1;
    pending = { ...pending, ...settings };
    set(({ appState }) => ({ appState: appState && withPending(appState) }));
    const changed = await request(
      'settings.change',
      confirmedHost === undefined ? settings : { ...settings, confirmedHost },
    );
    inFlight -= 1;
    if (inFlight === 0) pending = {};
    if (changed.ok) set({ appState: withPending(changed.value), problem: null });
    else {
      set({ problem: changed.error });
      const read = await request('app.read', {});
      if (read.ok) set({ appState: withPending(read.value) });
    }
    return changed;
  },
  dismissRecovery: async () => {
    const dismissed = await request('settings.dismissRecovery', {});
    set(dismissed.ok ? { appState: withPending(dismissed.value) } : { problem: dismissed.error });
  },
}));

/** The profile at work, or null before the desk has answered. */
export const activeProfile = (state: { appState: AppState | null }): ProfileView | null =>
  state.appState?.profiles.find(profile => profile.id === state.appState?.settings.activeProfileId) ??
  state.appState?.profiles[0] ??
  null;

/** Whether keys pressed alone act. */
export const useSingleKeys = (): boolean => useAppState(state => state.appState?.settings.singleKeys ?? true);

export const useActiveProfile = (): ProfileView | null => useAppState(activeProfile);
