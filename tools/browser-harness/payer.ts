import { chromium, type Browser, type Page } from 'playwright-core';
import { browserPath } from '../fake-electron/browser-path.ts';

const startBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: browserPath(),
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });

export type Payer = Awaited<ReturnType<typeof openPayer>>;

/** A real browser for the customer, separate from the console's window. */
export const openPayer = async () => {
  const browser = await startBrowser();
  const open = async (link: string): Promise<Page> => {
    const page = await browser.newPage({ viewport: { width: 900, height: 760 } });
    await page.goto(link);
    return page;
  };
  return {
    /** Opens a payment link in the payer's own browser. */
    open,
    /** Opens the link and pays, with the check of the bank. */
    pay: async (link: string): Promise<void> => {
      const page = await open(link);
      await page.getByRole('button', { name: /^3-D Secure, then pay/ }).click();
      await page.getByRole('button', { name: /^Confirm the payment/ }).click();
      await page.waitForURL(/\/return\/success/);
    },
    /** Opens the link, and is declined: stays on the page and may try again. */
    decline: async (link: string): Promise<void> => {
      const page = await open(link);
      await page.getByRole('button', { name: /^Decline\b/ }).click();
      await page.getByRole('link', { name: 'Back to the shop' }).waitFor();
    },
    close: (): Promise<void> => browser.close(),
  };
};
