import { useSyncExternalStore } from 'react';

/** Whether a media query matches, followed live. */
export const useMedia = (query: string): boolean =>
  useSyncExternalStore(
    onChange => {
      const list = window.matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    () => window.matchMedia(query).matches,
  );

/** Wide enough for a list with the selected payment beside it. */
export const roomForPane = '(width >= 1600px)';
