import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { box, button, goTo, raiseLink, word } from '../../../tools/browser-harness/console.ts';
import { drivers, launch, type Application } from '../../../tools/browser-harness/harness.ts';
import { openKeyring, type OpenKeyring } from '../../../tools/keyring/keyring-session.ts';

/** Encryption of the payment log by a supervisor, and an encrypted log on another computer. */

describe.each(drivers)('on $name', ({ name, available }) => {
  describe.skipIf(!available)('an encrypted payment log', () => {
    let app: Application;
    let page: Page;
    let keyring: OpenKeyring;
    let words: string[] = [];
    const userData = mkdtempSync(join(tmpdir(), 'counterfoil-encrypted-'));
    const moved = mkdtempSync(join(tmpdir(), 'counterfoil-moved-'));
    const start = async (folder: string): Promise<void> => {
      app = await launch({ driver: name, browser: 'shared', userData: folder, env: keyring.env });
      page = await app.firstWindow();
    };
    const openData = async (): Promise<void> => {
      await goTo(page, 'nav.settings');
      await page.getByText(word('settings.data'), { exact: true }).first().click();
      await button(page, 'data.verify.do').waitFor();
    };
    beforeAll(async () => {
      keyring = await openKeyring();
      await start(userData);
    });
    afterAll(async () => {
      await app?.close();
      await keyring?.close();
      for (const folder of [userData, moved]) rmSync(folder, { recursive: true, force: true });
    });

    test('an encrypted payment log shows its phrase once, asks for some of its words, and is encrypted while the console runs', async () => {
      await box(page, 'new.amount').waitFor();
      await raiseLink(page, {
        amount: '12',
        description: 'Before it',
        orderNumber: 'SECRET-9',
        name: 'Wilhelmina',
      });
      await openData();
      await button(page, 'encryption.encrypt').click();
      const dialog = page.getByRole('dialog');
      const shown = dialog.locator('.phrase-words .code');
      await expect.poll(() => shown.count()).toBe(24);
      words = await shown.allTextContents();
      await dialog.getByRole('button', { name: word('encryption.noted') }).click();
      const boxes = dialog.getByRole('textbox');
      await expect.poll(() => boxes.count()).toBe(3);
      await boxes.first().fill('zebra');
      await dialog.getByRole('button', { name: word('encryption.encrypt') }).click();
      await dialog.getByText(word('encryption.wrong-word')).first().waitFor();
      for (const one of await boxes.all()) {
        const position = Number((await one.getAttribute('name'))?.split('-')[1]);
        await one.fill(words[position - 1] ?? '');
      }
      await dialog.getByRole('button', { name: word('encryption.encrypt') }).click();
      await page.getByText(word('encryption.done.encrypted'), { exact: true }).waitFor();
      await dialog.waitFor({ state: 'detached' });
      expect(readFileSync(join(userData, 'payments.db'), 'latin1')).not.toMatch(/SECRET-9|Wilhelmina/);
      expect(await page.content()).not.toContain(words.slice(0, 4).join(' '));
      await goTo(page, 'nav.payments');
      await page.getByText('SECRET-9').first().waitFor();
    });

    test('an encrypted payment log is opened on another computer with the phrase', async () => {
      await app.close();
      cpSync(join(userData, 'payments.db'), join(moved, 'payments.db'));
      await start(moved);
      const trouble = page.getByRole('region', { name: word('data.file') });
      await trouble.getByText(word('error.log.locked')).waitFor();
      const phrase = trouble.getByRole('textbox', { name: word('phrase.title') });
      await phrase.fill(words.slice(1).join(' '));
      await trouble.getByRole('button', { name: word('phrase.enter') }).click();
      await trouble.getByText(/23/).waitFor();
      await phrase.fill(words.join(' '));
      await trouble.getByRole('button', { name: word('phrase.enter') }).click();
      await trouble.waitFor({ state: 'detached' });
      await goTo(page, 'nav.payments');
      await page.getByText('SECRET-9').first().waitFor();
    });

    test('an encrypted payment log shows its phrase again after a question, with the PIN of a person who has one, and is decrypted', async () => {
      const dialog = page.getByRole('dialog');
      const shown = dialog.locator('.phrase-words .code');
      const show = dialog.getByRole('button', { name: word('phrase.show') });
      const ask = async (): Promise<void> => {
        await openData();
        await button(page, 'phrase.show').click();
        await dialog.getByText(word('phrase.confirm')).waitFor();
        await expect.poll(() => shown.count()).toBe(0);
      };
      const close = async (): Promise<void> => {
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
      };
      await ask();
      await show.click();
      await expect.poll(() => shown.allTextContents()).toEqual(words);
      await close();
      await page.getByText(word('settings.people'), { exact: true }).first().click();
      await page.getByText(word('agents.change'), { exact: true }).first().click();
      await dialog.getByLabel(word('agents.pin')).fill('4711');
      await dialog.getByRole('button', { name: word('save') }).click();
      await dialog.waitFor({ state: 'detached' });
      await ask();
      const pin = dialog.getByLabel(word('agents.your-pin'));
      await pin.fill('4712');
      await show.click();
      await dialog.getByText(word('error.agent.wrong-pin')).first().waitFor();
      await pin.fill('4711');
      await show.click();
      await expect.poll(() => shown.allTextContents()).toEqual(words);
      await close();
      await button(page, 'encryption.decrypt').click();
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: word('encryption.decrypt') })
        .click();
      await page.getByText(word('encryption.done.decrypted'), { exact: true }).waitFor();
      expect(readFileSync(join(moved, 'payments.db'), 'latin1')).toContain('SECRET-9');
    });
  });
});
