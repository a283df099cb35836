import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { openPaymentLog } from '../main/payment-log/sqlite/open-payment-log.ts';
import { inEnglish } from '../shared/messages/catalogues.ts';
import type { CallbackFields } from '../shared/payments/evidence.ts';
import { languages, type Language } from '../shared/messages/language.ts';
import { profileDefaults } from '../shared/settings/profile.ts';
import type { MessageKey } from '../shared/messages/message.ts';
import { hashed, signedText } from '../tools/evidence/sign-callback.ts';
import { openKeyring } from '../tools/keyring/keyring-session.ts';
import {
  box,
  button,
  ipcRequest,
  fillNewPayment,
  goTo,
  raiseLink,
  waitForState,
  word,
} from '../tools/browser-harness/console.ts';
import { launch } from '../tools/browser-harness/harness.ts';
import { openPayer, type ScenarioName } from '../tools/browser-harness/payer.ts';
import { paymentEvents } from './bench/payments.ts';
import { build, isBuilt } from './build.ts';
import { root } from './steps.ts';

/**
 * Takes a screenshot of every screen in both themes and three sizes into .pictures/, and renews those in README and
 * docs: `npm run pictures`. Their month of payments is invented and seeded. Some of them only:
 * `npm run pictures -- --only paid,payments --themes dark --sizes 1366 --language de`; docs stay as they are then.
 */

const folder = join(root, '.pictures');
const shown = join(root, 'docs', 'pictures');
const { values: chosen } = parseArgs({
  options: {
    only: { type: 'string' },
    themes: { type: 'string', default: 'light,dark' },
    sizes: { type: 'string', default: '1366,1920,2560' },
    language: { type: 'string', default: 'en' },
  },
});
const isWhole = process.argv.length === 2;
const only = chosen.only?.split(',');
const sizes = [
  { width: 1366, height: 768 },
  { width: 1920, height: 1080 },
  { width: 2560, height: 1440 },
].filter(({ width }) => chosen.sizes.split(',').includes(String(width)));
const themes = (['light', 'dark'] as const).filter(theme => chosen.themes.split(',').includes(theme));
const language = languages.find(one => one === chosen.language) ?? 'en';

/** Those in README and docs, by the name of their screen. */
const inDocs = ['link', 'paid', 'callback', 'payments', 'overview'];

const hour = 3_600_000;

/** Two months at a hotel, in the sandbox's profile: more at the weekend, nothing at night. */
const fillMonth = async (file: string): Promise<void> => {
  const log = await openPaymentLog({ file, writer: 'pictures' });
  if (!log.ok) throw new Error(inEnglish(log.error.message));
  const midnight = new Date().setHours(0, 0, 0, 0);
  let index = 0;
  for (let day = 60; day >= 1; day -= 1) {
    const weekday = new Date(midnight - day * 24 * hour).getDay();
    const links = weekday === 0 || weekday === 6 ? 27 : 14 + ((day * 7) % 9);
    for (let link = 0; link < links; link += 1) {
      const raisedAt = midnight - day * 24 * hour + (8 + (link * 11) / links) * hour;
      const events = paymentEvents(index, index + 1, Math.round(raisedAt));
      const written = await log.value.append(events.map(event => ({ ...event, profileId: 'sandbox' })));
      if (!written.ok) throw new Error(inEnglish(written.error.message));
      index += 1;
    }
  }
  await log.value.close();
};

type Raised = { link: string; orderNumber: string };

/** Further payments on the screens, created through the sandbox. */
type Stage = { page: Page; waiting: Raised; paid: Raised; declined: Raised; pasted: string };

const openPayment = async (page: Page, { orderNumber }: Raised): Promise<void> => {
  await page.locator('#search').fill(orderNumber);
  await page.keyboard.press('Enter');
  await page.getByRole('grid').getByText(orderNumber).first().waitFor();
  await page.getByRole('grid').press('Enter');
  await page.getByRole('heading', { level: 1 }).getByText(orderNumber).first().waitFor();
};

const settings = async (page: Page, key: MessageKey): Promise<void> => {
  await goTo(page, 'nav.settings');
  await page.getByRole('link', { name: word(key), exact: true }).click();
};

const screens: Record<string, (stage: Stage) => Promise<unknown>> = {
  new: async ({ page }) => {
    await fillNewPayment(page, {
      amount: '123.40',
      description: 'Two nights, room 12',
      name: 'Anna Nowak',
      email: 'anna.nowak@example.com',
      phone: '+49 171 5550 123',
    });
  },
  'new-options': async ({ page }) => {
    await button(page, 'new.options').click();
    await page.getByText(word('new.language.hint')).waitFor();
  },
  link: async ({ page, waiting }) => {
    await openPayment(page, waiting);
    await button(page, 'link.qr').click();
    await page.getByRole('img', { name: word('link.qr.name') }).waitFor();
  },
  message: async ({ page, waiting }) => {
    await page.keyboard.press('Escape');
    await openPayment(page, waiting);
    await button(page, 'link.email').click();
    await button(page, 'messages.open.email').waitFor();
  },
  paid: async ({ page, paid }) => {
    await page.keyboard.press('Escape');
    await openPayment(page, paid);
  },
  declined: ({ page, declined }) => openPayment(page, declined),
  payments: async ({ page }) => {
    await page.locator('#search').fill('');
    await goTo(page, 'nav.payments');
    await page.getByRole('grid').getByRole('row').nth(5).waitFor();
  },
  'payments-with-pane': async ({ page }) => {
    await page.getByRole('grid').press('ArrowDown');
    await page.getByRole('grid').press('ArrowDown');
    if ((page.viewportSize()?.width ?? 0) < 1600) return;
    await page.getByRole('region', { name: word('verdict.name') }).waitFor();
  },
  'payments-found': async ({ page }) => {
    await page.locator('#search').fill('paid EUR last month');
    await page.keyboard.press('Enter');
  },
  'look-up': async ({ page, paid }) => {
    await page.locator('#search').fill('');
    await goTo(page, 'nav.look-up');
    await page.locator('[name="look-up"]').fill(paid.orderNumber);
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: word('look-up.answer') }).waitFor();
  },
  callback: async ({ page, pasted }) => {
    await goTo(page, 'nav.callbacks');
    await box(page, 'callbacks.paste').fill(pasted);
    await page.getByRole('region', { name: word('callbacks.meaning') }).waitFor();
  },
  'callback-file': async ({ page, pasted }) => {
    await goTo(page, 'nav.callbacks');
    const changed = [
      pasted.replace(/order_amount=[^\n&]*/, 'order_amount=1'),
      pasted.replace(/hash=.{4}/, 'hash=0000'),
    ];
    const line = (text: string): string => text.trim().replaceAll('\n', '&');
    await box(page, 'callbacks.paste').fill([pasted, pasted, ...changed].map(line).join('\n'));
    const causes = page.getByRole('region', { name: word('file.causes') });
    await causes.getByRole('button').first().click();
    await page.getByRole('region', { name: word('callbacks.meaning') }).waitFor();
  },
  'callback-inbox': async ({ page }) => {
    await goTo(page, 'nav.callbacks');
    await page.getByRole('tab', { name: word('callbacks.tab.inbox') }).click();
    await page.getByRole('grid', { name: word('inbox.name') }).waitFor();
  },
  'callback-receiver': async ({ page }) => {
    await page.getByRole('tab', { name: word('callbacks.tab.receiver') }).click();
    await button(page, 'callbacks.receiver-settings').waitFor();
  },
  reconciliation: async ({ page }) => {
    await goTo(page, 'nav.reconciliation');
    await page.getByRole('grid').getByRole('row').nth(2).waitFor();
  },
  overview: async ({ page }) => {
    await goTo(page, 'nav.overview');
    await page.locator('.chart').waitFor();
  },
  'overview-as-table': async ({ page }) => {
    await button(page, 'overview.as.table').click();
    await page.getByRole('table').first().waitFor();
  },
  'handover-note': async ({ page }) => {
    await button(page, 'overview.as.chart').click();
    await button(page, 'nav.handover-note').click();
    await page.getByTestId('handover-note').waitFor();
  },
  sandbox: async ({ page }) => {
    await goTo(page, 'nav.sandbox');
    await page.getByRole('switch').first().waitFor();
  },
  'settings-profiles': ({ page }) => settings(page, 'settings.profiles'),
  'connection-check': async ({ page }) => {
    await settings(page, 'settings.profiles');
    await button(page, 'profile.check').last().click();
    await page.locator('.check-verdict').waitFor();
  },
  'settings-profile': async ({ page }) => {
    await settings(page, 'settings.profiles');
    await button(page, 'profile.add').click();
    await box(page, 'profile.name').fill('Nordlicht Hotels GmbH');
    await button(page, 'profile.save').click();
    await page.locator('.problem-summary').waitFor();
  },
  'settings-receiver': ({ page }) => settings(page, 'settings.receiver'),
  'settings-desk': ({ page }) => settings(page, 'settings.general'),
  'settings-people': ({ page }) => settings(page, 'settings.people'),
  'settings-activity': ({ page }) => settings(page, 'settings.activity'),
  'settings-data': ({ page }) => settings(page, 'settings.data'),
  'settings-appearance': ({ page }) => settings(page, 'settings.appearance'),
  'settings-messages': ({ page }) => settings(page, 'settings.messages'),
  assumptions: ({ page }) => settings(page, 'settings.assumptions'),
  about: ({ page }) => settings(page, 'settings.about'),
  palette: async ({ page }) => {
    await goTo(page, 'nav.payments');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: word('palette.name') }).waitFor();
  },
};

/** A callback for a shop's profile whose amount was re-formatted on the way. */
const rewritten = async (page: Page): Promise<string> => {
  const password = 'made up for the picture';
  const saved = await ipcRequest(page, 'profiles.save', {
    id: null,
    profile: {
      ...profileDefaults,
      successUrl: 'https://shop.test/thank-you?order={order}',
      cancelUrl: 'https://shop.test/cancelled?order={order}',
      name: 'Shop, test account',
      kind: 'test',
      baseUrl: 'https://pay.example.com',
      merchantKey: 'shop-test-key',
    },
    password,
    thisRunOnly: true,
  });
  if (!saved.ok) throw new Error(inEnglish(saved.error.message));
  const fields: CallbackFields = [
    ['id', 'db5b5fab-8f4d-4e27-9da1-494c73cf256d'],
    ['order_number', 'A-10234'],
    ['order_amount', '100.00'],
    ['order_currency', 'EUR'],
    ['order_description', 'Blue chair'],
    ['type', 'sale'],
    ['status', 'success'],
  ];
  const signed: CallbackFields = [...fields, ['hash', hashed(signedText(fields) + password)]];
  return signed.map(([name, value]) => `${name}=${name === 'order_amount' ? '100' : value}`).join('\n');
};

const speak = async (page: Page, language: Language): Promise<void> => {
  await ipcRequest(page, 'settings.change', { language });
  await page.locator(`html[lang="${language}"]`).waitFor({ state: 'attached' });
};

if (!isBuilt() && !(await build())) process.exit(1);
if (isWhole) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const userData = mkdtempSync(join(tmpdir(), 'counterfoil-pictures-'));
await fillMonth(join(userData, 'payments.db'));
const keyring = await openKeyring();
const payer = await openPayer();
const app = await launch({ userData, env: keyring.env, size: { width: 1366, height: 768 } });

try {
  const page = await app.firstWindow();
  await box(page, 'new.amount').waitFor();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const raise = async (amount: string, description: string, name: string, scenario?: ScenarioName) => {
    const email = `${name.toLowerCase().replace(' ', '.')}@example.com`;
    const raised = await raiseLink(page, { amount, description, name, email });
    if (scenario) await payer.go(raised.link, scenario);
    return raised;
  };
  const declined = await raise('15', 'Late check-out', 'Ben Larsen', 'decline');
  await waitForState(page, 'declined');
  const paid = await raise('123.40', 'Two nights, room 12', 'Anna Nowak', 'threeDsPay');
  await waitForState(page, 'paid-confirmed');
  await raise('64', 'Dinner for two', 'Hana Tanaka');
  const waiting = await raise('289.90', 'Blue chair', 'Elif Brown');
  const stage = { page, waiting, paid, declined, pasted: await rewritten(page) };

  for (const theme of themes) {
    await ipcRequest(page, 'settings.change', { theme });
    await page.locator(`html[data-theme="${theme}"]`).waitFor({ state: 'attached' });
    for (const size of sizes) {
      await page.setViewportSize(size);
      for (const [name, reach] of Object.entries(screens)) {
        await reach(stage);
        if (only && !only.includes(name)) continue;
        // The way to a screen is found by its English names.
        await speak(page, language);
        await page.evaluate(() => document.fonts.ready);
        // Two frames: the new screen is rendered.
        await page.evaluate(
          () => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn))),
        );
        const picture = `${name}-${theme}-${String(size.width)}.png`;
        await page.screenshot({ path: join(folder, picture) });
        console.log(`  .pictures/${picture}`);
        await speak(page, 'en');
      }
      await page.keyboard.press('Escape');
    }
  }
  if (isWhole)
    for (const name of inDocs)
      copyFileSync(join(folder, `${name}-light-1366.png`), join(shown, `${name}.png`));
} finally {
  await app.close();
  await payer.close();
  await keyring.close();
  rmSync(userData, { recursive: true, force: true });
}
