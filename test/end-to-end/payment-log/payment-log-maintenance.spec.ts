import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { onEachDriver, useConsole, withEvents } from '../../../tools/browser-harness/use-console.ts';
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { box, button, ipcRequest, goTo, raiseLink, word } from '../../../tools/browser-harness/console.ts';
import { note, requested } from '../../../tools/evidence/evidence.ts';
import { willChoose } from '../../../tools/browser-harness/harness.ts';

/** Maintenance of the payment log by IT, and the window when the log cannot be opened. */

onEachDriver('maintenance of the payment log', name => {
  /** A folder for copies: the console refuses to replace its own files. */
  const elsewhere = newFolder('copies');
  /** Ends the console, changes its files, and starts it again. */
  const restartAfter = async (change: () => unknown): Promise<void> => {
    await app.restart(change);
    await box(page, 'new.amount').waitFor();
  };
  const app = useConsole({ driver: name });
  const { page } = app;

  test('a copy is made, checked, shown with its missing events, and restored as the log', async () => {
    await raiseLink(page, { amount: '12', description: 'Before the copy', orderNumber: 'BEFORE-1' });
    await willChoose(app.app, join(elsewhere, 'mine.db'));
    await goTo(page, 'nav.settings');
    await page.getByText(word('settings.data'), { exact: true }).first().click();
    await button(page, 'data.back-up').click();
    await page.getByText(/Backup saved.*: .*mine\.db/).waitFor();
    await raiseLink(page, { amount: '13', description: 'After the copy', orderNumber: 'AFTER-1' });
    await goTo(page, 'nav.settings');
    await page.getByText(word('settings.data'), { exact: true }).first().click();
    await button(page, 'data.restore.file').click();
    const question = page.getByRole('alertdialog');
    await question.getByText(/This backup lacks .* events? of the current payment log/).waitFor();
    await question.getByRole('button', { name: word('restore.yes') }).click();
    await page.getByText(/The previous payment log is now payments\.db\.set-aside-/).waitFor();
    await goTo(page, 'nav.payments');
    await page.getByText('BEFORE-1').first().waitFor();
    await expect.poll(() => page.getByText('AFTER-1').count()).toBe(0);
  });

  test('a damaged log is reported with the possible actions, and archived for a new one', async () => {
    await raiseLink(page, { amount: '12', description: 'Lost and found' });
    await restartAfter(() => {
      const file = join(app.userData, 'payments.db');
      const bytes = readFileSync(file);
      bytes.fill(0x5a, 0, 4096);
      writeFileSync(file, bytes);
    });
    const trouble = page.getByRole('region', { name: word('data.file') });
    await trouble.getByText(word('error.log.corrupt')).waitFor();
    expect(await ipcRequest(page, 'payments.list', { filter: {} })).toMatchObject({ ok: false });
    await trouble.getByRole('button', { name: word('log-problem.start-new') }).click();
    await page.getByRole('button', { name: word('log-problem.start-new.yes') }).click();
    await trouble.waitFor({ state: 'detached' });
    const { link } = await raiseLink(page, { amount: '12', description: 'Started again' });
    expect(link).toMatch(/^http/);
    expect(readdirSync(app.userData).some(name => name.startsWith('payments.db.set-aside-'))).toBe(true);
  });

  test('a damaged payment list is found by the check and rebuilt from the evidence', async () => {
    await raiseLink(page, { amount: '12', description: 'Rebuilt', orderNumber: 'REBUILT-1' });
    await restartAfter(() => {
      const database = new Database(join(app.userData, 'payments.db.list'));
      database.exec("INSERT INTO search (search) VALUES ('delete-all')");
      database.close();
    });
    await goTo(page, 'nav.settings');
    await page.getByText(word('settings.data'), { exact: true }).first().click();
    await button(page, 'data.verify.do').click();
    await button(page, 'data.rebuild').click();
    await expect
      .poll(() => ipcRequest(page, 'payments.list', { filter: { words: 'REBUILT-1' } }))
      .toMatchObject({ ok: true, value: { rows: [{ orderNumber: 'REBUILT-1' }] } });
  });

  test('a missing payment log is reported with a question, and is used again once its file is back', async () => {
    await raiseLink(page, { amount: '12', description: 'Moved away', orderNumber: 'MOVED-1' });
    let moved: string[] = [];
    await restartAfter(() => {
      moved = readdirSync(app.userData).filter(name => /^payments\.db(-wal|-shm)?$/.test(name));
      for (const name of moved) renameSync(join(app.userData, name), join(elsewhere, name));
    });
    const trouble = page.getByRole('region', { name: word('data.file') });
    await trouble.getByText(word('error.log.missing')).waitFor();
    expect(existsSync(join(app.userData, 'payments.db'))).toBe(false);
    for (const name of moved) copyFileSync(join(elsewhere, name), join(app.userData, name));
    await trouble.getByRole('button', { name: word('log-problem.look-again') }).click();
    await trouble.waitFor({ state: 'detached' });
    await goTo(page, 'nav.payments');
    await page.getByText('MOVED-1').first().waitFor();
  });

  test('a payment with hundreds of events shows the newest, and the earlier ones on request', async () => {
    const order = { orderNumber: 'LONG-1' };
    const notes = Array.from({ length: 250 }, (_, at) => note(1_000 + at, `Note number ${at}`, order));
    await restartAfter(() => withEvents([requested(0, {}, order), ...notes])(app.userData));
    await goTo(page, 'nav.payments');
    await page.getByText('LONG-1').first().click();
    await page.getByText('Note number 249').first().waitFor();
    await expect.poll(() => page.getByText('Note number 0', { exact: true }).count()).toBe(0);
    await button(page, 'timeline.earlier').click();
    await page.getByText('Note number 100').first().waitFor();
    await button(page, 'timeline.earlier').click();
    await page.getByText('Note number 0', { exact: true }).first().waitFor();
    await button(page, 'timeline.earlier').waitFor({ state: 'detached' });
  });

  test("a customer's details are erased from a payment after a second question", async () => {
    await raiseLink(page, {
      amount: '12',
      description: 'By phone',
      name: 'Jane Quillfeather',
      email: 'jane@example.org',
    });
    await page.getByText('Jane Quillfeather').first().waitFor();
    await goTo(page, 'nav.payments');
    await page.getByText('Jane Quillfeather').first().click();
    await button(page, 'payment.more').click();
    await page.getByRole('menuitem', { name: word('erase.name') }).click();
    await button(page.getByRole('alertdialog'), 'erase.yes').click();
    await page.getByText(word('event.amended')).first().waitFor();
    await expect.poll(() => page.getByText('Jane Quillfeather').count()).toBe(0);
  });
});
