import { onEachDriver, useConsole, withEvents } from '../../../tools/browser-harness/use-console.ts';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSettings } from '../../../main/settings/settings-store.ts';
import { addShop } from '../../../tools/app-harness/running-app.ts';
import { violationsOn } from '../../../tools/browser-harness/axe.ts';
import { goTo, ipcRequest, word, shows, inPage } from '../../../tools/browser-harness/console.ts';
import { expiringLink } from '../../../tools/evidence/expiring-link.ts';
import { attemptHistories, moved } from '../../../tools/evidence/incomplete-payments.ts';

/** Alerts in the window and on the desktop: a link that expires, an assignment, the choices of each person. */

onEachDriver('the alerts', name => {
  const bell = () => page.locator('.alerts-button');
  const list = () => page.getByRole('dialog', { name: word('alert.name') });
  const item = (kind: 'link-expiring' | 'assigned-to-me' | 'paid') =>
    list()
      .getByRole('listitem')
      .filter({ hasText: word(`alert.kind.${kind}`) });
  const toasts = () => page.getByRole('region', { name: word('alert.toasts') });
  const isCounted = (count: number) =>
    page.getByRole('button', { name: `${word('alert.name')}, ${count} new` }).waitFor();
  const openList = async (): Promise<void> => {
    await bell().click();
    await list().waitFor();
  };
  const closeList = async (): Promise<void> => {
    await page.keyboard.press('Escape');
    await list().waitFor({ state: 'detached' });
  };
  const signInAs = async (person: string): Promise<void> => {
    const { agents } = await inPage(page).state();
    const id = agents.find(agent => agent.name === person)?.id;
    await ipcRequest(page, 'agents.signIn', { id: id ?? '', pin: null });
    await page.getByRole('button', { name: person }).first().waitFor();
  };
  const { page } = useConsole({
    driver: name,
    prepare: async userData => {
      const settings = openSettings(join(userData, 'settings.json'), 'Anna Nowak');
      settings.change(stored => ({
        ...stored,
        agents: [
          ...stored.agents,
          {
            id: crypto.randomUUID(),
            name: 'Ben Larsen',
            role: 'supervisor',
            pin: null,
            wrong: 0,
            waitMs: 0,
          },
        ],
      }));
      await settings.close();
      await withEvents(
        expiringLink(Date.now(), 7, 'CF-SOON', 'Anna Nowak'),
        moved(attemptHistories.chargeback, 'sandbox', 'CF-REVIEW'),
      )(userData);
    },
  });

  test('a link that expires soon is announced on every screen, with its customer and a new link', async () => {
    await goTo(page, 'nav.overview');
    await toasts().getByText('Hana Tanaka').waitFor({ timeout: 20_000 });
    await toasts().getByText('Hana Tanaka').hover();
    await isCounted(1);
    expect(await violationsOn(page, { within: 'section' })).toEqual([]);
  });

  test('the list of alerts shows what expires and when, and one press asks for a new link of the same order', async () => {
    await openList();
    const soon = item('link-expiring');
    await shows(soon.getByRole('timer'), /^[56]:\d\d$/);
    expect(await violationsOn(page, { within: '.popover' })).toEqual([]);
    await soon.getByRole('button', { name: `${word('alert.new-link')} for CF-SOON` }).click();
    await page.getByRole('heading', { level: 1, name: 'CF-SOON' }).waitFor();
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: word('duplicate.create') }).waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    // It was seen, and stays in the list.
    await page.getByRole('button', { name: word('alert.name'), exact: true }).waitFor();
  });

  test('what another person assigned is an alert of the person who got it, and of no one else', async () => {
    await signInAs('Ben Larsen');
    const payments = [{ profileId: 'sandbox', orderNumber: 'CF-REVIEW' }];
    await ipcRequest(page, 'review.assign', { payments, assignee: 'Anna Nowak' });
    await openList();
    await list().getByText(word('alert.empty')).waitFor();
    await closeList();
    await signInAs('Anna Nowak');
    await isCounted(1);
    await openList();
    await item('assigned-to-me').getByText('By Ben Larsen').waitFor();
    await item('assigned-to-me').getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'CF-REVIEW' }).waitFor();
  });

  test('each kind of alert is chosen in the settings, and off means neither a message nor an alert', async () => {
    await goTo(page, 'nav.settings');
    await page
      .getByRole('link', { name: word('settings.general'), exact: true })
      .last()
      .click();
    await page.getByRole('button', { name: new RegExp(word('alert-choice.link-expiring'), 'u') }).click();
    await page.getByRole('option', { name: word('alert-choice.place.off') }).click();
    const chosen = async () => (await inPage(page).state()).alertChoices.places['link-expiring'];
    await expect.poll(chosen).toBe('off');
    await openList();
    await item('assigned-to-me').waitFor();
    await item('link-expiring').waitFor({ state: 'detached' });
    await closeList();
  });

  test('an alert of another profile than the active one has its name', async () => {
    await openList();
    await item('assigned-to-me').getByText('By Ben Larsen').waitFor();
    await expect.poll(() => item('assigned-to-me').getByText('Sandbox', { exact: true }).count()).toBe(0);
    await closeList();
    await ipcRequest(page, 'settings.change', { activeProfileId: await addShop(inPage(page)) });
    await openList();
    await item('assigned-to-me').getByText('Sandbox', { exact: true }).waitFor();
    await closeList();
  });
});
