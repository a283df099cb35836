import { create } from 'zustand';
import { hrefOf, readRoute, type Route } from '../routes.ts';

const listScreens = [
  'payments',
  'reconciliation',
  'overview',
  'month-end',
  'callbacks',
  'look-up',
  'bulk-look-up',
  'handover-note',
] as const;
/** A screen from whose rows payments are opened. */
export type ListRoute = Extract<Route, { screen: (typeof listScreens)[number] }>;
const isList = (route: Route): route is ListRoute => listScreens.some(screen => screen === route.screen);

const allPayments = { screen: 'payments', view: 'all', words: '' } as const;

/**
 * The current route. The hash is the source of truth; this store only mirrors it. `arrivals`: how often `go` ran. `from`:
 * where the crumb of a payment or customer leads: the list it was opened from, or all payments.
 */
export const useRoute = create<{ route: Route; arrivals: number; from: ListRoute }>(() => ({
  route: readRoute(window.location.hash),
  arrivals: 0,
  from: allPayments,
}));
useRoute.subscribe(({ route, from }) => {
  if (route.screen === 'payment' || route.screen === 'customer') return;
  const next = isList(route) ? route : allPayments;
  if (next !== from) useRoute.setState({ from: next });
});

/** Navigates immediately: further typing belongs to the new screen. */
export const go = (route: Route): void => {
  window.location.hash = hrefOf(route);
  useRoute.setState(({ arrivals }) => ({
    route: readRoute(window.location.hash),
    arrivals: arrivals + 1,
  }));
};

/** Tracks the hash for the lifetime of the window. */
export const followHash = (): void => {
  window.addEventListener('hashchange', () => {
    useRoute.setState({ route: readRoute(window.location.hash) });
  });
  // A link to the screen that is shown changes no address, and opens it again nevertheless.
  document.addEventListener(
    'click',
    ({ target }) => {
      const { route } = useRoute.getState();
      const link = target instanceof Element ? target.closest('a') : null;
      if (link?.getAttribute('href') === hrefOf(route)) go(route);
    },
    true,
  );
};

/** Changes the address without a history entry: for typing into a search. */
export const goInPlace = (route: Route): void => {
  window.history.replaceState(null, '', hrefOf(route));
  useRoute.setState({ route });
};

/** Calls `arrive` when the screen that is shown is opened again: the focus then moves as on arrival. */
export const whenReopened = (arrive: () => void): (() => void) =>
  useRoute.subscribe((now, before) => {
    if (now.arrivals !== before.arrivals && now.route.screen === before.route.screen) arrive();
  });
