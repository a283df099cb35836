import type { Translate } from './i18n/text.ts';

/** Whether a key press belongs to what the person is typing into. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** Whether a dialog or a menu is open and owns the keyboard. */
export const hasOpenDialog = (): boolean =>
  document.querySelector(
    '.curtain, [role="dialog"], [role="alertdialog"], [role="listbox"][data-focused], [role="menu"]',
  ) !== null;

/** Keys that act when pressed alone, and can be switched off (WCAG 2.1.4). */
export const isSingleKey = (keys: string): boolean => keys.length === 1;

/** Keys that other languages name otherwise. */
const namedKeys = {
  Ctrl: 'key.Ctrl',
  Shift: 'key.Shift',
  Space: 'key.Space',
  Esc: 'key.Esc',
} as const;

const isNamedKey = (key: string): key is keyof typeof namedKeys => key in namedKeys;

/** A key as the window's language has it on its keycap: `Strg` for `Ctrl` in German. */
export const keyName = (key: string, t: Translate): string => (isNamedKey(key) ? t(namedKeys[key]) : key);

/** The keys and where they lead, told in the sheet of shortcuts. */
export const shortcutList = [
  ['N', 'shortcut.new'],
  ['/', 'shortcut.search'],
  ['F', 'shortcut.filter'],
  ['Ctrl K', 'shortcut.palette'],
  ['P', 'shortcut.payments'],
  ['L', 'shortcut.look-up'],
  ['C', 'shortcut.callbacks'],
  ['O', 'shortcut.overview'],
  ['R', 'shortcut.reconciliation'],
  ['U', 'shortcut.look-up-now'],
  ['A', 'shortcut.again'],
  ['↑ ↓', 'shortcut.rows'],
  ['Space', 'shortcut.choose'],
  ['Ctrl A', 'shortcut.choose-all'],
  ['Enter', 'shortcut.open'],
  ['Ctrl Shift L', 'shortcut.curtain'],
  ['Ctrl Enter', 'shortcut.submit'],
  ['Esc', 'shortcut.back'],
  ['?', 'shortcut.sheet'],
] as const;
