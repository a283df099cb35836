import { useEffect } from 'react';
import { isFocusLost } from '../../focus.ts';
import { hasOpenDialog, isTyping } from '../../shortcuts.ts';
import { useAppState } from '../../stores/app-state.ts';

/**
 * Whether a key that is pressed alone may act: the focus is in no text and was not lost, no sheet is open, and such
 * keys are not switched off.
 */
export const isUnmodified = (event: KeyboardEvent): boolean =>
  !event.defaultPrevented &&
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !hasOpenDialog() &&
  !isTyping(event.target) &&
  !isFocusLost() &&
  useAppState.getState().appState?.settings.singleKeys !== false;

/** Keys of the screen at hand, pressed alone, under the conditions of the desk's own. */
export const useScreenKeys = (actions: Readonly<Record<string, () => void>>): void => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const act = isUnmodified(event) ? actions[event.key.toLowerCase()] : undefined;
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });
};
