import { expect, test } from 'vitest';
import { roles } from '../../shared/agents/roles.ts';
import { sectionsFor, settingsSections } from '../../shared/settings/sections.ts';

test('an agent sees four pages of settings, an administrator all of them in three groups', () => {
  expect(sectionsFor('agent')).toEqual({
    you: ['appearance', 'general', 'people', 'about'],
    shop: [],
    it: [],
  });
  const { you, shop, it } = sectionsFor('administrator');
  expect([you.length, shop.length, it.length]).toEqual([2, 6, 6]);
  expect([...you, ...shop, ...it].toSorted()).toEqual([...settingsSections].toSorted());
  for (const role of roles) {
    const seen = Object.values(sectionsFor(role)).flat();
    expect(new Set(seen).size).toBe(seen.length);
  }
});
