import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { statementPage } from '../../main/export/papers/statement-page.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import type { Orientation } from '../../shared/reports/export.ts';
import { button, goTo, ipcRequest, word } from '../../tools/browser-harness/console.ts';
import type { Application } from '../../tools/browser-harness/harness.ts';
import {
  hotelMerchant,
  monthOfPayments,
  paperContext,
  paperFacts,
} from '../../tools/papers/invented-month.ts';
import { openPaperPrinter } from '../../tools/papers/print-paper.ts';
import { smallLogo } from '../../tools/papers/small-logo.ts';

/** The pictures of papers in docs/use: the first page of each, from its PDF. Needs pdftoppm (package poppler-utils). */

const dotsPerInch = 76;
/** Size limit of a picture, bytes. */
const maxBytes = 120_000;

/** `maxHeight`: pixels from the top; a dense page would be too large as a whole. */
const savePicture = (folder: string, name: string, pdf: string, maxHeight = 2_000): void => {
  const file = join(folder, name);
  const part = ['-x', '0', '-y', '0', '-W', '2000', '-H', String(maxHeight)];
  execFileSync('pdftoppm', ['-png', '-singlefile', '-r', String(dotsPerInch), ...part, pdf, file]);
  const { size } = statSync(`${file}.png`);
  if (size > maxBytes) throw new Error(`${name}.png has ${String(size)} bytes`);
  console.log(`  ${file}.png`);
};

/** What the window would print now. */
const printWindow = async (page: Page, pdf: string): Promise<void> => {
  await page.evaluate(() => document.fonts.ready);
  writeFileSync(pdf, await page.pdf({ preferCSSPageSize: true, printBackground: true }));
};

/** `page` shows the paid payment of `profileId`, whose merchant is `hotelMerchant(smallLogo)`. */
export const takePaperPictures = async (
  folder: string,
  app: Application,
  page: Page,
  paid: { profileId: string; orderNumber: string },
): Promise<void> => {
  const work = mkdtempSync(join(tmpdir(), 'counterfoil-papers-'));
  const printer = await openPaperPrinter();
  try {
    for (const orientation of ['portrait', 'landscape'] satisfies Orientation[]) {
      const pdf = join(work, `${orientation}.pdf`);
      const html = statementPage(
        monthOfPayments(400),
        paperFacts,
        hotelMerchant(smallLogo),
        paperContext('en', 'en-GB'),
        orientation,
      );
      writeFileSync(pdf, await printer.print(html));
      savePicture(folder, `statement-${orientation}`, pdf, orientation === 'portrait' ? 380 : 300);
    }
    const dossier = join(work, 'dossier.pdf');
    await app.evaluate(({ dialog }, filePath) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
    }, dossier);
    const written = await ipcRequest(page, 'payments.dossier', paid);
    if (!written.ok) throw new Error(inEnglish(written.error.message));
    savePicture(folder, 'dossier', dossier);

    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', 'yes');
    });
    await button(page, 'payment.more').click();
    await page.getByRole('menuitem', { name: word('slip.confirmation.print') }).click();
    await page.locator('body[data-printed]').waitFor();
    await printWindow(page, join(work, 'slip.pdf'));
    savePicture(folder, 'slip', join(work, 'slip.pdf'));

    await goTo(page, 'nav.overview');
    await button(page, 'nav.handover-note').click();
    await page.getByTestId('handover-note').waitFor();
    await printWindow(page, join(work, 'handover-note.pdf'));
    savePicture(folder, 'handover-note', join(work, 'handover-note.pdf'));
  } finally {
    await printer.close();
    rmSync(work, { recursive: true, force: true });
  }
};
