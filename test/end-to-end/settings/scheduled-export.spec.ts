import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { button, goTo, word } from '../../../tools/browser-harness/console.ts';

/** The scheduled export in the settings. */

onEachDriver('the scheduled export', name => {
  const folder = newFolder('scheduled');
  const app = useConsole({ driver: name });

  test('the scheduled export is switched on by a folder and an interval, and shows the file of the last month', async () => {
    const { page } = app;
    await app.app.evaluate(({ dialog }, chosen) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
    }, folder);
    await goTo(page, 'nav.settings');
    await page.getByRole('link', { name: word('settings.data'), exact: true }).click();
    const section = page.getByRole('region', { name: word('scheduled-export') });
    const interval = section.getByRole('button', { name: word('scheduled-export.every') });
    await expect.poll(() => interval.isDisabled()).toBe(true);
    await button(page, 'scheduled-export.choose').click();
    await section.getByText(folder, { exact: true }).waitFor();
    await interval.click();
    await page.getByRole('option', { name: word('scheduled-export.every.month') }).click();
    await section.getByText(/Sandbox-\d{4}-\d\d\.xlsx/).waitFor();
    await button(page, 'scheduled-export.run').click();
    await section.getByText(/Sandbox-\d{4}-\d\d \(2\)\.xlsx/).waitFor();
    expect(readdirSync(folder).filter(file => file.endsWith('.xlsx'))).toHaveLength(2);
  });
});
