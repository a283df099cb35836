import type { Translate } from './i18n/text.ts';

/** Inputs that take no text: a switch, a choice, a file. */
const untypedInputs = ['checkbox', 'radio', 'button', 'submit', 'reset', 'file'];

/** Whether a key press belongs to a text field. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement
    ? !untypedInputs.includes(target.type)
    : target instanceof HTMLElement &&
      (target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName));

/** Whether a key is a letter for a list that opens from a button: it selects by the first letters. */
export const isForList = ({ target, key }: KeyboardEvent): boolean =>
  target instanceof Element &&
  target.closest('button[aria-haspopup="listbox"]') !== null &&
  /^\p{L}$/u.test(key);

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
