import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  box,
  button,
  goTo,
  raiseLink,
  waitForState,
  word,
  pay,
} from '../../../tools/browser-harness/console.ts';
import { treeOf } from '../accessibility-tree.ts';
import { furtherScreens } from '../../../tools/screens/screens.ts';

/** The output of a screen reader: errors and changes. Each screen's order and dialogs: every-screen.spec.ts. */

/** From now on the output of the window's live regions is recorded. */
const listen = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const announced: string[] = [];
    const live = '[aria-live="polite"], [aria-live="assertive"], [role="status"], [role="alert"], output';
    const note = (node: Node | null): void => {
      const region =
        node instanceof Element ? node.closest(live) : (node?.parentElement?.closest(live) ?? null);
      if (region) announced.push(region.textContent ?? '');
    };
    new MutationObserver(changes => {
      for (const { target } of changes) note(target);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    Object.assign(globalThis, { announced });
  });
const announced = (page: Page): Promise<string> =>
  page.evaluate(() => (globalThis as unknown as { announced: string[] }).announced.join('\n'));

onEachDriver('a screen reader', name => {
  const app = useConsole({ driver: name });
  const { page } = app;

  test('the amount of a payment, and its sources, are named in headings without further text', async () => {
    const { link, orderNumber } = await raiseLink(page, { amount: '33.10', description: 'For ears' });
    await pay(link);
    const named = async (level: number): Promise<string[]> =>
      (await treeOf(page))
        .filter(one => one.role === 'heading' && one.level === level)
        .map(({ name }) => name);
    // A status check follows the callback.
    await expect.poll(() => named(2)).toEqual(expect.arrayContaining(['€33.10', word('verdict.basis')]));
    expect(await named(1)).toEqual([orderNumber]);
  });

  test('a screen reader finds a named checkbox in each row, and one for all rows that can be mixed', async () => {
    const { orderNumber } = await raiseLink(page, { amount: '34', description: 'For ears' });
    await goTo(page, 'nav.payments');
    const all = page.getByRole('checkbox', { name: word('selection.all'), exact: true });
    const one = page.getByRole('checkbox', { name: orderNumber });
    await one.waitFor();
    await expect.poll(() => all.getAttribute('aria-checked')).toBe('false');
    await one.click();
    await expect.poll(() => one.getAttribute('aria-checked')).toBe('true');
    await expect.poll(() => all.getAttribute('aria-checked')).toBe('mixed');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid');
    await page.keyboard.press('Control+a');
    await expect.poll(() => all.getAttribute('aria-checked')).toBe('true');
    await all.click();
    await expect.poll(() => all.getAttribute('aria-checked')).toBe('false');
  });

  test('a screen reader announces the error of a field with the field', async () => {
    await furtherScreens['a form with errors']?.(page, app.app);
    const amount = box(page, 'new.amount');
    await expect.poll(() => amount.getAttribute('aria-invalid')).toBe('true');
    const described = await amount.evaluate(input =>
      `${input.getAttribute('aria-describedby') ?? ''} ${input.getAttribute('aria-errormessage') ?? ''}`
        .split(' ')
        .map(id => document.getElementById(id)?.textContent ?? '')
        .join(' '),
    );
    expect(described).toContain(word('new.amount.missing'));
  });

  test('a screen reader announces that the link was copied, and that the payment became paid', async () => {
    const { link } = await raiseLink(page, { amount: '31', description: 'For ears' });
    await listen(page);
    await button(page, 'link.copy').click();
    await expect.poll(() => announced(page)).toContain(word('link-shared.copy'));
    await pay(link);
    await expect.poll(() => announced(page)).toContain(word('state.paid-confirmed'));
  });

  test('a screen reader announces the time left at ten, five and one minutes, not each second', async () => {
    await raiseLink(page, { amount: '32', description: 'For ears' });
    await waitForState(page, 'waiting');
    const timer = page.getByRole('timer').first();
    await expect.poll(() => timer.getAttribute('aria-live')).toBe('off');
    await listen(page);
    await page.clock.install();
    for (const [minutes, words] of [
      [50.5, '10 minutes'],
      [5, '5 minutes'],
      [3.8, 'one minute'],
    ] as const) {
      await page.clock.fastForward(minutes * 60_000);
      await expect.poll(() => announced(page)).toContain(`less than ${words}`);
    }
    expect(await announced(page)).not.toMatch(/\d:\d\d/);
  });
});
