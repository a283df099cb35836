/**
 * What happens to the keyboard focus when the element that has it disappears or can no longer have it. Then the
 * browser gives the focus to the document: a keyboard user starts at the top again, and what is typed next would act
 * as shortcuts. Here the nearest surrounding part that is left takes it, and no single key acts until the person
 * moves the focus or a screen gives it to something.
 */

/** Parts that take the focus of something in them that disappears, and stay where they are. */
const focusTargets = 'section, article, aside, form, fieldset, main, [role="dialog"], [role="alertdialog"]';

/** The element that last had the focus, and the parts around it, nearest first. */
let last: { element: Element; around: readonly HTMLElement[] } | null = null;
/** The part that has the focus because what had it disappeared. */
let held: HTMLElement | null = null;

const canHaveFocus = (element: Element): boolean =>
  element.isConnected &&
  !element.matches(':disabled') &&
  element.checkVisibility({ visibilityProperty: true });

const hasNoFocus = (): boolean => document.activeElement === null || document.activeElement === document.body;

/** Whether the focus is where nobody put it: what had it disappeared. Keys that are pressed then act on nothing. */
export const isFocusLost = (): boolean =>
  (held !== null && document.activeElement === held) ||
  (hasNoFocus() && last !== null && !canHaveFocus(last.element));

const release = (): void => {
  held?.removeAttribute('tabindex');
  held = null;
};

/** Gives the focus to the nearest part that is left around what had it. */
const rememberFocus = (): void => {
  if (!hasNoFocus() || last === null || canHaveFocus(last.element)) return;
  const part = last.around.find(canHaveFocus);
  if (part === undefined) return;
  if (!part.hasAttribute('tabindex')) part.setAttribute('tabindex', '-1');
  held = part;
  part.focus({ preventScroll: true });
};

/** Gives the focus to the screen's name, as on arriving there: for what the person closed on purpose. */
export const focusScreen = (): void =>
  document.querySelector<HTMLElement>('.screen-name h1')?.focus({ preventScroll: true });

/** Follows the focus for the window's life. */
export const followFocus = (): void => {
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || target === held) return;
    release();
    const around: HTMLElement[] = [];
    for (let part = target.parentElement; part !== null; part = part.parentElement)
      if (part.matches(focusTargets)) around.push(part);
    last = { element: target, around };
  });
  // A press beside everything takes the focus away on purpose.
  document.addEventListener(
    'pointerdown',
    () => {
      release();
      if (hasNoFocus()) last = null;
    },
    true,
  );
  const afterUpdate = (): void => {
    if (!hasNoFocus()) return;
    // A screen or a dialog that hands the focus on itself does so within a frame.
    requestAnimationFrame(() => requestAnimationFrame(rememberFocus));
  };
  new MutationObserver(afterUpdate).observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ['disabled', 'hidden', 'inert'],
  });
};
