import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { expect, test } from 'vitest';
import { button, goTo, raiseLink, results, word } from '../../../tools/browser-harness/console.ts';
import { seedLog } from '../../../tools/screens/seeded-log.ts';
import { show } from '../../../tools/screens/reach.ts';

/** The overview from a supervisor's view: every number opens its list. */

onEachDriver('the overview', name => {
  const open = async (): Promise<void> => {
    await goTo(page, 'nav.overview');
    await page.getByRole('heading', { level: 1, name: word('nav.overview') }).waitFor();
    await page.locator('.money-card').waitFor();
  };

  const { page } = useConsole({ driver: name, prepare: seedLog }, async () => {
    await raiseLink(page, { amount: '50', description: 'Still open', orderNumber: 'OPEN-1' });
  });

  test('each number of the overview’s summary opens a list with exactly that many payments', async () => {
    await open();
    const numbers = await page
      .locator('.links-figures .number-link')
      .evaluateAll(links =>
        links.map(link => ({ text: link.textContent ?? '', href: link.getAttribute('href') ?? '' })),
      );
    expect(numbers.length).toBeGreaterThanOrEqual(5);
    for (const { text, href } of numbers.filter(one => /^\d+$/.test(one.text))) {
      await show(page, href);
      await page.getByRole('row').nth(1).waitFor();
      await expect
        .poll(() => page.locator('.list-foot output').innerText())
        .toBe(text === '1' ? '1 payment' : `${text} payments`);
    }
  });

  test('the days can be used with the keyboard, and Enter opens the list of the day', async () => {
    await open();
    await page.locator('.column[tabindex="0"]').focus();
    const focusedLabel = (): Promise<string | null> =>
      page.locator('.column:focus').getAttribute('aria-label');
    const today = await focusedLabel();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(focusedLabel).not.toBe(today);
    await page.keyboard.press('Home');
    await expect.poll(focusedLabel).toMatch(/, no links created/);
    await page.keyboard.press('End');
    await expect.poll(focusedLabel).toBe(today);
    await expect.poll(() => page.locator('.column[tabindex="0"]').count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: 'OPEN-1' }).waitFor();
  });

  test('the overview has one money, by the day it moved, also of a link that was created before', async () => {
    await open();
    await page.getByRole('heading', { level: 2, name: /^Paid, / }).waitFor();
    await expect.poll(() => page.getByText('Paid for these links').count()).toBe(0);
    // Further causes are one line.
    await expect.poll(() => page.locator('.attention').first().getByRole('listitem').count()).toBe(5);
    await page.locator('.attention-more').waitFor();
  });

  test('a new link is counted without a click', async () => {
    await open();
    const created = page.locator('.links-card h2');
    const count = Number.parseInt(await created.innerText(), 10);
    await raiseLink(page, { amount: '51', description: 'One more', orderNumber: 'OPEN-2' });
    await open();
    await expect.poll(async () => Number.parseInt(await created.innerText(), 10)).toBe(count + 1);
  });

  test('the handover note contains order numbers and amounts, no link and no name', async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(word('nav.handover-note'));
    await results(page)
      .getByRole('option', { name: word('nav.handover-note') })
      .click();
    const sheet = page.getByTestId('handover-note');
    await sheet.getByText('OPEN-1').waitFor();
    const text = await sheet.innerText();
    expect(text).toMatch(/€50\.00/);
    expect(text).toContain(word('cause.changed-between-deliveries'));
    expect(text).not.toMatch(/https?:|Jane|jane@example|Blue chair|Still open/);
    await page.emulateMedia({ media: 'print' });
    await page.locator('.slip').getByText('OPEN-1').waitFor();
    await expect.poll(() => page.locator('#root').isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen', reducedMotion: 'reduce' });
    await button(page, 'print').waitFor();
  });
});
