import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { returnPages } from '../../../main/intake/serve/return-pages.ts';
import { violationsOn } from '../../../tools/browser-harness/axe.ts';
import { openPayer, type Payer } from '../../../tools/browser-harness/payer.ts';

/** The return pages in Chromium, with the headers of the intake. */

describe('a return page', () => {
  const pages = returnPages({ returnPages: { enabled: true, merchant: 'Käse & Söhne' } });
  let server: Server;
  let payer: Payer;
  let base = '';
  beforeAll(async () => {
    server = createServer((request, response) => {
      const page = pages.get(request.url ?? '');
      response.writeHead(page ? 200 : 404, page?.headers).end(page?.body);
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    payer = await openPayer();
  });
  afterAll(async () => {
    await payer?.close();
    server?.close();
  });

  test.each([...pages.keys()])(
    'the return page at %s is accessible, styled, and fits a phone, in light and in dark',
    async path => {
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await payer.open(base + path);
        const refused: string[] = [];
        page.on('console', message => refused.push(message.text()));
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width: 320, height: 640 });
        await page.reload();
        await page.getByRole('heading', { level: 1 }).waitFor();
        expect(await violationsOn(page, { rules: 'all' })).toEqual([]);
        const seen = await page.evaluate(() => ({
          overflow: document.documentElement.scrollWidth > innerWidth,
          background: getComputedStyle(document.body).backgroundColor,
        }));
        expect(seen).toEqual({
          overflow: false,
          background: colorScheme === 'dark' ? 'rgb(18, 21, 28)' : 'rgb(244, 245, 247)',
        });
        // The browser always fetches an icon, which a web server may not have.
        expect(refused.filter(text => !/favicon|404/.test(text))).toEqual([]);
      }
    },
  );
});
