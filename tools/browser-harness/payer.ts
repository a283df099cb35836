import { chromium, type Browser, type Page } from 'playwright-core';
import { browserPath } from '../fake-electron/browser-path.ts';

/** The scenarios of the sandbox's payment page, by the text of their buttons. */
export const scenarios = {
  pay: /^Pay\b/,
  decline: /^Decline\b/,
  threeDsPay: /^3-D Secure, then pay/,
  threeDsFail: /^3-D Secure, then fail/,
  cancel: /^Cancel\b/,
} as const;
export type ScenarioName = keyof typeof scenarios;

export type Payer = Awaited<ReturnType<typeof openPayer>>;

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
    /** Opens the link and completes a scenario, including the bank's page; resolves to the last page. */
    go: async (link: string, scenario: ScenarioName): Promise<Page> => {
      const page = await open(link);
      await page.getByRole('button', { name: scenarios[scenario] }).click();
      const bank = page.getByRole('button', { name: /^(Confirm the payment|Let the check fail)/ });
      if (scenario.startsWith('threeDs')) await bank.click();
      // A declined customer stays and may try again; all others are sent back to the shop.
      if (scenario === 'decline' || scenario === 'threeDsFail')
        await page.getByRole('link', { name: 'Back to the shop' }).waitFor();
      else await page.waitForURL(/\/return\/(?:success|cancel)/);
      return page;
    },
    close: (): Promise<void> => browser.close(),
  };
};
