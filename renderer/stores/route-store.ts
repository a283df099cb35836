import { create } from 'zustand';
import { hrefOf, readRoute, type Route } from '../routes.ts';

/** A screen from whose rows payments are opened. */
type ListRoute = Route & { screen: 'payments' | 'reconciliation' | 'overview' };
const isList = (route: Route): route is ListRoute =>
  route.screen === 'payments' || route.screen === 'reconciliation' || route.screen === 'overview';

/**
 * The current route. The hash is the source of truth; this store only mirrors it. `arrivals`: how often `go` ran. `from`:
 * the list that was shown last.
 */
export const useRoute = create<{ route: Route; arrivals: number; from: ListRoute }>(() => ({
  route: readRoute(window.location.hash),
  arrivals: 0,
  from: { screen: 'payments', view: 'all', words: '' },
}));
useRoute.subscribe(({ route, from }) => {
  if (isList(route) && route !== from) useRoute.setState({ from: route });
});

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
