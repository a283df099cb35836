import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ipcRequest, raiseLink, word } from '../../../tools/browser-harness/console.ts';
import { drivers } from '../../../tools/browser-harness/harness.ts';
import { startApp, type StartedApp } from '../../../tools/browser-harness/open-app.ts';
import { openPayer, type Payer } from '../../../tools/browser-harness/payer.ts';

/** Chromium prints the dossier and the statement; the window stays as it is. */

describe.each(drivers)('on $name', ({ name, available }) => {
  describe.skipIf(!available)('a printed document', () => {
    let app: StartedApp;
    let page: Page;
    let payer: Payer;
    let orderNumber = '';
    /** Outside the console's own folder, where exports are refused. */
    const folder = mkdtempSync(join(tmpdir(), 'counterfoil-printed-'));
    const savedTo = async (file: string): Promise<string> => {
      const path = join(folder, file);
      await app.app.evaluate(({ dialog }, filePath) => {
        dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
      }, path);
      return path;
    };
    /** A PDF with at least this many pages, tagged for screen readers. */
    const expectPdf = (file: string, pages: number): void => {
      const text = readFileSync(file).toString('latin1');
      expect(text.slice(0, 5)).toBe('%PDF-');
      expect(text.match(/\/Type\s*\/Page\b/g)?.length).toBeGreaterThanOrEqual(pages);
      expect(text).toContain('/StructTreeRoot');
    };
    beforeAll(async () => {
      payer = await openPayer({ browser: 'shared' });
      app = await startApp({ driver: name });
      ({ page } = app);
      const raised = await raiseLink(page, { amount: '12.50', description: 'Two nights' });
      ({ orderNumber } = raised);
      await payer.go(raised.link, 'pay');
      await page.getByText(word('state.paid-confirmed')).first().waitFor();
    });
    afterAll(async () => {
      await app?.close();
      await payer?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    test('of one payment has a first page and an annex, and its JSON beside it', async () => {
      const file = await savedTo('dossier.pdf');
      const written = await ipcRequest(page, 'payments.dossier', { profileId: 'sandbox', orderNumber });
      expect(written).toMatchObject({ ok: true, value: { file } });
      expectPdf(file, 2);
      expect(JSON.parse(readFileSync(join(folder, 'dossier.json'), 'utf8'))).toMatchObject({
        format: 'counterfoil-dossier-1',
        payment: { orderNumber },
      });
    });

    test('of a month is written from the export dialog', async () => {
      const file = await savedTo('statement.pdf');
      await page.keyboard.press('Control+k');
      await page.getByRole('menuitem', { name: word('export.for-books') }).click();
      const dialog = page.getByRole('dialog', { name: word('export.title') });
      await dialog.getByRole('radio', { name: word('export.format.pdf') }).press('Space');
      await dialog.getByRole('button', { name: word('export.start') }).press('Enter');
      await page
        .getByTestId('export-strip')
        .getByText(/exported to/)
        .waitFor();
      expectPdf(file, 1);
      // The window still answers: printing used another one.
      expect(await ipcRequest(page, 'app.read', {})).toMatchObject({ ok: true });
    });

    test('is the next choice of the dialog, which remembers the last one', async () => {
      const read = await ipcRequest(page, 'app.read', {});
      expect(read.ok && read.value.settings.export).toEqual({ format: 'pdf', period: 'month' });
    });
  });
});
