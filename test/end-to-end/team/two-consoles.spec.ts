import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { onEachDriver } from '../../../tools/browser-harness/use-console.ts';
import { rmSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { joiningText } from '../../../main/team/joining-text.ts';
import { violationsOn } from '../../../tools/browser-harness/axe.ts';
import { button, goTo, ipcRequest, raiseLink, word } from '../../../tools/browser-harness/console.ts';
import { launch, type Application } from '../../../tools/browser-harness/harness.ts';
import { openKeyring, type OpenKeyring } from '../../../tools/keyring/keyring-session.ts';
import { isPostgresMissing, startCluster, type Cluster } from '../../../tools/postgres-harness/cluster.ts';
import { createTeam, type Team } from '../../../tools/postgres-harness/shared-log.ts';
import { show } from '../../../tools/screens/reach.ts';

/** Two consoles and one PostgreSQL: windows, main processes, keychain and database are real. */

onEachDriver('a console', name => {
  describe.skipIf(isPostgresMissing)('in a team (needs PostgreSQL)', () => {
    let cluster: Cluster;
    let team: Team;
    let keyring: OpenKeyring;
    const apps: Application[] = [];
    const folders: string[] = [];
    let one: Page;
    let two: Page;

    const open = async (): Promise<Page> => {
      const userData = newFolder('e2e-team');
      folders.push(userData);
      const app = await launch({ driver: name, browser: 'shared', userData, env: keyring.env });
      apps.push(app);
      return app.firstWindow();
    };
    const mark = (page: Page) =>
      page.getByRole('link', { name: word('team.state.connected'), exact: true }).first();

    /** Verifies until everything is sent: what a person just did is an event that takes a moment. */
    const verifiesWhole = (page: Page): Promise<void> =>
      expect
        .poll(
          async () => {
            await button(page, 'team.verify').click();
            await page.getByText('of all installations verified').waitFor();
            return page.getByText('Everything from this computer has been sent.').isVisible();
          },
          { timeout: 20_000, interval: 300 },
        )
        .toBe(true);

    beforeAll(async () => {
      [cluster, keyring] = await Promise.all([startCluster(), openKeyring()]);
      team = await createTeam(cluster);
      [one, two] = [await open(), await open()];
    }, 120_000);
    afterAll(async () => {
      for (const app of apps) await app.close();
      await keyring?.close();
      await team?.close();
      await cluster?.remove();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    });

    test('a console joins on its page: check, join, everything is sent', async () => {
      await raiseLink(one, { amount: '10', description: 'Before joining', orderNumber: 'TEAM-1' });
      await goTo(one, 'nav.settings');
      await one.getByRole('link', { name: word('settings.team') }).click();
      await one.locator('[name="joining-text"]').fill('not a joining text');
      await button(one, 'team.join.check').click();
      await one.getByText(word('team.join.text.invalid')).first().waitFor();
      await one
        .locator('[name="joining-text"]')
        .fill(joiningText(await team.add('console', 'Till 1', undefined, ['admin'])));
      await button(one, 'team.join.check').click();
      await one.getByText(word('team.check.rights.good')).waitFor();
      await button(one, 'team.join.join').click();
      await one.getByText(word('team.standing.connected')).waitFor();
      await mark(one).waitFor();
      await verifiesWhole(one);
      expect(await violationsOn(one, { within: '#place' })).toEqual([]);
      const [stored] = await team.sql<{ n: string }>(
        "SELECT count(*) AS n FROM event WHERE order_number = 'TEAM-1'",
      );
      expect(Number(stored?.n)).toBeGreaterThan(0);
    });

    test('another console of a team sees the payments of the first, and who raised them where', async () => {
      const text = joiningText(await team.add('console', 'Till 2'));
      expect(await ipcRequest(two, 'team.join', { text })).toMatchObject({ ok: true });
      await mark(two).waitFor();
      await goTo(two, 'nav.payments');
      await two.getByRole('grid').getByText('TEAM-1').first().waitFor();
      // A new one is announced over the open list: rows do not move unasked.
      await raiseLink(one, { amount: '20', description: 'While both look', orderNumber: 'TEAM-2' });
      const row = two.getByRole('grid').getByText('TEAM-2').first();
      await expect
        .poll(async () => {
          if (await two.locator('.newer').isVisible()) await two.locator('.newer').click();
          return row.isVisible();
        })
        .toBe(true);
      await show(two, '#/payment/sandbox/TEAM-2');
      await two.getByText('at Till 1').first().waitFor();
    });

    test('a console leaves and keeps its own payments', async () => {
      await goTo(two, 'nav.settings');
      await two.getByRole('link', { name: word('settings.team') }).click();
      await button(two, 'team.leave').click();
      await button(two.getByRole('alertdialog'), 'team.leave').click();
      await two.getByText(word('team.alone')).waitFor();
      // The people of the team stay.
      expect(await ipcRequest(two, 'app.read', {})).toMatchObject({ ok: true, value: { sharing: null } });
      await goTo(two, 'nav.payments');
      await two.getByRole('grid').getByText('TEAM-1').waitFor({ state: 'detached' });
    });
  });
});
