import type { NavigationTarget } from '../../shared/contract/index.ts';
import { request, subscribe } from '../ipc-client.ts';
import { useAppState } from './app-state.ts';
import { go } from './route.ts';

const navigateTo = (target: NavigationTarget): void => {
  if (target.screen === 'payments') go({ ...target, words: '' });
  else go(target);
};

/**
 * Goes where one asked to go from outside: by an address, a notification, the tray. A locked desk is refused
 * the place, so it is asked for again once somebody is there.
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
