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
const colours = ['color-contrast', 'link-in-text-block'];

/** React Aria's own: an announcement stays there for seconds after its button has gone. */
const announcer = '[data-live-announcer]';

/**
 * Checks the screen by axe: by the rules of WCAG 2.2 AA, by those about colours, or by all of axe's. Resolves to one
 * line for each violated rule, with the elements that violate it.
 */
export const violationsOn = async (
  page: Page,
  {
    rules = 'wcag',
    without = [],
    outside = [],
  }: { rules?: 'wcag' | 'colours' | 'all'; without?: string[]; outside?: string[] } = {},
): Promise<string[]> => {
  // Loaded once for a page: that takes longer than a check.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source());
  const options: RunOptions = {
    resultTypes: ['violations'],
    ...(rules === 'wcag' ? { runOnly: { type: 'tag', values: wcag } } : {}),
    ...(rules === 'colours' ? { runOnly: { type: 'rule', values: colours } } : {}),
    rules: Object.fromEntries(without.map(rule => [rule, { enabled: false }])),
  };
  return page.evaluate(
    async ({ context, options }) => {
      type Axe = { run: (context: ContextObject, options: RunOptions) => Promise<AxeResults> };
      const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run(context, options);
      return violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map(({ target, html }) => `${target.join(' ')} ${html}`).join(', ')}`,
      );
    },
    { context: { include: ['html'], exclude: [announcer, ...outside] }, options },
  );
};
