import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { button, word, hasFocus } from '../../../tools/browser-harness/console.ts';
import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { importSandboxStatement, openSandboxStatement } from '../../../tools/screens/screens.ts';
import { seedLog } from '../../../tools/screens/seeded-log.ts';

/** A statement that the sandbox wrote, from the file to the closed month. */

onEachDriver('the month end', name => {
  const list = (key: 'different' | 'onlyHere' | 'onlyThere') =>
    page.getByText(new RegExp(`^${word(`month-end.list.${key}`)} · `));
  const rows = () => page.getByRole('table', { name: /Different|Only/ }).locator('tbody tr');

  const { page, app } = useConsole({ driver: name, prepare: seedLog });

  test('a file shows its own rows with what each column contains, before anything is kept', async () => {
    await openSandboxStatement(page, app);
    const sheet = page.getByRole('dialog', { name: word('month-end.statement') });
    await sheet.getByText(/agrees? with payments? here/).waitFor();
    await expect
      .poll(() => sheet.getByRole('button', { name: /Psp Reference/ }).innerText())
      .toContain('reference');
  });

  test('the button that imports a file is in view and has the focus, also above many columns', async () => {
    const importing = button(page, 'month-end.import');
    await hasFocus(importing);
    const box = await importing.boundingBox();
    const frame = await page.locator('.modal').boundingBox();
    if (box === null || frame === null) throw new Error('the sheet is not shown');
    expect(box.y + box.height).toBeLessThanOrEqual(frame.y + frame.height);
  });

  test('each difference that the sandbox made is in its list', async () => {
    await importSandboxStatement(page, app);
    for (const key of ['different', 'onlyThere'] as const) {
      await list(key).click();
      await expect.poll(() => rows().count()).toBeGreaterThan(0);
    }
    await page.getByText(word('month-end.reason.again')).waitFor();
    await page.getByText(word('month-end.reason.unknown')).waitFor();
  });

  test('the parts of the totals are the overview, with what it leaves out', async () => {
    const totals = page.getByRole('table', { name: word('month-end.sheet.sums') });
    const centsOf = async (row: Locator): Promise<number> => {
      const text = await row.getByRole('cell').nth(1).innerText();
      return Number(text.replaceAll(/\D/g, '')) * (/[-−]/.test(text) ? -1 : 1);
    };
    await totals.getByText(word('month-end.standing.outside')).waitFor();
    const overview = totals.getByRole('row', { name: word('month-end.overview') });
    const parts = totals.locator('tr:has(~ tr.bold)').filter({ has: page.getByRole('rowheader') });
    const sums = await Promise.all((await parts.all()).map(centsOf));
    expect(sums.length).toBeGreaterThan(2);
    expect(sums.reduce((sum, of) => sum + of, 0)).toBe(await centsOf(overview));
  });

  test('what is only here says why nothing could agree, if that is known', async () => {
    await list('onlyHere').click();
    await rows().getByText(word('month-end.reason.amount-unknown')).first().waitFor();
    await list('onlyThere').click();
  });

  test('a line without a payment is explained, and no longer counts', async () => {
    const count = async (): Promise<string> => (await list('onlyThere').innerText()).replace(/.*· /, '');
    const before = await count();
    const place = (await rows().first().boundingBox())?.y;
    await button(rows().filter({ hasText: 'NOT-HERE-1' }), 'month-end.decide').click();
    await page.getByRole('textbox', { name: word('month-end.column.explanation') }).fill('Sold at the fair');
    await button(page, 'month-end.decide.do').click();
    const top = async (): Promise<number | undefined> => (await rows().first().boundingBox())?.y;
    expect(await top()).toBe(place);
    await page.getByText(/Sold at the fair/).waitFor();
    expect(Number(await count())).toBe(Number(before) - 1);
  });

  test('a line is untied only after a question', async () => {
    const differences = async (): Promise<number> =>
      Number((await list('different').innerText()).replace(/.*· /, ''));
    await list('different').click();
    await page.getByRole('table', { name: word('month-end.list.different') }).waitFor();
    const before = await differences();
    const untie = button(rows().first(), 'month-end.untie');
    const question = page.getByRole('alertdialog', { name: word('month-end.untie.title') });
    await untie.click();
    await question.getByRole('button', { name: word('cancel') }).click();
    await question.waitFor({ state: 'hidden' });
    await expect.poll(differences).toBe(before);
    await untie.click();
    await question.getByRole('button', { name: word('month-end.untie') }).click();
    await expect.poll(differences).toBeLessThan(before);
  });

  test('a month is closed by a person who reads what is open, and moves nothing', async () => {
    const place = () => page.getByRole('radiogroup', { name: word('month-end.lists') }).boundingBox();
    const before = await place();
    await button(page, 'month-end.close').click();
    const question = page.getByRole('alertdialog');
    await question.getByText(/differences? (?:is|are) open/).waitFor();
    await question.getByRole('button', { name: word('month-end.close.do') }).click();
    await page.getByText(/^Closed on /).waitFor();
    expect(await place()).toEqual(before);
  });

  test('a report says where it was written', async () => {
    await app.evaluate(({ app, dialog }) => {
      const filePath = `${app.getPath('temp')}/month-end-${process.pid}.xlsx`;
      dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
    }, undefined);
    await button(page, 'month-end.export').click();
    await page.getByRole('menuitem', { name: word('month-end.export.xlsx') }).click();
    await page.getByText(/^Exported to month-end-\d+\.xlsx/).waitFor();
  });
});
