import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** The rules of WCAG 2.2 AA. */
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * Checks the screen by axe: by the rules of WCAG 2.2 AA, or by all of axe's. Resolves to one line for each violated
 * rule, with the elements that violate it.
 */
export const violationsOn = async (
  page: Page,
  {
    rules = 'wcag',
    without = [],
    outside,
  }: { rules?: 'wcag' | 'all'; without?: string[]; outside?: string } = {},
): Promise<string[]> => {
  // What passed is only counted: listing its elements takes most of the time.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });
  if (rules === 'wcag') axe.withTags(wcag);
  if (outside !== undefined) axe.exclude(outside);
  const { violations } = await axe.disableRules(without).analyze();
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target, html }) => `${target.join(' ')} ${html}`).join(', ')}`,
  );
};
