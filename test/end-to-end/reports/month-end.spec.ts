import { expect, test } from 'vitest';
import { button, word } from '../../../tools/browser-harness/console.ts';
import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { importSandboxStatement, openSandboxStatement } from '../../../tools/screens/screens.ts';
import { seedLog } from '../../../tools/screens/seeded-log.ts';

/** A statement that the sandbox wrote, from the file to the closed month. */

onEachDriver('the month end', name => {
  const list = (key: 'different' | 'onlyThere') =>
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

  test('each difference that the sandbox made is in its list', async () => {
    await importSandboxStatement(page, app);
    for (const key of ['different', 'onlyThere'] as const) {
      await list(key).click();
      await expect.poll(() => rows().count()).toBeGreaterThan(0);
    }
    await page.getByText(word('month-end.reason.again')).waitFor();
    await page.getByText(word('month-end.reason.unknown')).waitFor();
  });

  test('a line without a payment is explained, and no longer counts', async () => {
    const count = async (): Promise<string> => (await list('onlyThere').innerText()).replace(/.*· /, '');
    const before = await count();
    await rows()
      .filter({ hasText: 'NOT-HERE-1' })
      .getByRole('button', { name: word('month-end.decide') })
      .click();
    await page.getByRole('textbox', { name: word('month-end.column.explanation') }).fill('Sold at the fair');
    await button(page, 'month-end.decide.do').click();
    await page.getByText(/Sold at the fair/).waitFor();
    expect(Number(await count())).toBe(Number(before) - 1);
  });

  test('a month is closed by a person, whose name stays with it', async () => {
    await button(page, 'month-end.close').click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: word('month-end.close') })
      .click();
    await page.getByText(/^Closed on /).waitFor();
  });
});
