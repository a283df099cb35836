import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { button, deskCall, raiseLink, word } from './console.ts';
import { drivers } from './harness.ts';
import { openDesk, type OpenDesk } from './open-desk.ts';

/** The corner of the desk, the PIN and the curtain, by keyboard alone. */

const violations = async (page: Page): Promise<string[]> => {
  const found = await new AxeBuilder({ page })
    .setLegacyMode(true)
    // Says that a button is at work; what it names may be gone with its sheet by then.
    .exclude('[data-live-announcer]')
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(' ')}`);
};

describe.each(drivers)('on $name', ({ name, available }) => {
  describe.skipIf(!available)('who is at the desk', () => {
    let desk: OpenDesk;
    let page: Page;
    beforeAll(async () => {
      desk = await openDesk({ driver: name });
      ({ page } = desk);
      await deskCall(page, 'agents.save', { id: null, name: 'Grace Hopper', pin: '2468' });
    });
    afterAll(() => desk?.close());
    const corner = () => page.getByRole('button', { name: /^At the desk:/ });

    test('is chosen in the corner, with a PIN where there is one', async () => {
      await corner().focus();
      await page.keyboard.press('Enter');
      const entry = page.getByRole('menuitem', { name: /Grace Hopper/ });
      await entry.waitFor();
      expect(await violations(page)).toEqual([]);
      await entry.focus();
      await page.keyboard.press('Enter');
      await page.getByLabel('PIN of Grace Hopper').last().waitFor();
      await page.keyboard.type('1111');
      await page.keyboard.press('Enter');
      await page.getByText(word('error.agent.wrong-pin')).waitFor();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.type('2468');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'At the desk: Grace Hopper' }).waitFor();
    });

    test('the curtain shows nothing of any customer, keeps what was typed, and asks for the PIN', async () => {
      await raiseLink(page, { amount: '12', description: 'A secret errand' });
      await page.keyboard.press('Control+Shift+L');
      await page.getByRole('main', { name: word('curtain.name') }).waitFor();
      expect(await page.getByText('A secret errand').first().isVisible()).toBe(false);
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      expect(await page.getByRole('main', { name: word('curtain.name') }).isVisible()).toBe(true);
      expect(await deskCall(page, 'payments.list', { filter: {} })).toMatchObject({
        error: { code: 'desk.locked' },
      });
      await page.getByLabel('PIN of Grace Hopper').last().focus();
      await page.keyboard.type('2468');
      await page.keyboard.press('Enter');
      await page.getByText('A secret errand').first().waitFor();
    });

    test('without a PIN the curtain lifts at a key', async () => {
      await deskCall(page, 'agents.save', { id: null, name: 'Ada' });
      await corner().click();
      await page.getByRole('menuitem', { name: /Ada/ }).click();
      await page.getByRole('button', { name: 'At the desk: Ada' }).waitFor();
      await page.keyboard.press('Control+Shift+L');
      await page.getByRole('main', { name: word('curtain.name') }).waitFor();
      await page.keyboard.press('Enter');
      await corner().waitFor();
      await page.keyboard.press('Control+Shift+L');
      await page.getByRole('main', { name: word('curtain.name') }).waitFor();
      await page.keyboard.press('Escape');
      await corner().waitFor();
    });

    test('people are added, changed and removed in the settings', async () => {
      await corner().click();
      await page.getByRole('menuitem', { name: word('agent.manage') }).click();
      await button(page, 'agents.add').click();
      await page
        .getByRole('dialog')
        .getByRole('textbox', { name: word('agents.person') })
        .fill('Linus');
      await page
        .getByRole('dialog')
        .getByRole('button', { name: word('agents.save') })
        .click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Change Linus' }).waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Remove Linus' }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: word('agents.remove') })
        .click();
      await page.getByRole('button', { name: 'Change Linus' }).waitFor({ state: 'detached' });
    });
  });
});
