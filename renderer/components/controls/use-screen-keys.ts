import { useEffect } from 'react';
import { isForDisabled, isForLost } from '../../focus.ts';
import { hasOpenDialog, isForList, isTyping } from '../../shortcuts.ts';
import { useAppState } from '../../stores/app-state-store.ts';

/**
 * Whether a single-key shortcut may act: the focus is in no text field, no list takes the letter, the focus was not just
 * lost, no disabled field was pressed, no dialog is open, and such keys are on.
 */
export const isUnmodified = (event: KeyboardEvent): boolean =>
  !event.defaultPrevented &&
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !hasOpenDialog() &&
  !isTyping(event.target) &&
  !isForList(event) &&
  useAppState.getState().appState?.settings.singleKeys !== false &&
  !isForDisabled() &&
  !isForLost();

/** Whether a press is the usual one for taking something back, outside of a text. */
const isUndo = (event: KeyboardEvent): boolean =>
  event.key.toLowerCase() === 'z' &&
  (event.ctrlKey || event.metaKey) &&
  !event.shiftKey &&
  !event.altKey &&
  !event.defaultPrevented &&
  !hasOpenDialog() &&
  !isTyping(event.target);

/** The keys of the current screen, which come before the global ones. */
const screenKeys = new Set<string>();

export const isScreenKey = (key: string): boolean => screenKeys.has(key);

/** Single-key shortcuts of the current screen, under the same conditions as the global ones; Ctrl+Z is Z. */
export const useScreenKeys = (actions: Readonly<Record<string, () => void>>): void => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const act = isUnmodified(event) || isUndo(event) ? actions[event.key.toLowerCase()] : undefined;
      if (!act) return;
      event.preventDefault();
      act();
    };
    const keys = Object.keys(actions);
    for (const key of keys) screenKeys.add(key);
    window.addEventListener('keydown', onKey);
    return () => {
      for (const key of keys) screenKeys.delete(key);
      window.removeEventListener('keydown', onKey);
    };
  });
};
