import { create } from 'zustand';
import { hrefOf, readRoute, type Route } from '../routes.ts';

/** Where the window stands. The hash is the truth; this store only reads it. */
export const useRoute = create<{ route: Route }>(() => ({ route: readRoute(window.location.hash) }));

/** Follows the hash for the window's life. */
export const followHash = (): void => {
  window.addEventListener('hashchange', () => {
    useRoute.setState({ route: readRoute(window.location.hash) });
  });
};

/** Goes to a screen, at once: what is typed right after belongs to it. */
export const go = (route: Route): void => {
  window.location.hash = hrefOf(route);
  useRoute.setState({ route: readRoute(window.location.hash) });
};

/** Changes the address without a step to go back to: for what is typed into a search. */
export const goInPlace = (route: Route): void => {
  window.history.replaceState(null, '', hrefOf(route));
  useRoute.setState({ route });
};

export const goBack = (): void => {
  if (window.history.length > 1) window.history.back();
  else go({ screen: 'payments', view: 'all', words: '' });
};
