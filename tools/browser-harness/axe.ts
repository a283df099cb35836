import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AxeResults, ContextObject, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { root } from '../build/steps.ts';

const source = (): string =>
  readFileSync(join(root, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8').concat('\n;undefined');

/** The rules of WCAG 2.2 AA. */
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** The rules whose result depends on the colours alone. */
export const colours = ['color-contrast', 'link-in-text-block'];

/** React Aria's own: an announcement stays there for seconds after its button has gone. */
const announcer = '[data-live-announcer]';

type Axe = { run: (context: ContextObject, options: RunOptions) => Promise<AxeResults> };

const run = async (page: Page, include: string, options: RunOptions): Promise<string[]> => {
  // Loaded once for a page: that takes longer than a check.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source());
  return page.evaluate(
    async ({ context, options }) => {
      const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run(context, options);
      return violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map(({ target, html }) => `${target.join(' ')} ${html}`).join(', ')}`,
      );
    },
    {
      context: { include: [include], exclude: [announcer] },
      options: { resultTypes: ['violations'], preload: false, ...options } satisfies RunOptions,
    },
  );
};

/**
 * Checks a part of the screen by axe: by the rules of WCAG 2.2 AA, or by all of axe's; `without` some. Resolves to one
 * line for each violated rule, with the elements that violate it.
 */
export const violationsOn = (
  page: Page,
  { rules = 'wcag', without = [], within = 'html' }: Partial<Scope> = {},
): Promise<string[]> =>
  run(page, within, {
    ...(rules === 'wcag' ? { runOnly: { type: 'tag', values: wcag } } : {}),
    rules: Object.fromEntries(without.map(rule => [rule, { enabled: false }])),
  });
type Scope = { rules: 'wcag' | 'all'; without: readonly string[]; within: string };

/** The themes of the window. */
const themes = ['light', 'dark', 'contrast'] as const;

/**
 * Marks the texts of which axe has to look whether their contrast is enough in each theme: not those on plain colours
 * that differ enough by calculation, which takes a hundredth of the time, nor those that look like one marked before, on
 * any screen of this page. Resolves to their count.
 */
const markDoubtfulTexts = (page: Page, within: string): Promise<number> =>
  page.evaluate(
    ({ within, themes }) => {
      const { dataset } = document.documentElement;
      const seen = globalThis as unknown as { knownLooks?: Set<string> };
      const known = (seen.knownLooks ??= new Set());
      const texts = [...document.querySelectorAll(`${within} *`)].filter(
        element =>
          element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
          (element.matches('input, textarea') ||
            [...element.childNodes].some(one => one.nodeType === Node.TEXT_NODE && one.textContent?.trim())),
      );
      const luminance = (colour: string): number => {
        const rgb = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(colour)?.slice(1) ?? [];
        const [red = NaN, green = NaN, blue = NaN] = rgb.map(text => {
          const share = Number(text) / 255;
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      /** How a text looks, and whether it certainly differs enough from what is behind it. */
      const lookOf = (text: Element): { look: string; isClear: boolean } => {
        const { color, fontSize, fontWeight } = getComputedStyle(text);
        const around =
          text.matches('a') && text.parentElement ? getComputedStyle(text.parentElement).color : '';
        let look = `${around} ${color} ${fontSize} ${fontWeight}`;
        let behind = '';
        let isCovered = false;
        let isPlain = around === '';
        for (let box: Element | null = text; box; box = box.parentElement) {
          const { backgroundColor, backgroundImage, opacity } = getComputedStyle(box);
          isPlain &&= opacity === '1' && (isCovered || backgroundImage === 'none');
          if (!isCovered || opacity !== '1') look += ` ${backgroundColor} ${backgroundImage} ${opacity}`;
          if (behind === '' && backgroundColor !== 'rgba(0, 0, 0, 0)') behind = backgroundColor;
          isCovered ||= backgroundColor.startsWith('rgb(');
        }
        const [dark = 0, light = 0] = [luminance(color), luminance(behind)].toSorted((one, two) => one - two);
        return { look, isClear: isPlain && (light + 0.05) / (dark + 0.05) >= 4.5 };
      };
      const looks = texts.map(() => ({ look: '', isClear: true }));
      const shown = dataset['theme'];
      // A colour between two themes has any contrast.
      const still = new CSSStyleSheet();
      still.replaceSync('* { transition: none !important }');
      document.adoptedStyleSheets.push(still);
      for (const theme of themes) {
        dataset['theme'] = theme;
        for (const [at, text] of texts.entries()) {
          const [before, { look, isClear }] = [looks[at], lookOf(text)];
          looks[at] = { look: `${before?.look} | ${look}`, isClear: isClear && before?.isClear === true };
        }
      }
      dataset['theme'] = shown;
      void document.body.offsetWidth;
      document.adoptedStyleSheets.pop();
      let count = 0;
      for (const [at, text] of texts.entries()) {
        const { look, isClear } = looks[at] ?? { look: '', isClear: true };
        const isDoubtful = !isClear && !known.has(look);
        text.toggleAttribute('data-doubtful', isDoubtful);
        if (!isDoubtful) continue;
        known.add(look);
        count += 1;
      }
      return count;
    },
    { within, themes },
  );

/** Shows a theme as the application does. */
const showTheme = (page: Page, theme: (typeof themes)[number]): Promise<void> =>
  page.evaluate(async theme => {
    document.documentElement.dataset['theme'] = theme;
    // A colour between two themes has any contrast.
    await Promise.allSettled(
      document
        .getAnimations()
        .filter(one => one instanceof CSSTransition)
        .map(({ finished }) => finished),
    );
  }, theme);

/** The texts in each theme that have not enough contrast, of those of which no check of this page has found it. */
export const faintTexts = async (page: Page, within: string): Promise<Record<string, string[]>> => {
  if ((await markDoubtfulTexts(page, within)) === 0) return {};
  const found: Record<string, string[]> = {};
  for (const theme of themes.toReversed()) {
    await showTheme(page, theme);
    const faint = await run(page, '[data-doubtful]', { runOnly: { type: 'rule', values: colours } });
    if (faint.length > 0) found[theme] = faint;
  }
  return found;
};
