import { useEffect } from 'react';
import { isFocusLost } from '../../focus.ts';
import { isCovered, isTyping } from '../../shortcuts.ts';
import { useDesk } from '../../stores/app-state.ts';

/**
 * Whether a key that is pressed alone may act: the focus is in no text and was not lost, no sheet is open, and such
 * keys are not switched off.
 */
export const actsAlone = (event: KeyboardEvent): boolean =>
  !event.defaultPrevented &&
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !isCovered() &&
  !isTyping(event.target) &&
  !isFocusLost() &&
  useDesk.getState().desk?.settings.singleKeys !== false;

/** Keys of the screen at hand, pressed alone, under the conditions of the desk's own. */
export const useScreenKeys = (acts: Readonly<Record<string, () => void>>): void => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const act = actsAlone(event) ? acts[event.key.toLowerCase()] : undefined;
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });
};
