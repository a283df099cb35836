import type { Page } from 'playwright-core';
import type { MessageKey } from '../../shared/messages/message.ts';
import { closeOverlays } from '../../tools/screens/reach.ts';
import { furtherScreens, screens as walked } from '../../tools/screens/screens.ts';
import { box, button, fillNewPayment, goTo, results, word } from '../../tools/browser-harness/console.ts';
import type { Application } from '../../tools/browser-harness/harness.ts';

/** What the pictures show: screens with the payments of a month, and every screen that the tests walk through. */

export type Raised = { link: string; orderNumber: string };

/** Further payments on the screens, created through the sandbox. */
export type Stage = {
  app: Application;
  page: Page;
  waiting: Raised;
  paid: Raised;
  declined: Raised;
  pasted: string;
};

const openPayment = async (page: Page, { orderNumber }: Raised): Promise<void> => {
  await page.locator('#search').fill(orderNumber);
  await page.keyboard.press('Enter');
  await page.getByRole('grid').getByText(orderNumber).first().waitFor();
  await page.getByRole('grid').press('Enter');
  await page.getByRole('heading', { level: 1 }).getByText(orderNumber).first().waitFor();
};

const openSettings = async (page: Page, key: MessageKey): Promise<void> => {
  await goTo(page, 'nav.settings');
  await page.getByRole('link', { name: word(key), exact: true }).click();
};

const staged: Record<string, (stage: Stage) => Promise<unknown>> = {
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
  spelling: async ({ page, waiting }) => {
    await closeOverlays(page);
    await openPayment(page, waiting);
    await button(page, 'link.spell').click();
    await page.getByRole('dialog').waitFor();
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
    await page.locator('.list-sums').waitFor();
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
    await page.locator('.list-sums').waitFor();
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
  'settings-profiles': ({ page }) => openSettings(page, 'settings.profiles'),
  'connection-check': async ({ page }) => {
    await openSettings(page, 'settings.profiles');
    await button(page, 'profile.check').last().click();
    await page.locator('.check-verdict').waitFor();
  },
  'settings-profile': async ({ page }) => {
    await openSettings(page, 'settings.profiles');
    await button(page, 'profile.add').click();
    await box(page, 'profile.name').fill('Nordlicht Hotels GmbH');
    await button(page, 'profile.save').click();
    await page.locator('.problem-summary').waitFor();
  },
  'settings-receiver': ({ page }) => openSettings(page, 'settings.receiver'),
  'settings-general': ({ page }) => openSettings(page, 'settings.general'),
  'settings-people': ({ page }) => openSettings(page, 'settings.people'),
  'settings-activity': ({ page }) => openSettings(page, 'settings.activity'),
  'settings-data': ({ page }) => openSettings(page, 'settings.data'),
  'settings-appearance': ({ page }) => openSettings(page, 'settings.appearance'),
  'settings-messages': ({ page }) => openSettings(page, 'settings.messages'),
  assumptions: ({ page }) => openSettings(page, 'settings.assumptions'),
  about: ({ page }) => openSettings(page, 'settings.about'),
  'settings-health': ({ page }) => openSettings(page, 'settings.health'),
  'settings-scripts': ({ page }) => openSettings(page, 'settings.custom-scripts'),
  search: async ({ page }) => {
    await goTo(page, 'nav.overview');
    await page.keyboard.press('Control+k');
    await results(page).getByRole('option').first().waitFor();
  },
  'search-results': async ({ page }) => {
    await goTo(page, 'nav.callbacks');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('EUR');
    await results(page).getByText(word('nav.payments')).waitFor();
  },
};

/** Shown above, with better data. */
const shownAbove = [
  'new payment',
  'payments',
  'look-up',
  'callbacks',
  'reconciliation',
  'overview',
  'overview as a table',
  'the handover note',
  'sandbox',
  'settings',
  'the page of assumptions',
  'general settings',
  'the team',
  'the activity list',
  'settings of the appearance',
  'what to say',
  'messages to customers',
  'a message with a link',
  'the options of a new payment',
  'settings of the receiver',
  'settings of the data',
  'the health of the installation',
  'about the console',
  'a callback, explained',
  'several callbacks, summed up',
  'the commands',
];

type Shown = Readonly<Record<string, (stage: Stage) => Promise<unknown>>>;

export const walkedScreens: Shown = Object.fromEntries(
  Object.entries({ ...walked, ...furtherScreens })
    .filter(([name]) => !shownAbove.includes(name))
    .map(([name, reach]) => [
      name.replaceAll(/[^a-z]+/g, '-'),
      async ({ page, app }: Stage) => {
        await closeOverlays(page);
        await reach(page, app);
      },
    ]),
);

/** Every screen by the name of its picture. */
export const screens: Shown = { ...staged, ...walkedScreens };
