import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { expect, test } from 'vitest';
import type { MessageKey } from '../../../shared/messages/message.ts';
import {
  button,
  command,
  goTo,
  raiseLink,
  word,
  hasFocus,
  inPage,
} from '../../../tools/browser-harness/console.ts';

/** Saved views of the list: in the rail, with counts, in a chosen order. */

onEachDriver('saved views', name => {
  const { page } = useConsole({ driver: name }, async () => {
    await raiseLink(page, { amount: '50', description: 'Blue chair', orderNumber: 'CHAIR-1' });
    await raiseLink(page, { amount: '150', description: 'Red table', orderNumber: 'TABLE-1' });
  });
  const rail = () => page.getByRole('navigation', { name: word('rail.name') });
  const inRail = (view: string) => rail().getByRole('link', { name: new RegExp(`^${view}`) });
  /** Waits until a view has this count; it follows within a second or two. */
  const counts = (view: string, count: number): Promise<void> =>
    expect.poll(() => inRail(view).innerText()).toMatch(new RegExp(`${count}$`));
  const typed = () => page.locator('#search').inputValue();
  const stored = async () => (await inPage(page).state()).settings.views.map(one => one.name);
  const sheet = (key: MessageKey) => page.getByRole('dialog', { name: word(key) });
  const search = async (words: string): Promise<void> => {
    await page.locator('#search').fill(words);
    await expect.poll(() => page.url()).toContain('words=');
  };
  const save = async (words: string, view: string): Promise<void> => {
    await search(words);
    await button(page, 'views.save').press('Enter');
    await sheet('views.save-this').getByRole('textbox').fill(view);
    await page.keyboard.press('Enter');
    await sheet('views.save-this').waitFor({ state: 'detached' });
  };

  test('a search is saved under a name and is in the rail with a live count', async () => {
    await goTo(page, 'nav.payments');
    await expect.poll(() => button(page, 'views.save').count()).toBe(0);
    await save('chair', 'Chairs');
    await counts('Chairs', 1);
    await page.getByRole('heading', { level: 1, name: 'Chairs' }).waitFor();
    await expect.poll(() => button(page, 'views.save').count()).toBe(0);

    await raiseLink(page, { amount: '60', description: 'Green chair', orderNumber: 'CHAIR-2' });
    await counts('Chairs', 2);
    await inRail('Chairs').press('Enter');
    await expect.poll(typed).toBe('chair');
    await expect.poll(() => inRail('Chairs').getAttribute('aria-current')).toBe('page');
    const chairs = page.getByRole('row').filter({ hasText: /CHAIR-\d/ });
    await expect.poll(() => chairs.count()).toBe(2);
  });

  test('a filter is saved in a view too, and a card number is refused in a view’s name', async () => {
    await search('state:waiting,started');
    await button(page, 'views.save').press('Enter');
    const name = sheet('views.save-this').getByRole('textbox');
    await name.fill('4111 1111 1111 1111');
    await sheet('views.save-this').getByText(word('card-number.dropped')).waitFor();
    await expect.poll(() => name.inputValue()).not.toMatch(/4111/);
    await name.fill('Begun');
    await page.keyboard.press('Enter');
    await counts('Begun', 3);
    await expect.poll(() => stored()).toEqual(['Chairs', 'Begun']);
  });

  test('an existing name of a view gets the new terms, after its current ones were shown', async () => {
    await search('chair green');
    await button(page, 'views.save').press('Enter');
    await sheet('views.save-this').getByRole('textbox').fill('chairs');
    await sheet('views.save-this').getByText('Chairs already exists. Its current search: chair').waitFor();
    await sheet('views.save-this').getByRole('button', { name: 'Replace Chairs' }).press('Enter');
    await sheet('views.save-this').waitFor({ state: 'detached' });
    await counts('Chairs', 1);
    await expect.poll(() => stored()).toEqual(['Chairs', 'Begun']);
    await save('chair', 'Chairs');
    await counts('Chairs', 2);
  });

  test('the search opens a view by its name', async () => {
    await goTo(page, 'nav.overview');
    await command(page, 'view: cha', 'View: Chairs');
    await expect.poll(typed).toBe('chair');
  });

  test('saved views are moved, renamed, removed and restored with the keyboard', async () => {
    await save('table', 'Tables');
    await command(page, 'saved vi', word('views.manage'));
    const list = sheet('views.manage');
    await list.getByRole('button', { name: 'Tables: move up' }).press('Enter');
    await expect.poll(stored).toEqual(['Chairs', 'Tables', 'Begun']);
    await page.keyboard.press('Enter');
    await expect.poll(stored).toEqual(['Tables', 'Chairs', 'Begun']);
    // At the top its button is disabled: the one beside it has the focus.
    await hasFocus(list.getByRole('button', { name: 'Tables: move down' }));

    await list.getByRole('button', { name: 'Rename Chairs' }).press('Enter');
    await list.getByRole('textbox').fill('Seats');
    await page.keyboard.press('Enter');
    await expect.poll(stored).toEqual(['Tables', 'Seats', 'Begun']);

    await list.getByRole('button', { name: 'Remove Seats' }).press('Enter');
    await expect.poll(stored).toEqual(['Tables', 'Begun']);
    await list
      .locator('button:focus')
      .filter({ hasText: word('undo') })
      .waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(stored).toEqual(['Tables', 'Seats', 'Begun']);
    // The restored view has the focus; Esc would first close the tooltip of its button.
    await hasFocus(list.getByRole('button', { name: /^Seats: / }));
    await list.getByRole('button', { name: word('close') }).press('Enter');
    await list.waitFor({ state: 'detached' });
    await counts('Seats', 2);
  });

  test('a view has its own columns, and changed ones are offered to be saved to it', async () => {
    const head = (key: MessageKey) => page.getByRole('columnheader', { name: word(key), exact: true });
    await inRail('Seats').press('Enter');
    await expect.poll(typed).toBe('chair');
    await head('column.description').waitFor();
    await button(page, 'columns.name').press('Enter');
    const menu = sheet('columns.name');
    await expect.poll(() => menu.getByRole('button', { name: /Save to/ }).count()).toBe(0);
    await menu.getByText(word('column.description'), { exact: true }).click();
    await menu.getByRole('button', { name: 'Save to “Seats”' }).press('Enter');
    await menu.getByRole('button', { name: /Save to/ }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await head('column.description').waitFor({ state: 'detached' });

    await goTo(page, 'nav.payments');
    await head('column.description').waitFor();
    await inRail('Seats').press('Enter');
    await head('column.description').waitFor({ state: 'detached' });
  });
});
