import type { Page } from 'playwright-core';
import { word } from '../../tools/browser-harness/console.ts';

/** What a screen reader gets of the window. */

export type Announcement = { role: string; name: string; level: number };

/** The accessibility tree, without the ignored nodes. */
export const treeOf = async (page: Page): Promise<Announcement[]> => {
  const session = await page.context().newCDPSession(page);
  try {
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    return nodes
      .filter(node => !node.ignored)
      .map(node => ({
        role: String(node.role?.value ?? ''),
        name: String(node.name?.value ?? ''),
        level: Number(node.properties?.find(({ name }) => name === 'level')?.value.value ?? 0),
      }));
  } finally {
    await session.detach();
  }
};

/** The faults in the order of a screen: its landmarks, their names, and the levels of its headings. */
export const orderFaults = (tree: readonly Announcement[]): string[] => {
  const named = (role: string): string[] => tree.filter(node => node.role === role).map(node => node.name);
  const headings = tree.filter(({ role }) => role === 'heading');
  const levels = headings.map(({ level }) => level);
  // Within the screen no heading level is missing; the rail's own heading precedes it.
  const within = levels.slice(levels.indexOf(1));
  const rules: Readonly<Record<string, boolean>> = {
    'the rail is a navigation': named('navigation').includes(word('rail.name')),
    'the profile is complementary': named('complementary').includes(word('profile.kind')),
    'there is one main part': named('main').length === 1,
    'there is one banner': named('banner').length === 1,
    'several navigations have different names':
      new Set(named('navigation')).size === named('navigation').length,
    'there is one heading of the first level': levels.filter(level => level === 1).length === 1,
    'no level of the headings is missing': within.every(
      (level, index) => level <= (within[index - 1] ?? 1) + 1,
    ),
    'every heading has a text': headings.every(({ name }) => name !== ''),
    'every checkbox has a name': named('checkbox').every(name => name !== ''),
  };
  return Object.keys(rules).filter(rule => !rules[rule]);
};
