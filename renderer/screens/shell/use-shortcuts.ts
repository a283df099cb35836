import { useEffect } from 'react';
import { moveToRegion } from '../../components/keyboard/focus-regions.ts';
import { isScreenKey, isUnmodified } from '../../components/controls/use-screen-keys.ts';
import { overviewRoute } from '../../routes.ts';
import { hasOpenDialog, isTyping } from '../../shortcuts.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { useNewPayment } from '../../stores/new-payment/new-payment-store.ts';
import { useAgents } from '../../stores/settings/agents-store.ts';
import { useFilterBar } from '../../stores/payments/filter-bar-store.ts';
import { go, useRoute } from '../../stores/route-store.ts';
import { focusSearch, searchInput } from '../../stores/search/search-box-store.ts';

const newForm = (): void => {
  useNewPayment.getState().openDraft({});
  go({ screen: 'new' });
};

const showForm = (place: number | 'next'): void => {
  useNewPayment.getState().switchToPlace(place);
  go({ screen: 'new' });
};

/** Whether a question about the current form is open: another form can be shown, and the question waits. */
const isFormQuestion = (): boolean => {
  const { isShown, problem } = useNewPayment.getState();
  return isShown && problem !== null && document.querySelector('.lock-screen') === null;
};

/** The global shortcuts. Single keys never act while the user types, a dialog is open, or they are off. */
export const useShortcuts = (openSheet: () => void): void => {
  useEffect(() => {
    // Text fields stop the propagation of key presses; the search opens from everywhere nevertheless.
    const onSearchKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k' || hasOpenDialog()) return;
      event.preventDefault();
      event.stopPropagation();
      focusSearch(true);
    };
    // Locking works from everywhere, with anything open.
    const onLockKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || !event.shiftKey || event.key.toLowerCase() !== 'l') return;
      event.preventDefault();
      event.stopPropagation();
      void useAgents.getState().signOut();
    };
    // The search box keeps the focus while its results are open: they are no dialog for this key.
    const onRegionKey = (event: KeyboardEvent): void => {
      if (event.key !== 'F6' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (hasOpenDialog() && event.target !== searchInput()) return;
      event.preventDefault();
      event.stopPropagation();
      moveToRegion(event.shiftKey);
    };
    // A second customer calls while a field of the form has the focus.
    const onFormKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      // By the position of the key: on some keyboards digits need Shift.
      const [, digit] = /^(?:Digit|Numpad)([1-9])$/.exec(event.code) ?? [];
      if (digit === undefined && event.key.toLowerCase() !== 'n') return;
      if (useAppState.getState().appState === null || (hasOpenDialog() && !isFormQuestion())) return;
      event.preventDefault();
      event.stopPropagation();
      if (digit === undefined) newForm();
      else showForm(Number(digit) - 1);
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') {
        if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || hasOpenDialog())
          return;
        // It leaves a field, then a payment or customer for where the crumb leads. A screen of the rail stays.
        const { route, from } = useRoute.getState();
        if (isTyping(event.target)) (event.target as HTMLElement).blur();
        else if (route.screen === 'payment' || route.screen === 'customer') go(from);
        return;
      }
      if (!isUnmodified(event)) return;
      const key = event.key.toLowerCase();
      const act = isScreenKey(key) ? undefined : actions[key];
      if (event.key === '?') {
        event.preventDefault();
        openSheet();
      } else if (act) {
        event.preventDefault();
        act();
      }
    };
    window.addEventListener('keydown', onSearchKey, true);
    window.addEventListener('keydown', onLockKey, true);
    window.addEventListener('keydown', onRegionKey, true);
    window.addEventListener('keydown', onFormKey, true);
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('keydown', onSearchKey, true);
      window.removeEventListener('keydown', onLockKey, true);
      window.removeEventListener('keydown', onRegionKey, true);
      window.removeEventListener('keydown', onFormKey, true);
      window.removeEventListener('keydown', onKey);
    };
  }, [openSheet]);
};

const actions: Readonly<Record<string, () => void>> = {
  n: newForm,
  d: () => showForm('next'),
  p: () => go({ screen: 'payments', view: 'all', words: '' }),
  l: () => go({ screen: 'look-up', by: 'order-number', value: '' }),
  c: () => go({ screen: 'callbacks' }),
  o: () => go(overviewRoute),
  r: () => go({ screen: 'reconciliation', cause: null }),
  f: () => {
    if (useRoute.getState().route.screen !== 'payments') go({ screen: 'payments', view: 'all', words: '' });
    useFilterBar.setState({ isFocusRequested: true });
  },
  '/': () => focusSearch(false),
};
