import { create } from 'zustand';
import { hrefOf, readRoute, type Route } from '../routes.ts';

/** The current route. The hash is the source of truth; this store only mirrors it. `arrivals`: how often `go` ran. */
export const useRoute = create<{ route: Route; arrivals: number }>(() => ({
  route: readRoute(window.location.hash),
  arrivals: 0,
}));

/** Tracks the hash for the lifetime of the window. */
export const followHash = (): void => {
  window.addEventListener('hashchange', () => {
    useRoute.setState({ route: readRoute(window.location.hash) });
  });
};

/** Navigates immediately: further typing belongs to the new screen. */
export const go = (route: Route): void => {
  window.location.hash = hrefOf(route);
  useRoute.setState(({ arrivals }) => ({
    route: readRoute(window.location.hash),
    arrivals: arrivals + 1,
  }));
};

/** Changes the address without a history entry: for typing into a search. */
export const goInPlace = (route: Route): void => {
  window.history.replaceState(null, '', hrefOf(route));
  useRoute.setState({ route });
};

export const goBack = (): void => {
  if (window.history.length > 1) window.history.back();
  else go({ screen: 'payments', view: 'all', words: '' });
};

/** Calls `arrive` when the screen that is shown is opened again: the focus then moves as on arrival. */
export const whenReopened = (arrive: () => void): (() => void) =>
  useRoute.subscribe((now, before) => {
    if (now.arrivals !== before.arrivals && now.route.screen === before.route.screen) arrive();
  });
