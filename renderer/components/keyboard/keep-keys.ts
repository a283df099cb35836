import { isTyping } from '../../shortcuts.ts';

/** Keys that were pressed before the part of the window that they were meant for was there. */
export type KeptKeys = {
  /** Lets further keys through. */
  stop: () => void;
  /** Presses the kept keys, in their order, on what has the focus now. */
  apply: () => Promise<void>;
};

/** Whether a key press is a command of the window or the system, such as Ctrl+K; AltGr types characters. */
export const isCommand = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph');

const press = (kept: KeyboardEvent): void => {
  const target = document.activeElement ?? document.body;
  const { key, code, shiftKey } = kept;
  const copy = new KeyboardEvent('keydown', { key, code, shiftKey, bubbles: true, cancelable: true });
  if (!target.dispatchEvent(copy) || !isTyping(document.activeElement)) return;
  // A copy of an event has no effect of the browser; deprecated, but the only way to type as a person does.
  if (key === 'Backspace') document.execCommand('delete');
  else if (key.length === 1) document.execCommand('insertText', false, key);
};

/** Holds back every key, except commands, from now on. */
export const keepKeys = (): KeptKeys => {
  const kept: KeyboardEvent[] = [];
  const onKey = (event: KeyboardEvent): void => {
    if (isCommand(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    kept.push(event);
  };
  window.addEventListener('keydown', onKey, true);
  return {
    stop: () => window.removeEventListener('keydown', onKey, true),
    apply: async () => {
      for (const key of kept.splice(0)) {
        press(key);
        // What the key changed is drawn before the next one.
        await Promise.resolve();
      }
    },
  };
};
