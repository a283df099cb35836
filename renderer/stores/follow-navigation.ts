import type { NavigationTarget } from '../../shared/contract/contract.ts';
import { request, subscribe } from '../ipc-client.ts';
import { useAppState } from './app-state-store.ts';
import { go } from './route-store.ts';

const navigateTo = (target: NavigationTarget): void => {
  if (target.screen === 'payments') go({ screen: 'payments', words: target.words ?? '', view: 'all' });
  else if (target.screen === 'reconciliation') go({ ...target, cause: null });
  else go(target);
};

/**
 * Opens navigation targets from outside: a deep link, a notification, the tray. A locked console does not get the
 * target, so it is requested again after unlocking.
 */
export const followNavigation = (): void => {
  const take = async (): Promise<void> => {
    const taken = await request('app.takePendingNavigation', {});
    if (taken.ok && taken.value.target) navigateTo(taken.value.target);
  };
  subscribe('navigation.pending', () => void take());
  useAppState.subscribe((state, before) => {
    if (state.appState !== null && before.appState === null) void take();
  });
};
