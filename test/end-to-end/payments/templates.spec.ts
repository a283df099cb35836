import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { expect, test } from 'vitest';
import type { MessageKey } from '../../../shared/messages/message.ts';
import { violationsOn } from '../../../tools/browser-harness/axe.ts';
import { box, button, command, fillNewPayment, goTo, word } from '../../../tools/browser-harness/console.ts';

/** A frequent payment, created with the keyboard. */

onEachDriver('templates', name => {
  const focused = () => page.locator(':focus');
  const item = (text: string) => page.getByRole('menuitem', { name: text });
  const openMenu = async (): Promise<void> => {
    await button(page, 'templates.name').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menu', { name: word('templates.name') }).waitFor();
  };
  const sheet = (key: MessageKey) => page.getByRole('dialog', { name: word(key) });

  const { page } = useConsole({ driver: name });

  test('the current form is saved under a name, and the dialog lists what is never saved', async () => {
    await fillNewPayment(page, {
      amount: '89',
      description: 'One night',
      name: 'Anna Nowak',
      email: 'anna@example.com',
    });
    await openMenu();
    await item(word('templates.save')).press('Enter');
    await sheet('templates.save').getByText(word('templates.never')).waitFor();
    await expect.poll(() => focused().inputValue()).toBe('One night');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('A night');
    await page.keyboard.press('Enter');
    await sheet('templates.save').waitFor({ state: 'detached' });
  });

  test('a template selected from the menu fills the form, and the amount can be replaced by typing', async () => {
    await button(page, 'new.clear').click();
    await openMenu();
    await page.keyboard.type('a n');
    await item('A night').and(focused()).press('Enter');
    await expect.poll(() => box(page, 'new.amount').inputValue()).toBe('89.00');
    await expect.poll(() => box(page, 'new.description').inputValue()).toBe('One night');
    await box(page, 'new.amount').and(focused()).waitFor();
    await expect.poll(() => page.getByText('Anna Nowak').count()).toBe(0);
  });

  test('a template selected in the commands opens a filled form from any screen, and Enter creates the link', async () => {
    await button(page, 'new.clear').click();
    await goTo(page, 'nav.callbacks');
    await command(page, 'a night', 'New payment: A night');
    await expect.poll(() => box(page, 'new.amount').inputValue()).toBe('89.00');
    await expect.poll(() => box(page, 'new.order').inputValue()).toMatch(/^CF-/);
    await page.keyboard.press('Control+Enter');
    await page.getByTestId('payment-link').waitFor();
  });

  test('a template selected in the search leaves a form that was begun as it is', async () => {
    await fillNewPayment(page, { amount: '7', description: 'Half typed' });
    await command(page, 'a night', 'New payment: A night');
    await expect.poll(() => box(page, 'new.amount').inputValue()).toBe('89.00');
    const forms = page.getByRole('navigation', { name: word('drafts.name') });
    await forms.locator('.draft-tab-name').first().click();
    await expect.poll(() => box(page, 'new.description').inputValue()).toBe('Half typed');
  });

  test('a template is renamed, removed and restored with the keyboard only', async () => {
    await page.keyboard.press('n');
    await box(page, 'new.amount').waitFor();
    await openMenu();
    await item(word('templates.manage')).press('Enter');
    const manage = sheet('templates.manage');
    await manage.getByRole('button', { name: 'Rename A night' }).press('Enter');
    await expect.poll(() => focused().inputValue()).toBe('A night');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Night with breakfast');
    await page.keyboard.press('Enter');
    await manage.getByRole('button', { name: 'Rename Night with breakfast' }).and(focused()).waitFor();
    await manage.getByRole('button', { name: 'Remove Night with breakfast' }).press('Enter');
    await manage.getByText(word('templates.none')).waitFor();
    await manage
      .getByRole('button', { name: word('undo') })
      .and(focused())
      .waitFor();
    expect(await violationsOn(page, { within: '.modal' })).toEqual([]);
    await page.keyboard.press('Enter');
    await manage.getByRole('button', { name: 'Rename Night with breakfast' }).and(focused()).waitFor();
  });
});
