import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { beforeEach, expect, test } from 'vitest';
import type { MessageKey } from '../../../shared/messages/message.ts';
import { addShop } from '../../../tools/app-harness/running-app.ts';
import {
  box,
  button,
  goTo,
  ipcRequest,
  raiseLink,
  startNewPayment,
  word,
  hasFocus,
  inPage,
  pay,
} from '../../../tools/browser-harness/console.ts';

/** The keyboard focus after the focused element disappears, and the effect of the keys pressed next. */

onEachDriver('the focus', name => {
  const heading = (key: MessageKey) => page.getByRole('heading', { level: 1, name: word(key), exact: true });
  const focused = () =>
    page.evaluate(() => {
      const active = document.activeElement;
      return active === null || active === document.body ? null : active.tagName;
    });
  const verdict = () => page.getByRole('region', { name: word('verdict.name') });
  /** How far the verdict's top edge is above the scrolled part of the screen; 0 if it is visible. */
  const aboveTheFold = () =>
    verdict().evaluate(element => {
      const frame = document.querySelector('#place')?.getBoundingClientRect().top ?? 0;
      return Math.max(0, Math.round(frame - element.getBoundingClientRect().top));
    });
  const { page } = useConsole({ driver: name, size: { width: 1366, height: 768 } });
  beforeEach(async () => {
    await goTo(page, 'nav.callbacks');
    await heading('nav.callbacks').waitFor();
  });

  test('"Clear form" empties the customer’s fields with the rest, and focuses the amount', async () => {
    await startNewPayment(page);
    await box(page, 'new.customer.name').fill('Maria Schmidt');
    await page.getByText(word('new.clear'), { exact: true }).click();
    await page.locator('[name="amount"]:focus').waitFor();
    await expect.poll(() => box(page, 'new.customer.name').inputValue()).toBe('');
  });

  test('letters typed right after a focused element disappeared do nothing, and a later key acts', async () => {
    await page.evaluate(() => {
      const gone = document.createElement('button');
      document.querySelector('.screen')?.append(gone);
      gone.focus();
      gone.remove();
    });
    await page.keyboard.type('nopro');
    await expect.poll(() => heading('nav.callbacks').count()).toBe(1);
    await expect.poll(focused).not.toBeNull();
    // Longer than the pause that ends a burst of keys.
    const later = { interval: 1_500, timeout: 20_000 };
    await expect
      .poll(async () => {
        await page.keyboard.press('o');
        return heading('nav.overview').count();
      }, later)
      .toBe(1);
  });

  test('single-key shortcuts work after a click on an empty place of the screen', async () => {
    await page.locator('.screen-head').click({ position: { x: 2, y: 2 } });
    await page.keyboard.press('o');
    await heading('nav.overview').waitFor();
  });

  test('text typed right after N is entered in the new form', async () => {
    await heading('nav.callbacks').focus();
    // Both key presses in one task: nothing can happen between them.
    await page.evaluate(async () => {
      const press = (key: string): void => {
        document.activeElement?.dispatchEvent(
          new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
        );
      };
      press('n');
      await Promise.resolve();
      press('o');
    });
    await heading('new.title').waitFor();
    await page.locator('[name="amount"]:focus').waitFor();
  });

  test('"Add merchant profile" opens a form with the focus in its name, and "Cancel" returns it to the screen', async () => {
    await goTo(page, 'nav.settings');
    await button(page, 'profile.add').press('Enter');
    await box(page, 'profile.name').and(page.locator(':focus')).waitFor();
    await button(page, 'cancel').press('Enter');
    await heading('nav.settings').and(page.locator(':focus')).waitFor();
  });

  test('a removed profile passes the focus to the next one', async () => {
    await addShop(inPage(page), { name: 'Closed shop' });
    await goTo(page, 'nav.settings');
    const card = page.getByRole('article', { name: 'Closed shop' });
    await card.getByRole('button', { name: word('profile.remove') }).press('Enter');
    const question = page.getByRole('alertdialog');
    await hasFocus(button(question, 'go-back'));
    await question.getByRole('button', { name: word('profile.remove.yes') }).press('Enter');
    await card.waitFor({ state: 'detached' });
    await page.locator('article button:focus').waitFor();
  });

  test('a profile that cannot be saved puts the focus on its problems, each of which leads to its field', async () => {
    await goTo(page, 'nav.settings');
    await button(page, 'profile.add').press('Enter');
    await box(page, 'profile.name').fill('Shop');
    // At the end of the form, which is longer than the window: the problems are above the visible part.
    await button(page, 'profile.save').click();
    const summary = page.locator('.problem-summary');
    await summary.and(page.locator(':focus')).waitFor();
    await expect.poll(() => summary.getByRole('listitem').count()).toBe(5);
    await summary.getByRole('button').first().press('Enter');
    const first = page.locator('form [data-invalid] :is(input, textarea)').first();
    await first.and(page.locator(':focus')).waitFor();
    await expect
      .poll(() =>
        first.evaluate(field => {
          const { top, bottom } = field.getBoundingClientRect();
          const shown = document.elementFromPoint(field.getBoundingClientRect().left + 4, (top + bottom) / 2);
          return top >= 0 && bottom <= window.innerHeight && shown === field;
        }),
      )
      .toBe(true);
    await button(page, 'cancel').press('Enter');
  });

  test('C, Q and S copy the link, show its code and spell it, and are letters while a note is typed', async () => {
    await raiseLink(page, { amount: '9', description: 'Tickets' });
    // A key pressed in the frame in which the screen changes has no target.
    const heading = page.locator('.screen-name h1:focus');
    await heading.waitFor();
    await page.keyboard.press('c');
    await page.getByText(word('link-shared.copy')).first().waitFor();
    for (const [key, inside] of [
      ['q', page.getByRole('img', { name: word('link.qr.name') })],
      ['s', page.getByRole('list', { name: word('spell.name') })],
    ] as const) {
      await page.keyboard.press(key);
      await inside.waitFor();
      await page.keyboard.press('Escape');
      await inside.waitFor({ state: 'detached' });
      await heading.waitFor();
    }
    const note = box(page, 'note.name');
    await note.pressSequentially('cqs');
    await expect.poll(() => note.inputValue()).toBe('cqs');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  test('a payment that is paid while its code is shown shows so in place of the code, then at its verdict, with the focus', async () => {
    const { link } = await raiseLink(page, { amount: '10', description: 'Tickets' });
    await page.locator('#place').evaluate(place => place.scrollTo(0, place.scrollHeight));
    await button(page, 'link.qr').press('Enter');
    const sheet = page.getByRole('dialog');
    const code = sheet.getByRole('img', { name: word('link.qr.name') });
    await code.waitFor();
    await pay(link);
    await sheet.getByText(word('qr.paid')).waitFor();
    await expect.poll(() => code.count()).toBe(0);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await expect.poll(aboveTheFold).toBe(0);
    await verdict().and(page.locator(':focus')).waitFor();
  });

  test('a payment that is declined while its link is spelled shows so there; the focus then returns to the button', async () => {
    const { link } = await raiseLink(page, { amount: '11', description: 'Tickets' });
    await button(page, 'link.spell').press('Enter');
    const sheet = page.getByRole('dialog');
    await sheet.waitFor();
    await pay(link, 'decline');
    await sheet.getByText(word('state.declined')).waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await expect.poll(aboveTheFold).toBe(0);
    await button(page, 'link.spell').and(page.locator(':focus')).waitFor();
  });

  test('what is typed after a press on a field that cannot be changed runs no shortcut, until Esc', async () => {
    await goTo(page, 'nav.settings');
    await page.getByRole('link', { name: word('settings.refunds'), exact: true }).click();
    const limit = box(page, 'profile.operations.limits.secondPersonFrom');
    await expect.poll(() => limit.isDisabled()).toBe(true);
    await limit.click({ force: true });
    await page.keyboard.type('nopro');
    await expect.poll(() => limit.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await page.keyboard.press('o');
    await heading('nav.overview').waitFor();
  });

  test('after a PIN the screen has the focus, and the next key acts: for another person, and at the lock screen', async () => {
    const first = (await inPage(page).state()).settings.agent;
    await ipcRequest(page, 'agents.save', { id: null, name: 'Grace Hopper', pin: '2468' });
    const enterPin = async (): Promise<void> => {
      await page.getByLabel('PIN of Grace Hopper').last().and(page.locator(':focus')).waitFor();
      await page.keyboard.type('2468');
      await page.keyboard.press('Enter');
      await page.locator('.screen-name h1:focus').waitFor();
      await page.keyboard.press('/');
      await page.locator('#search:focus').waitFor();
      await page.keyboard.press('Escape');
    };
    const choose = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: /^Signed in:/ }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('Grace Hopper');
    await enterPin();
    await choose(first);
    await page.getByRole('button', { name: `Signed in: ${first}` }).waitFor();
    // Without a PIN nothing is locked: the screen stays beneath.
    await page.keyboard.press('Control+Shift+L');
    await page.locator('.lock-screen').getByRole('button', { name: 'Grace Hopper' }).click();
    await enterPin();
  });
});
