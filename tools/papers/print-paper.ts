import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { paperFontFolder, paperFonts } from '../../main/export/papers/paper-fonts.ts';
import { root } from '../build/steps.ts';
import { browserPath } from '../fake-electron/browser-path.ts';

/** Prints papers by Chromium as the console does, without the console. */

const origin = 'http://paper.test';

export type PaperPrinter = Awaited<ReturnType<typeof openPaperPrinter>>;

export const openPaperPrinter = async () => {
  const browser = await chromium.launch({
    executablePath: browserPath(),
    args: ['--no-sandbox', '--disable-background-networking', '--no-first-run'],
  });
  const withPage = async <T>(html: string, use: (page: Page) => Promise<T>): Promise<T> => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    try {
      const page = await context.newPage();
      await page.route('**/*', async route => {
        const path = new URL(route.request().url()).pathname;
        const font = paperFonts.find(({ file }) => path === `/${paperFontFolder}/${file}`);
        if (font)
          return route.fulfill({
            body: await readFile(join(root, 'node_modules', font.source)),
            contentType: 'font/woff2',
          });
        return path === '/paper'
          ? route.fulfill({ body: html, contentType: 'text/html; charset=utf-8' })
          : route.abort();
      });
      await page.goto(`${origin}/paper`);
      return await use(page);
    } finally {
      await context.close();
    }
  };
  return {
    close: (): Promise<void> => browser.close(),
    /** The bytes of the PDF. `html`: a complete page. */
    print: (html: string): Promise<Buffer> =>
      withPage(html, page => page.pdf({ preferCSSPageSize: true, printBackground: true, tagged: true })),
    /**
     * How much the page's content is wider than the sheet inside its margins, pixels. Chromium prints such a page smaller
     * as a whole. `widthMm`: of the sheet inside its margins.
     */
    overflow: (html: string, widthMm: number): Promise<number> =>
      withPage(html, async page => {
        await page.emulateMedia({ media: 'print' });
        await page.setViewportSize({ width: Math.floor((widthMm * 96) / 25.4), height: 900 });
        return page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
      }),
  };
};
