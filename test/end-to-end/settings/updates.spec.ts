import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { expect, test } from 'vitest';
import { box, button, goTo, ipcRequest, word } from '../../../tools/browser-harness/console.ts';

/** The page about updates, in an application that does not run from a package. */

onEachDriver('updates', name => {
  const { page } = useConsole({ driver: name }, async () => {
    await goTo(page, 'nav.settings');
    await page.getByRole('link', { name: word('settings.about') }).click();
  });

  test('updates say why this program cannot update itself, and ask no server', async () => {
    const form = page.getByRole('form', { name: word('update.title') });
    await form.getByText(word('update.obstacle.not-installed')).waitFor();
    await expect.poll(() => button(page, 'update.check').isDisabled()).toBe(true);
    expect(await ipcRequest(page, 'updates.restart', {})).toMatchObject({
      error: { code: 'update.busy' },
    });
  });

  test('updates take an https address only', async () => {
    const server = box(page, 'update.server');
    await server.fill('http://it.example.com/counterfoil/');
    await page.getByText(word('update.server.invalid')).waitFor();
    await expect.poll(() => button(page, 'apply').isDisabled()).toBe(true);
    await server.fill('https://it.example.com/counterfoil/');
    await button(page, 'apply').click();
    await button(page, 'apply').waitFor({ state: 'detached' });
    const read = await ipcRequest(page, 'app.read', {});
    expect(read).toMatchObject({
      value: { settings: { updateServer: 'https://it.example.com/counterfoil/' } },
    });
  });
});
