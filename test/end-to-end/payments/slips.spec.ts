import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { button, raiseLink, waitForState, word, pay } from '../../../tools/browser-harness/console.ts';

/** The pages printed for customers. */

/** The lines that are visible on paper. */
const printed = async (page: Page): Promise<string> => {
  await page.emulateMedia({ media: 'print' });
  const text = await page.locator('body').innerText();
  await page.emulateMedia({ media: null });
  return text;
};

onEachDriver('a slip', name => {
  let link: string;
  const { page } = useConsole({ driver: name }, async () => {
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', 'yes');
    });
    ({ link } = await raiseLink(page, { amount: '80', description: 'Deposit', name: 'Maria Schmidt' }));
  });

  test('a slip of a link has the amount, the deadline, the link and the warning, and nothing of the window', async () => {
    await button(page, 'print').click();
    await page.locator('body[data-printed]').waitFor();
    const paper = await printed(page);
    expect(paper).toContain(link);
    expect(paper).toMatch(/€80\.00/);
    expect(paper).toContain(word('slip.warning'));
    expect(paper).not.toContain(word('nav.payments'));
  });

  test('a slip of a confirmed payment has card and reference, and says that it is no tax receipt', async () => {
    await pay(link);
    await waitForState(page, 'paid-confirmed');
    await page.evaluate(() => document.body.removeAttribute('data-printed'));
    await button(page, 'payment.more').click();
    await page.getByRole('menuitem', { name: word('slip.confirmation.print') }).click();
    await page.locator('body[data-printed]').waitFor();
    const paper = await printed(page);
    expect(paper).toContain(word('slip.confirmation'));
    expect(paper).toContain('•••• 1111');
    expect(paper).toMatch(/Reference \(RRN\)\s+\d{12}/);
    expect(paper).toContain(word('slip.no-tax-receipt'));
    expect(paper).toContain(word('slip.no-money'));
    expect(paper).not.toContain(link);
  });
});
