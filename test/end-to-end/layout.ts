import type { Page } from 'playwright-core';

/** Layout problems of a screen: text that is cut or broken, extends beyond the window, or is in no catalogue. */

export type Seen = {
  /** A sentence for each problem. */
  faults: string[];
  /** Every visible text and every accessible name of an element without text. */
  texts: string[];
};

/** Elements that may scroll sideways: tables, raw evidence, text fields, the rail of open links. */
const scrollable =
  '.grid, .wide-frame, .numbers-frame, .note-lines, .raw section, pre, .compare, .fields, .waiting ul, input, textarea';

/** Checks all painted elements, at any scroll position. */
export const see = (page: Page): Promise<Seen> =>
  page.evaluate(allowed => {
    const faults: string[] = [];
    const texts: string[] = [];
    const describe = (element: Element): string =>
      `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} “${(element.textContent ?? '').trim().slice(0, 60)}”`;
    const slack = 1.5;
    /** For screen readers only: nothing of the element is painted. */
    const isForScreenReaders = (element: Element): boolean => {
      for (let box: Element | null = element; box && box !== document.body; box = box.parentElement)
        if (getComputedStyle(box).clipPath === 'inset(50%)') return true;
      return false;
    };
    const isSeen = (element: Element): boolean =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      element.closest('[inert], .slip') === null &&
      !isForScreenReaders(element);

    /** The part of an element that no container clips; null if nothing is left. */
    const partInSight = (element: Element, { left, right, top, bottom }: DOMRect): DOMRect | null => {
      const part = { left, right, top, bottom };
      for (let box: Element | null = element; box && box !== document.body; box = box.parentElement) {
        if (getComputedStyle(box).overflow === 'visible') continue;
        const frame = box.getBoundingClientRect();
        part.left = Math.max(part.left, frame.left);
        part.right = Math.min(part.right, frame.right);
        part.top = Math.max(part.top, frame.top);
        part.bottom = Math.min(part.bottom, frame.bottom);
      }
      return part.right > part.left && part.bottom > part.top
        ? new DOMRect(part.left, part.top, part.right - part.left, part.bottom - part.top)
        : null;
    };
    /** Scrolled content passes beneath sticky elements. */
    const isStuck = (element: Element): boolean => {
      for (let box: Element | null = element; box && box !== document.body; box = box.parentElement)
        if (getComputedStyle(box).position === 'sticky') return true;
      return false;
    };

    for (const element of document.querySelectorAll('*')) {
      const wide = element.scrollWidth - element.clientWidth;
      const { overflowX } = getComputedStyle(element);
      const scrolls = overflowX === 'auto' || overflowX === 'scroll' || element === document.documentElement;
      if (wide > 1 && scrolls && isSeen(element) && !element.matches(allowed)) {
        const frame = element.getBoundingClientRect();
        const beyond = [...element.querySelectorAll('*')].findLast(inner => {
          const { left, right } = inner.getBoundingClientRect();
          return right > frame.right + slack || left < frame.left - slack;
        });
        faults.push(`${wide} px beside the screen: ${beyond ? describe(beyond) : describe(element)}`);
      }
      for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description']) {
        const value = element.getAttribute(name);
        if (value && isSeen(element)) texts.push(value);
      }
    }

    /** A word that is broken without a hyphen though the window is wide. Long ones and data may be. */
    const brokenWordIn = (node: Node, element: Element): string | null => {
      if (innerWidth < 900 || element.closest('pre, code, textarea, [translate=no]')) return null;
      if (getComputedStyle(element).hyphens === 'auto') return null;
      const range = document.createRange();
      for (const { 0: found, index } of (node.textContent ?? '').matchAll(
        /(?<![^\s⟦])\p{L}{3,20}(?![^\s⟧])/gu,
      )) {
        range.setStart(node, index);
        range.setEnd(node, index + found.length);
        const tops = Array.from(range.getClientRects(), ({ top }) => top);
        if (Math.max(...tops) - Math.min(...tops) > 4) return found;
      }
      return null;
    };

    /** The visible parts of each text, to find overlaps. */
    const drawn: { element: Element; text: string; layer: Element | null; rect: DOMRect }[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      const text = (node.textContent ?? '').trim();
      if (!element || text === '' || element.closest('script, style, svg')) continue;
      if (!element.checkVisibility()) continue;
      // A sentence with marked values is several texts.
      const isSentence =
        element.childElementCount > 0 && !/flex|grid/.test(getComputedStyle(element).display);
      // Code is data, and some words are the same in every language.
      if (!element.closest('pre, [translate=no]'))
        texts.push(isSentence ? (element.textContent ?? '').trim() : text);
      if (!isSeen(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const rect = range.getBoundingClientRect();
      if (rect.width === 0) continue;
      const broken = brokenWordIn(node, element);
      if (broken !== null) faults.push(`“${broken}” is broken in ${describe(element)}`);
      // Line by line: a text that continues in the next line leaves room beside itself.
      for (const line of range.getClientRects()) {
        const shown = partInSight(element, line);
        if (shown)
          drawn.push({
            element,
            text,
            // The button for new payments floats above a list that must not move.
            layer: element.closest('.popover, .modal, .tooltip, .place, .newer'),
            rect: shown,
          });
      }
      let scrolled = false;
      for (let box: Element | null = element; box && box !== document.body; box = box.parentElement) {
        const style = getComputedStyle(box);
        if (style.overflowX === 'auto' || style.overflowX === 'scroll') {
          scrolled = true;
          break;
        }
        if (style.overflowX !== 'hidden' && style.overflowX !== 'clip') continue;
        const frame = box.getBoundingClientRect();
        const cut =
          rect.left < frame.left - slack ||
          rect.right > frame.right + slack ||
          (style.overflowY !== 'auto' &&
            style.overflowY !== 'scroll' &&
            style.textOverflow !== 'ellipsis' &&
            (rect.bottom > frame.bottom + slack || rect.top < frame.top - slack));
        if (!cut) continue;
        if (style.textOverflow === 'ellipsis') {
          const whole = element.closest('[title]')?.getAttribute('title') ?? '';
          if (!whole.includes(text))
            faults.push(`${describe(box)} is shortened and has no title with the complete text`);
        } else faults.push(`${describe(element)} is cut by ${describe(box).slice(0, 40)}`);
        scrolled = true;
        break;
      }
      if (!scrolled && (rect.left < -slack || rect.right > document.documentElement.clientWidth + slack))
        faults.push(`${describe(element)} ends beyond the window`);
    }
    for (const [index, one] of drawn.entries())
      for (const other of drawn.slice(index + 1)) {
        const across = Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left);
        const down = Math.min(one.rect.bottom, other.rect.bottom) - Math.max(one.rect.top, other.rect.top);
        // Cheapest first: there are thousands of pairs.
        if (across <= 2 || down <= 4 || one.layer !== other.layer) continue;
        if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
        if (isStuck(one.element) !== isStuck(other.element)) continue;
        faults.push(`“${one.text}” and “${other.text}” lie upon one another`);
      }
    return { faults: [...new Set(faults)], texts: [...new Set(texts)] };
  }, scrollable);
