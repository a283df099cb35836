import { useEffect } from 'react';
import { isScreenKey, isUnmodified } from '../../components/controls/use-screen-keys.ts';
import { overviewRoute } from '../../routes.ts';
import { hasOpenDialog, isTyping } from '../../shortcuts.ts';
import { useAgents } from '../../stores/settings/agents-store.ts';
import { useFilterBar } from '../../stores/payments/filter-bar-store.ts';
import { go, goBack, useRoute } from '../../stores/route-store.ts';

/** The global shortcuts. Single keys never act while the user types, a dialog is open, or they are off. */
export const useShortcuts = (open: (sheet: 'palette' | 'shortcuts') => void): void => {
  useEffect(() => {
    // Text fields stop the propagation of key presses; the palette opens from everywhere nevertheless.
    const onPaletteKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k' || hasOpenDialog()) return;
      event.preventDefault();
      event.stopPropagation();
      open('palette');
    };
    // Locking works from everywhere, with anything open.
    const onLockKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || !event.shiftKey || event.key.toLowerCase() !== 'l') return;
      event.preventDefault();
      event.stopPropagation();
      void useAgents.getState().signOut();
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') {
        if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || hasOpenDialog())
          return;
        if (isTyping(event.target)) (event.target as HTMLElement).blur();
        else if (useRoute.getState().route.screen !== 'payments') goBack();
        return;
      }
      if (!isUnmodified(event)) return;
      const key = event.key.toLowerCase();
      const act = isScreenKey(key) ? undefined : actions[key];
      if (event.key === '?') {
        event.preventDefault();
        open('shortcuts');
      } else if (act) {
        event.preventDefault();
        act();
      }
    };
    window.addEventListener('keydown', onPaletteKey, true);
    window.addEventListener('keydown', onLockKey, true);
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('keydown', onPaletteKey, true);
      window.removeEventListener('keydown', onLockKey, true);
      window.removeEventListener('keydown', onKey);
    };
  }, [open]);
};

const actions: Readonly<Record<string, () => void>> = {
  n: () => go({ screen: 'new' }),
  p: () => go({ screen: 'payments', view: 'all', words: '' }),
  l: () => go({ screen: 'look-up', by: 'order-number', value: '' }),
  c: () => go({ screen: 'callbacks' }),
  o: () => go(overviewRoute),
  r: () => go({ screen: 'reconciliation', cause: null }),
  f: () => {
    if (useRoute.getState().route.screen !== 'payments') go({ screen: 'payments', view: 'all', words: '' });
    useFilterBar.setState({ isFocusRequested: true });
  },
  '/': () => {
    const box = document.querySelector<HTMLInputElement>('#search');
    box?.focus();
    box?.select();
  },
};
