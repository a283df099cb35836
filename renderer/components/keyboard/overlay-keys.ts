import { isCommand } from './keep-keys.ts';

/** The topmost dialog, menu or list over the screen. */
const topmostOverlay = (): Element | null =>
  [...document.querySelectorAll('.shade, .whole-window, .popover')].at(-1) ?? null;

/** Moves the focus into an overlay: to its first text field, or to the overlay itself. */
const focusInto = (overlay: Element): void => {
  const field = overlay.querySelector<HTMLElement>('textarea:enabled, input:enabled');
  const part = overlay.querySelector<HTMLElement>('[role=dialog], [role=alertdialog], [role=menu]');
  (field ?? part)?.focus({ preventScroll: true });
};

/**
 * For the lifetime of the window: a key that is pressed while an overlay is open and the focus is outside of it is for
 * the overlay. Esc then closes it, and what is typed is not lost. With a screen reader, for example, the focus moves
 * some time after the overlay has appeared.
 */
export const followOverlayKeys = (): void => {
  window.addEventListener(
    'keydown',
    event => {
      const overlay = topmostOverlay();
      const { target } = event;
      if (overlay === null || !(target instanceof Element) || overlay.contains(target)) return;
      // A combination box keeps the focus while its list is open.
      if (isCommand(event) || target.getAttribute('role') === 'combobox') return;
      event.stopImmediatePropagation();
      focusInto(overlay);
      const inside = overlay.contains(document.activeElement) ? document.activeElement : overlay;
      const { key, code, shiftKey } = event;
      const copy = new KeyboardEvent('keydown', { key, code, shiftKey, bubbles: true, cancelable: true });
      // The browser types the character where the focus is now.
      if (inside?.dispatchEvent(copy) === false) event.preventDefault();
    },
    true,
  );
};
