import { setLocalTimeZone } from '@internationalized/date';
import { create } from 'zustand';
import type { AppState, Lock, Settings } from '../../shared/contract/contract.ts';
import type { AppError, Result } from '../../shared/errors.ts';
import { timeZoneOf } from '../../shared/settings/merchant.ts';
import type { ProfileView } from '../../shared/settings/profile.ts';
import { clockCorrection } from '../../shared/team/clock-correction.ts';
import { correctClock } from '../i18n/time-left.ts';
import { request, subscribe } from '../ipc-client.ts';

export type InitialState = { appState: AppState } | { lock: Lock } | { problem: AppError };

/** State for the whole window: settings, profiles, health. Main owns it; this is the latest copy. */
type AppStateStore = {
  /** Null until main has answered, and while the console is locked. */
  appState: AppState | null;
  /** The state of the lock screen; null unless the console is locked. */
  lock: Lock | null;
  problem: AppError | null;
  /** `first`: loads the initial app state or lock screen. */
  start: (first: () => Promise<InitialState>) => Promise<void>;
  /** The console is unlocked. */
  open: (appState: AppState) => void;
  /** `confirmedHost`: the address at which the user agreed to open the receiver to other computers. */
  change: (settings: Partial<Settings>, confirmedHost?: string) => Promise<Result<AppState>>;
  dismissRecovery: () => Promise<void>;
  /** Ends the notice of missing events of the payment log. */
  settleLoss: () => Promise<void>;
};

/** Settings sent to main without an answer so far: shown immediately, so that further changes build on them. */
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
      // A locked console stays covered until it is unlocked in this window: its previous state is restored first.
      if (get().lock === null) set({ appState: withPending(appState) });
    });
    subscribe('team.changed', ({ standing }) =>
      set(({ appState }) => (appState ? { appState: { ...appState, team: standing } } : {})),
    );
    subscribe('list.changed', ({ standing }) =>
      set(({ appState }) =>
        appState ? { appState: { ...appState, log: { ...appState.log, list: standing } } } : {},
      ),
    );
    // Main reloads the page when the console is locked; until then this one shows nothing.
    // The lock screen shows who can sign in now.
    subscribe('app.locked', lock => {
      document.title = 'Counterfoil';
      set(before => ({ appState: null, problem: null, lock: before.lock && lock }));
    });
    let timer: number | null = null;
    const readHealth = async (): Promise<void> => {
      timer = null;
      const read = await request('app.read', {});
      if (read.ok) set({ appState: withPending(read.value) });
    };
    // The receiver's numbers change with every callback; they are read once the burst is over.
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
  settleLoss: async () => {
    const settled = await request('log.settleLoss', {});
    set(settled.ok ? { appState: withPending(settled.value) } : { problem: settled.error });
  },
}));

/** The active profile, or null before main has answered. */
export const activeProfile = (state: { appState: AppState | null }): ProfileView | null =>
  state.appState?.profiles.find(profile => profile.id === state.appState?.settings.activeProfileId) ??
  state.appState?.profiles[0] ??
  null;

/** Days of the window (today, a month, a filter) are those of the active merchant's books. */
export const followTimeZone = (): void => {
  const apply = (): void => setLocalTimeZone(timeZoneOf(activeProfile(useAppState.getState())));
  apply();
  useAppState.subscribe(apply);
};

/** Whether single-key shortcuts are on. */
export const useSingleKeys = (): boolean => useAppState(state => state.appState?.settings.singleKeys ?? true);

export const useActiveProfileId = (): string | null => useAppState(state => activeProfile(state)?.id ?? null);

export const useActiveProfile = (): ProfileView | null => useAppState(activeProfile);

/** The window's clock is corrected as main's: a link expires at the same instant everywhere. */
useAppState.subscribe(({ appState }) => correctClock(clockCorrection(appState?.team?.clockOffsetMs ?? null)));
