import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { beforeEach, expect, test } from 'vitest';
import {
  appears,
  goTo,
  ipcRequest,
  raiseLink,
  results,
  word,
  hasFocus,
} from '../../../tools/browser-harness/console.ts';
import { settingEntries } from '../../../renderer/screens/search/setting-entries.ts';
import { show } from '../../../tools/screens/reach.ts';

/** One search on every screen: its box in the top bar, and the results below it. */

onEachDriver('the search', name => {
  let payment = '';
  const { page } = useConsole({ driver: name }, async () => {
    await raiseLink(page, { amount: '50', description: 'Blue chair', orderNumber: 'CHAIR-1' });
    await raiseLink(page, {
      amount: '70',
      description: 'Mirror',
      orderNumber: 'MIRROR-1',
      name: 'Ada Lovelace',
    });
    await raiseLink(page, { amount: '150', description: 'Blue table', orderNumber: 'TABLE-1' });
    payment = await page.evaluate(() => location.hash);
  });
  beforeEach(async () => {
    await page.keyboard.press('Escape');
    await results(page).waitFor({ state: 'detached' });
  });

  const box = () => page.locator('#search');
  const typed = () => box().inputValue();
  const option = (text: string | RegExp) => results(page).getByRole('option').filter({ hasText: text });
  const current = () => results(page).locator('[data-focused]');
  const heading = () => page.locator('.screen-name h1:focus');
  const at = async (hash: string): Promise<void> => {
    await show(page, hash);
    await page.locator('#place h1').waitFor();
  };
  /** Types on the screen of an address: into the box after a click, or after the key of the search. */
  const typeInBox = async (hash: string, text: string): Promise<void> => {
    await at(hash);
    await box().click();
    await page.keyboard.type(text);
  };
  const searchFrom = async (hash: string, text: string): Promise<void> => {
    await at(hash);
    await page.keyboard.press('Control+k');
    await page.keyboard.type(text);
  };
  /** An address in a page that has been loaded again: the results are not loaded yet. */
  const reload = async (hash: string): Promise<void> => {
    await at(hash);
    await page.reload();
    await heading().waitFor();
  };

  test.each([
    ['a payment', 'payment'],
    ['the settings', '#/settings/data'],
  ])('typing into the search box finds payments on the screen of %s', async (_, hash) => {
    const address = hash === 'payment' ? payment : hash;
    await typeInBox(address, 'blue');
    await option('CHAIR-1').waitFor();
    await option('TABLE-1').waitFor();
    // A search for other words leaves the screen, its address and its title.
    await expect.poll(() => page.evaluate(() => location.hash)).toBe(address);
    await expect.poll(() => page.title()).not.toMatch(/blue/i);
    await page.keyboard.press('Escape');
    await results(page).waitFor({ state: 'detached' });
    await expect.poll(() => typed()).toBe('');
  });

  test('a payment is opened from another screen with the keyboard alone', async () => {
    await at('#/overview/30');
    await heading().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('table blue');
    await option('TABLE-1').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await current().filter({ hasText: 'TABLE-1' }).waitFor();
    // The box keeps the focus and names the current result.
    await page.locator('#search:focus').waitFor();
    await page.locator('#search[aria-activedescendant]').waitFor();
    const id = await box().getAttribute('aria-activedescendant');
    await expect.poll(() => current().getAttribute('id')).toBe(id);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'TABLE-1' }).waitFor();
    await results(page).waitFor({ state: 'detached' });
    await expect.poll(() => typed()).toBe('');
  });

  test('a single found payment has the sentence to say and its evidence as a document', async () => {
    await typeInBox('#/callbacks', 'chair-1');
    await appears(page, '.results .result-answer', 'The link is ready.');
    await option('Evidence of CHAIR-1').waitFor();
  });

  test('a misspelt customer is found from the overview, marked as similar, and Enter opens their page', async () => {
    await typeInBox('#/overview/30', 'mirorr');
    const similar = { hasText: word('results.similar') };
    await option('MIRROR-1').filter(similar).first().waitFor();
    await box().fill('ada lovelaec');
    const customer = option('1 payment').filter(similar);
    await customer.filter({ hasText: 'Ada Lovelace' }).waitFor();
    const options = await results(page).getByRole('option').allTextContents();
    const position = options.findIndex(text => text.includes('1 payment'));
    for (const text of options.slice(0, position + 1)) {
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => current().textContent()).toBe(text);
    }
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: word('customer'), exact: true }).waitFor();
    await page.locator('#place').getByText('Ada Lovelace').first().waitFor();
  });

  test('Enter without a chosen result goes to the list of all results', async () => {
    await typeInBox('#/callbacks', 'blue');
    await page.keyboard.press('Enter');
    await page.getByRole('grid').getByRole('row').filter({ hasText: 'CHAIR-1' }).waitFor();
    await page.getByRole('grid').getByRole('row').filter({ hasText: 'TABLE-1' }).waitFor();
    await results(page).waitFor({ state: 'detached' });
    await expect.poll(() => typed()).toBe('blue');
  });

  test('Enter takes the marked first result if no payment or customer has the words, and empties the box', async () => {
    await searchFrom('#/callbacks', 'chargeback');
    await results(page).locator('.is-first').getByText(word('cause.chargeback')).waitFor();
    await page.keyboard.press('Enter');
    await results(page).waitFor({ state: 'detached' });
    await expect.poll(() => page.url()).toContain('#/reconciliation/chargeback');
    await expect.poll(typed).toBe('');
  });

  test('other words than those of the screens find the same: what a word is about comes first', async () => {
    await searchFrom('#/callbacks', '');
    for (const [words, name] of [
      ['dispute', 'cause.chargeback'],
      ['evidence', 'cause.chargeback'],
      ['schedule', 'scheduled-export'],
      ['callbacks address', 'receiver.switch'],
      ['webhook', 'receiver.switch'],
      ['pin', 'settings.people'],
    ] as const) {
      await box().fill(words);
      await results(page).locator('.is-first').getByText(word(name), { exact: true }).waitFor();
    }
  });

  test('typing into the search box filters the list of payments, and only a key shows other results', async () => {
    await typeInBox('#/payments/all', 'receiver');
    await expect.poll(() => page.url()).toContain('words=receiver');
    await expect.poll(() => results(page).count()).toBe(0);
    await page.keyboard.press('ArrowDown');
    await option(word('settings.receiver')).first().waitFor();
    // One press closes them; the list keeps its words.
    await page.keyboard.press('Escape');
    await results(page).waitFor({ state: 'detached' });
    await expect.poll(() => typed()).toBe('receiver');
  });

  test('Esc leaves the box and then stays on the screen: the list keeps its words', async () => {
    await at('#/payments/all?words=chair');
    await box().click();
    for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('Escape');
    await expect.poll(() => box().evaluate(one => one === document.activeElement)).toBe(false);
    await expect.poll(typed).toBe('chair');
    expect(page.url()).toContain('words=chair');
  });

  test('on a payment the search begins with its actions, also by another word, and it finds causes', async () => {
    await at(payment);
    await page.keyboard.press('Control+k');
    await results(page).getByRole('group').first().getByText(word('results.payment')).waitFor();
    await option(word('payment.repeat')).waitFor();
    await page.keyboard.type('german');
    await option('Deutsch').waitFor();
    for (const words of ['refund', 'limit']) {
      await page.keyboard.press('Control+a');
      await page.keyboard.type(words);
      await option(word('profile.operations.limits.perDay')).waitFor();
    }
    await page.keyboard.press('Control+a');
    await page.keyboard.type(word('cause.settled-twice'));
    await option(word('cause.settled-twice')).waitFor();
  });

  test('Ctrl+K over the list searches everything, and the list keeps its words', async () => {
    await at('#/payments/all?words=chair');
    await expect.poll(typed).toBe('chair');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('table-1');
    await option('TABLE-1').first().waitFor();
    expect(page.url()).toContain('words=chair');
    await page.keyboard.press('Escape');
    await results(page).waitFor({ state: 'detached' });
    await expect.poll(() => typed()).toBe('chair');
  });

  test('what is typed right after the first Ctrl+K is in the search box, and one Esc gives the focus back', async () => {
    await reload('#/callbacks');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('pron');
    await expect.poll(typed).toBe('pron');
    await page.keyboard.press('Escape');
    await heading().waitFor();
    await results(page).waitFor({ state: 'detached' });
    await expect.poll(() => typed()).toBe('');
  });

  test('what is typed while the results are still loaded is in the search box and finds payments', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(/\/results-panel-[\w-]+\.js$/, async route => {
      await promise;
      await route.fallback();
    });
    await reload('#/callbacks');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('tably');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('e-1');
    await expect.poll(typed).toBe('table-1');
    await expect.poll(() => results(page).count()).toBe(0);
    resolve();
    await option('TABLE-1').first().waitFor();
    await page.keyboard.press('Escape');
    await heading().waitFor();
  });

  test('Esc in the task of the first Ctrl+K closes the search, and letters before it do nothing else', async () => {
    await reload('#/callbacks');
    await page.evaluate(() => {
      const press = (key: string, ctrlKey = false) =>
        document.activeElement?.dispatchEvent(
          new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true }),
        );
      press('k', true);
      press('o');
      press('Escape');
    });
    await heading().waitFor();
    await expect.poll(() => results(page).count()).toBe(0);
    await expect.poll(() => page.evaluate(() => location.hash)).toBe('#/callbacks');
  });

  test('an unknown order number is offered to the status check, filled in', async () => {
    await searchFrom('#/callbacks', 'LOST-77');
    await results(page).getByText(word('results.nothing')).waitFor();
    await option(word('nav.new')).waitFor();
    await option('LOST-77').click();
    await expect.poll(() => page.locator('[name="look-up"]').inputValue()).toBe('LOST-77');
  });

  test('a card number in the search box is dropped with a notice, and never searched', async () => {
    await at('#/callbacks');
    await box().click();
    await page.keyboard.insertText('blue 4111 1111 1111 1111');
    await page.getByText(word('card-number.dropped')).waitFor();
    await expect.poll(() => typed()).toBe('blue');
    await option('CHAIR-1').waitFor();
  });

  test('the search keeps the lines of a pasted e-mail apart, and does not fail with a long one', async () => {
    await at('#/callbacks');
    await box().click();
    const text = `Dear all,\nplease look\r\n${'for it '.repeat(250)}`;
    await page.evaluate(pasted => {
      const data = new DataTransfer();
      data.setData('text/plain', pasted);
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    }, text);
    await expect.poll(typed).toMatch(/^Dear all, please look for it /);
    await results(page).getByText(word('results.nothing')).waitFor();
  });

  test('every setting that the search finds is shown by the section that it opens', async () => {
    const places = Map.groupBy(settingEntries, ({ section, isOfProfile }) =>
      isOfProfile === true ? `${section}/sandbox` : section,
    );
    for (const [place, entries] of places) {
      await at(`#/settings/${place}`);
      for (const { label } of entries)
        await page.locator('.settings-body').getByText(word(label)).first().waitFor({ state: 'attached' });
    }
  });

  test('a setting has the focus after it was chosen in the search, also one in a closed group', async () => {
    await searchFrom('#/callbacks', 'retention');
    await option(word('data.retention')).click();
    const field = page.locator('.field').filter({ hasText: word('data.retention') });
    await field.locator(':focus').waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('merchant name');
    await option(word('profile.merchant.name')).click();
    await hasFocus(page.getByRole('textbox', { name: word('profile.merchant.name') }));
  });

  test('what is typed right after an unlock and Ctrl+K is in the search box', async () => {
    await ipcRequest(page, 'agents.save', { id: null, name: 'Grace Hopper', pin: '2468' });
    await goTo(page, 'nav.callbacks');
    await page.getByRole('button', { name: /^Signed in:/ }).click();
    await page.getByRole('menuitem', { name: /Grace Hopper/ }).click();
    const pin = page.getByLabel('PIN of Grace Hopper').last();
    await pin.waitFor();
    await page.keyboard.type('2468');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Signed in: Grace Hopper' }).waitFor();
    await page.keyboard.press('Control+Shift+L');
    await page.locator('.lock-screen').waitFor();
    await pin.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('2468');
    await page.keyboard.press('Enter');
    await page.locator('#place h1').waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('pron');
    await expect.poll(typed, { interval: 20 }).toBe('pron');
  });
});
