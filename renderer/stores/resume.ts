import type { Resume } from '../../shared/contract/contract.ts';
import { activeProfile, useAppState } from './app-state-store.ts';
import { goInPlace } from './route-store.ts';
import { readRoute } from '../routes.ts';

/** The state restored after unlocking: the route. The open forms are kept apart. */
export const resumeOf = (): Resume => ({ address: window.location.hash.slice(0, 4096) });

/** Restores it before the first render, so that the first screen is the right one. */
export const resume = ({ address }: Resume): void => goInPlace(readRoute(address));

/** Runs `begin` once the console is unlocked: at the start, or after unlocking. */
export const whenOpen = (begin: () => void): void => {
  if (activeProfile(useAppState.getState()) !== null) return begin();
  const stop = useAppState.subscribe(({ appState: app }) => {
    if (app === null) return;
    stop();
    begin();
  });
};
