/**
 * Keeps the keyboard focus when the focused element disappears or is disabled. The browser then moves the focus to
 * the document: a keyboard user starts at the top again, and further typing would trigger shortcuts. Here the nearest
 * remaining container takes the focus. Single keys that follow at once have no target and do nothing.
 */

/** Containers that take over the focus of an element that disappears. */
const focusTargets = 'section, article, aside, form, fieldset, main, [role="dialog"], [role="alertdialog"]';

/** The last focused element and its containers, nearest first. */
let last: { element: Element; around: readonly HTMLElement[] } | null = null;
/** The container that has the focus because the focused element disappeared. */
let held: HTMLElement | null = null;
/** How long a key may follow the last one to count as typed into what is gone, milliseconds. */
const burstMs = 1_000;
/** When the element was gone or the last key was dropped, milliseconds. */
let lastDropped = 0;

/** Whether an element is shown and can take the focus. */
export const canHaveFocus = (element: Element): boolean =>
  element.isConnected &&
  !element.matches(':disabled') &&
  element.checkVisibility({ visibilityProperty: true });

const hasNoFocus = (): boolean => document.activeElement === null || document.activeElement === document.body;

/** Whether the focus was lost with its element; keys that are pressed then have no target. */
export const isFocusLost = (): boolean =>
  (held !== null && document.activeElement === held) ||
  (hasNoFocus() && last !== null && !canHaveFocus(last.element));

/** Whether a single key was meant for what is gone: it follows at once. A later one is for what the screen shows. */
export const isForLost = (): boolean => {
  const isJustLost = held === null || document.activeElement !== held;
  const isBurst = isFocusLost() && (isJustLost || performance.now() - lastDropped < burstMs);
  if (isBurst) lastDropped = performance.now();
  return isBurst;
};

/** A field whose control is disabled, and so cannot take the focus. */
const disabledField = '.field:has(:disabled, [aria-disabled="true"]), input:disabled, textarea:disabled';
/** Whether the last press was on such a field. */
let isPressDisabled = false;

/** Whether what is typed is meant for a field that cannot be changed: it was pressed, and nothing has the focus since. */
export const isForDisabled = (): boolean => isPressDisabled;

const release = (): void => {
  held?.removeAttribute('tabindex');
  held?.classList.remove('holds-focus');
  held = null;
};

/** Focuses the screen's name, as on arrival: after the user closed something on purpose. */
export const focusScreen = (): void =>
  document.querySelector<HTMLElement>('.screen-name h1')?.focus({ preventScroll: true });

/** Focuses the nearest remaining container of the last focused element. */
const rememberFocus = (): void => {
  if (!hasNoFocus() || last === null || canHaveFocus(last.element)) return;
  const part = last.around.find(canHaveFocus);
  // The whole dialog or lock screen is gone: the screen beneath takes over.
  if (part === undefined) return focusScreen();
  if (!part.hasAttribute('tabindex')) part.setAttribute('tabindex', '-1');
  held = part;
  lastDropped = performance.now();
  // It only keeps the place of what is gone: no ring is drawn around half of the window.
  part.classList.add('holds-focus');
  part.focus({ preventScroll: true });
};

/** Scrolls the field that has the focus into view with its problem, once both are drawn. */
export const showFocusedField = (): void =>
  void requestAnimationFrame(() =>
    document.activeElement?.closest('[data-field]')?.scrollIntoView({ block: 'nearest' }),
  );

/**
 * Focuses the control of a field that has `data-field`, such as the first one with a problem. A sentence in
 * the place of a control has a `tabIndex`.
 */
export const focusField = (form: HTMLElement | null, field: string): void => {
  const place = `[data-field="${CSS.escape(field)}"]`;
  form
    ?.querySelector<HTMLElement>(
      `${place}[tabindex], ${place} :is(input, textarea, button, [role="spinbutton"])`,
    )
    ?.focus();
  showFocusedField();
};

/** The key of the last input; empty after a press of the pointer. */
let lastKey = '';

/** Tracks the focus for the lifetime of the window. */
export const followFocus = (): void => {
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || target === held) return;
    isPressDisabled = false;
    release();
    const around: HTMLElement[] = [];
    for (let part = target.parentElement; part !== null; part = part.parentElement)
      if (part.matches(focusTargets)) around.push(part);
    last = { element: target, around };
  });
  // A click outside of everything removes the focus on purpose.
  document.addEventListener(
    'pointerdown',
    ({ target }) => {
      lastKey = '';
      isPressDisabled = target instanceof Element && target.closest(disabledField) !== null;
      release();
      if (hasNoFocus()) last = null;
    },
    true,
  );
  document.addEventListener(
    'keydown',
    ({ key }) => {
      lastKey = key;
      if (key === 'Escape') isPressDisabled = false;
    },
    true,
  );
  const afterUpdate = (): void => {
    if (!hasNoFocus()) return;
    // A screen or a dialog that moves the focus itself does so within a frame.
    requestAnimationFrame(() => requestAnimationFrame(rememberFocus));
  };
  new MutationObserver(afterUpdate).observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ['disabled', 'hidden', 'inert'],
  });
};

/** Whether a choice was made by an arrow key, which may be on its way to another one: the focus stays in the group. */
export const isByArrow = (): boolean => lastKey.startsWith('Arrow');
