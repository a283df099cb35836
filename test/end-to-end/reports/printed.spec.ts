import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  button,
  goTo,
  ipcRequest,
  raiseLink,
  results,
  word,
  shows,
  inPage,
  pay,
} from '../../../tools/browser-harness/console.ts';
import { fontsOf, isWide, pictureCountOf } from '../../../tools/papers/read-pdf.ts';
import { isMerchantLogo } from '../../../shared/settings/merchant-logo.ts';
import { hotel, october } from '../../../tools/evidence/books.ts';
import { addShop } from '../../../tools/app-harness/running-app.ts';
import { willChoose } from '../../../tools/browser-harness/harness.ts';

/** Chromium prints the dossier and the statement; the window stays as it is. */

onEachDriver('a printed document', name => {
  let orderNumber = '';
  /** Outside the console's own folder, where exports are refused. */
  const folder = newFolder('printed');
  const savedTo = async (file: string): Promise<string> => {
    const path = join(folder, file);
    await willChoose(app.app, path);
    return path;
  };
  /** A PDF with at least this many pages, tagged for screen readers. */
  const expectPdf = (file: string, pages: number): void => {
    const text = readFileSync(file).toString('latin1');
    expect(text.slice(0, 5)).toBe('%PDF-');
    expect(text.match(/\/Type\s*\/Page\b/g)?.length).toBeGreaterThanOrEqual(pages);
    expect(text).toContain('/StructTreeRoot');
    // Every letter is in the document, in the console's own type.
    expect(fontsOf(readFileSync(file))).toEqual(['Inter-Regular', 'Inter-SemiBold', 'JetBrainsMono-Regular']);
  };
  const app = useConsole({ driver: name }, async () => {
    const raised = await raiseLink(page, { amount: '12.50', description: 'Two nights' });
    ({ orderNumber } = raised);
    await pay(raised.link);
    await page.getByText(word('state.paid-confirmed')).first().waitFor();
  });
  const { page } = app;

  test('a printed document of one payment has a first page and an annex, and its JSON beside it', async () => {
    const file = await savedTo('dossier.pdf');
    const written = await ipcRequest(page, 'payments.dossier', { profileId: 'sandbox', orderNumber });
    expect(written).toMatchObject({ ok: true, value: { file } });
    expectPdf(file, 2);
    expect(JSON.parse(readFileSync(join(folder, 'dossier.json'), 'utf8'))).toMatchObject({
      format: 'counterfoil-dossier-1',
      payment: { orderNumber },
    });
  });

  test('a printed document of a month is written from the export dialog', async () => {
    const file = await savedTo('statement.pdf');
    await page.keyboard.press('Control+k');
    await results(page)
      .getByRole('option', { name: word('export.for-books') })
      .click();
    const dialog = page.getByRole('dialog', { name: word('export.title') });
    await dialog.getByRole('radio', { name: word('export.format.pdf') }).press('Space');
    await dialog.getByRole('button', { name: word('export.start') }).press('Enter');
    await shows(page.getByTestId('export-strip'), /exported to/);
    expectPdf(file, 1);
    expect(pictureCountOf(readFileSync(file))).toBe(0);
    // The window still answers: printing used another one.
    expect(await ipcRequest(page, 'app.read', {})).toMatchObject({ ok: true });
  });

  test('a printed document has the logo that was chosen in the form of the profile, scaled to its limits', async () => {
    await page.evaluate(() => {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [3_000, 900];
      const drawing = canvas.getContext('2d');
      drawing?.fillRect(100, 100, 2_000, 700);
      document.body.dataset['picture'] = canvas.toDataURL('image/png').split(',')[1] ?? '';
    });
    const picture = Buffer.from((await page.locator('body').getAttribute('data-picture')) ?? '', 'base64');
    await goTo(page, 'nav.settings');
    await page.getByRole('link', { name: word('settings.profiles'), exact: true }).click();
    await button(page, 'profile.add').click();
    await page.getByRole('button', { name: word('profile.advanced.merchant') }).click();
    const input = page.locator('input[type="file"]');
    await input.setInputFiles({
      name: 'logo.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from('<svg/>'),
    });
    await page.getByText(word('profile.merchant.logo.problem')).waitFor();
    await input.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: picture });
    const shown = page.getByRole('img', { name: word('profile.merchant.logo.shown') });
    await shown.waitFor();
    const logo = (await shown.getAttribute('src')) ?? '';
    expect(isMerchantLogo(logo)).toBe(true);
    await button(page, 'profile.merchant.logo.remove').click();
    await shown.waitFor({ state: 'detached' });
    const profileId = await addShop(inPage(page), { ...hotel, merchant: { ...hotel.merchant, logo } });
    const file = await savedTo('with-logo.pdf');
    const written = await ipcRequest(page, 'payments.export', {
      filter: { profileId },
      period: october,
      format: 'pdf',
      orientation: 'landscape',
    });
    expect(written).toMatchObject({ ok: true, value: { file } });
    expect(pictureCountOf(readFileSync(file))).toBeGreaterThan(0);
    expect(isWide(readFileSync(file))).toBe(true);
  });

  test('the export dialog remembers the last choice, here a printed document of a month', async () => {
    const { settings } = await inPage(page).state();
    expect(settings.export).toEqual({ format: 'pdf', period: 'month', orientation: 'portrait' });
  });
});
