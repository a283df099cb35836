import type { Translate } from './i18n/text.ts';

/** Whether a key press belongs to a text field. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** Whether a dialog or a menu is open and handles the keyboard. */
export const hasOpenDialog = (): boolean =>
  document.querySelector(
    '.lock-screen, [role="dialog"], [role="alertdialog"], [role="listbox"][data-focused], [role="menu"]',
  ) !== null;

/** Single-key shortcuts, which can be switched off (WCAG 2.1.4). */
export const isSingleKey = (keys: string): boolean => keys.length === 1;

/** Keys with language-specific names. */
const namedKeys = {
  Ctrl: 'key.Ctrl',
  Shift: 'key.Shift',
  Space: 'key.Space',
  Esc: 'key.Esc',
} as const;

const isNamedKey = (key: string): key is keyof typeof namedKeys => key in namedKeys;

/** The name of a key on a keyboard of the window's language: `Strg` for `Ctrl` in German. */
export const keyName = (key: string, t: Translate): string => (isNamedKey(key) ? t(namedKeys[key]) : key);
