import { word, button } from '../browser-harness/console.ts';
import type { Application } from '../browser-harness/harness.ts';
import type { Page } from 'playwright-core';
import { at, closeOverlays, type Reach } from './reach.ts';

/** The month end with a statement that the sandbox wrote. */

/** Writes a statement into the folder of the data, and opens it. Resolves when it is shown. */
export const openSandboxStatement = async (page: Page, app: Application): Promise<void> => {
  await closeOverlays(page);
  await app.evaluate(({ app, dialog }) => {
    const filePath = `${app.getPath('temp')}/sandbox-statement-${process.pid}.csv`;
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [filePath] });
  }, undefined);
  await at(page, 'nav.sandbox');
  await button(page, 'sandbox.statement.provider').click();
  await page.getByText(/in the file|in der Datei/).waitFor();
  await at(page, 'month-end.report');
  await button(page, 'month-end.open').click();
  await page.getByRole('dialog', { name: word('month-end.statement') }).waitFor();
};

/** The month end with its lists. */
export const importSandboxStatement = async (page: Page, app: Application): Promise<void> => {
  await openSandboxStatement(page, app);
  const importing = button(page, 'month-end.import');
  if (await importing.isDisabled()) await closeOverlays(page);
  else await importing.click();
  await page.getByRole('heading', { name: word('month-end.statements') }).waitFor();
};

export const monthEndScreens: Readonly<Record<string, Reach>> = {
  'the preview of a statement': openSandboxStatement,
  'the month end': importSandboxStatement,
};
