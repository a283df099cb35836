import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { raiseLink } from '../../../tools/browser-harness/console.ts';
import { show } from '../../../tools/screens/reach.ts';

/** Typing at any speed while the window is busy: the text in a field is what was typed. */

const parts = fc.constantFrom('anna', ' ', 'nowak', 'n', 'z', '/', '?', '50', 'ö', 'last week');
const texts = fc.sample(
  fc.array(fc.tuple(parts, fc.integer({ min: 0, max: 60 })), { minLength: 4, maxLength: 7 }),
  { numRuns: 3, seed: 40 },
);

onEachDriver('random keys', name => {
  let payment = '';
  const { page } = useConsole({ driver: name }, async () => {
    await raiseLink(page, { amount: '50', description: 'Blue chair', name: 'Anna Nowak' });
    payment = await page.evaluate(() => location.hash);
    // The main thread is busy for a third of the time; other windows of the browser may share it.
    await page.evaluate(() => {
      window.setInterval(() => {
        const end = performance.now() + 15;
        while (performance.now() < end);
      }, 45);
    });
  });

  test.each([
    ['the search on the list', '#/payments/all', '#search'],
    ['the search over the overview', '#/overview/30', '#search'],
    ['the customer of a new payment', '#/new', '[name="customerName"]'],
    ['the description of a new payment', '#/new', '[name="description"]'],
    ['the note of a payment', 'payment', '.note-box textarea, aside textarea'],
  ])(
    'random keys with random pauses in %s end in the same text as without pauses',
    async (_, hash, field) => {
      await show(page, hash === 'payment' ? payment : hash);
      const input = page.locator(field).first();
      for (const typed of texts) {
        await input.fill('');
        await input.focus();
        for (const [part, delay] of typed) await page.keyboard.type(part, { delay });
        await expect.poll(() => input.inputValue()).toBe(typed.map(([part]) => part).join(''));
      }
    },
  );
});
