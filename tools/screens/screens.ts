import type { Locator, Page } from 'playwright-core';
import type { MessageKey } from '../../shared/messages/message.ts';
import { button, raiseLink, results, startNewPayment, word } from '../browser-harness/console.ts';
import { administrationScreens } from './administration-screens.ts';
import { customerScreens, openCustomer } from './customer-screens.ts';
import { operationScreens } from './operation-screens.ts';
import { at, closeOverlays, openForIt, settings, show, type Reach } from './reach.ts';
import { seriesScreens } from './series-screens.ts';
import type { Application } from '../browser-harness/harness.ts';

/** Every screen and state with specific rules, and the steps to it. */

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
  await page.locator('#place output:not(:empty)').waitFor();
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

/** Opens the popover of a filter; a screen that still moves closes it again. */
const openFilter = async (page: Page, key: MessageKey, box: Locator): Promise<void> => {
  const filter = button(page.getByRole('toolbar', { name: word('filter.name') }), key);
  for (let tries = 0; tries < 5 && !(await box.isVisible()); tries += 1) {
    await filter.click();
    await box.waitFor({ timeout: 2_000 }).catch(() => undefined);
  }
  await box.waitFor({ timeout: 2_000 });
};

/** All payments of the queue, selected. */
const selectReview = async (page: Page): Promise<void> => {
  await closeOverlays(page);
  await at(page, 'nav.reconciliation');
  await page.locator('.review-row').first().waitFor();
  await page.locator('.review-grid').focus();
  await page.keyboard.press('Control+a');
  await page.locator('.selection-bar').waitFor();
};
/** A dialog over the queue, opened by a button of the bar. */
const reviewing =
  (key: MessageKey): Reach =>
  async page => {
    await selectReview(page);
    await page
      .locator('.selection-bar')
      .getByRole('button', { name: word(key) })
      // The bar grows upwards while it is drawn: in the smallest window a click may meet another button.
      .press('Enter');
    await page.locator('.modal').waitFor();
  };

const openLinks = new WeakMap<Page, string>();

/** The page of a link that can be paid: one for several screens. */
const showOpenLink = async (page: Page): Promise<void> => {
  await closeOverlays(page);
  const known = openLinks.get(page);
  if (known !== undefined) {
    await show(page, `#/payment/sandbox/${known}`);
    await page.getByTestId('payment-link').waitFor();
    return;
  }
  const typed = { amount: '80', description: 'Deposit', name: 'Maria Schmidt' };
  openLinks.set(page, (await raiseLink(page, typed)).orderNumber);
};

/** The overview of a period, with at least one link: today's may all be yesterday's since midnight. */
const overviewOf = async (
  page: Page,
  period: 'overview.period.7' | 'overview.period.today',
): Promise<void> => {
  const links = page.locator('.links-card');
  for (let tries = 0; tries < 3; tries += 1) {
    await closeOverlays(page);
    await at(page, 'nav.overview');
    const segment = page.locator('.segment', { hasText: word(period) });
    await segment.click();
    await segment.and(page.locator('[data-selected]')).waitFor();
    await links.or(page.locator('.overview .empty')).first().waitFor();
    if (await links.isVisible()) return;
    await raiseLink(page, { amount: '12', description: 'For the overview' });
  }
};

/** The screens, each in its first state. */
export const screens: Readonly<Record<string, Reach>> = {
  'new payment': startNewPayment,
  'open forms': async page => {
    await startNewPayment(page);
    await page.locator('[name="amount"]').fill('80');
    await page.locator('[name="customerName"]').fill("Zoë O'Brien");
    await page.keyboard.press('Control+n');
    await page.locator('.draft-tabs').waitFor();
    await page.locator('[name="description"]').fill('Two nights, room 12');
  },
  'a payment': page => raiseLink(page, { amount: '12', description: 'For everyone' }),
  'a customer': openCustomer,
  payments: page => at(page, 'nav.payments'),
  'payments with filters': async page => {
    await page.locator('#search').fill('today EUR profile:all');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: word('filter.clear') }).waitFor();
  },
  'the dates of a filter': async page => {
    await at(page, 'nav.payments');
    await openFilter(page, 'filter.date', page.locator('.calendar'));
  },
  'the columns of the list': async page => {
    await closeOverlays(page);
    await at(page, 'nav.payments');
    await page.getByRole('button', { name: word('columns.name') }).click();
    await page.getByRole('dialog', { name: word('columns.name') }).waitFor();
  },
  'the alerts': async page => {
    await closeOverlays(page);
    await at(page, 'nav.payments');
    await page.locator('.alerts-button').click();
    await page.getByRole('dialog', { name: word('alert.name') }).waitFor();
  },
  'the states of a filter': async page => {
    await closeOverlays(page);
    await at(page, 'nav.payments');
    await openFilter(page, 'filter.state', page.getByRole('menu'));
  },
  'look-up': async page => {
    await closeOverlays(page);
    await at(page, 'nav.look-up');
  },
  callbacks: page => at(page, 'nav.callbacks'),
  'the callbacks that arrived': async page => {
    await at(page, 'nav.callbacks');
    await page.getByRole('tab', { name: word('callbacks.tab.inbox') }).click();
    await page.getByRole('grid', { name: word('inbox.name') }).waitFor();
  },
  'the receiver beside the inspector': async page => {
    await at(page, 'nav.callbacks');
    await page.getByRole('tab', { name: word('callbacks.tab.receiver') }).click();
    await button(page, 'callbacks.receiver-settings').waitFor();
  },
  reconciliation: async page => {
    await at(page, 'nav.reconciliation');
    await page.locator('.review-row, .empty').first().waitFor();
  },
  'the resolved payments': async page => {
    await closeOverlays(page);
    await at(page, 'nav.reconciliation');
    await page.locator('.segment', { hasText: word('review.list.resolved') }).click();
    await page.getByText(word('review.empty.resolved')).waitFor();
  },
  overview: async page => {
    await at(page, 'nav.overview');
    await page.locator('.money-card, .empty').first().waitFor();
  },
  'the other periods of the overview': async page => {
    await closeOverlays(page);
    await at(page, 'nav.overview');
    await button(page, 'overview.period.other').click();
    await page.getByRole('dialog', { name: word('overview.period.other') }).waitFor();
  },
  'the export of movements': async page => {
    await closeOverlays(page);
    await at(page, 'nav.overview');
    await button(page, 'export.open').click();
    await page.getByText(word('export.what.period'), { exact: true }).click();
    await page.getByText(word('export.format.csv'), { exact: true }).click();
    await page.getByText(word('export.rows.movements'), { exact: true }).click();
  },
  'overview of a day': async page => {
    await overviewOf(page, 'overview.period.today');
    await page.locator('.links-card').waitFor();
  },
  'the handover note': async page => {
    await at(page, 'nav.overview');
    await page.getByRole('button', { name: word('nav.handover-note') }).click();
    await page.getByTestId('handover-note').waitFor();
  },
  sandbox: page => at(page, 'nav.sandbox'),
  settings: page => at(page, 'nav.settings'),
  'the page of assumptions': async page => {
    await at(page, 'nav.settings');
    await page.getByRole('link', { name: word('settings.assumptions') }).click();
    await button(page, 'dry-run.show').click();
    await page.getByRole('heading', { name: word('dry-run.session') }).waitFor();
  },
  'general settings': settings('settings.general', page =>
    page
      .getByRole('switch', { name: word('background.notifications') })
      .first()
      .waitFor(),
  ),
  'the team': settings('settings.people', page => button(page, 'agents.add').waitFor()),
  'the activity list': settings('settings.activity', page => button(page, 'activity.export').waitFor()),
  'settings of the appearance': settings('settings.appearance', page =>
    page.getByRole('switch', { name: word('single-keys') }).waitFor(),
  ),
  'what to say': settings('settings.custom-scripts', page =>
    page.getByRole('textbox', { name: word('state.waiting') }).waitFor(),
  ),
};

/** States one step further: opened forms, answers, sheets over the screen. */
export const furtherScreens: Readonly<Record<string, Reach>> = {
  'a form with errors': async page => {
    await startNewPayment(page);
    await button(page, 'new.clear').click();
    await page.keyboard.press('Control+Enter');
    await page.getByText(word('new.amount.missing'), { exact: true }).waitFor();
  },
  'selected payments to review': selectReview,
  'the reasons to resolve': reviewing('review.resolve'),
  'the people to assign to': reviewing('review.assign'),
  'the ends of a snooze': reviewing('review.snooze'),
  'refunds one after the other': reviewing('refund-run.open'),
  'the actions of a payment': async page => {
    await showOpenLink(page);
    await button(page, 'payment.more').click();
    await page.getByRole('menuitem', { name: word('withdraw.name') }).waitFor();
  },
  'messages to customers': settings('settings.messages', page =>
    page.getByRole('textbox', { name: word('messages.slot.sms') }).waitFor(),
  ),
  'two links of one order': async page => {
    const { link } = await raiseLink(page, { amount: '80', description: 'Deposit' });
    await page.keyboard.press('a');
    await page.getByRole('button', { name: word('duplicate.create') }).click();
    await page.waitForFunction(
      before => document.querySelector('[data-testid="payment-link"]')?.textContent?.trim() !== before,
      link,
    );
    await page.getByRole('region', { name: word('links.name') }).waitFor();
  },
  'the question before a link is withdrawn': async page => {
    await showOpenLink(page);
    await button(page, 'payment.more').click();
    await page.getByRole('menuitem', { name: word('withdraw.name') }).click();
    await page.getByRole('alertdialog', { name: word('withdraw.name') }).waitFor();
  },
  'a message with a link': async page => {
    await showOpenLink(page);
    await button(page, 'link.email').click();
    await page.getByRole('button', { name: word('messages.open.email') }).waitFor();
  },
  'the options of a new payment': async page => {
    await startNewPayment(page);
    const more = page.getByRole('button', { name: word('new.options') });
    if ((await more.getAttribute('aria-expanded')) !== 'true') await more.click();
    await page.getByText(word('new.language.hint')).waitFor();
  },
  'a new profile with problems and an open group': async page => {
    await closeOverlays(page);
    await at(page, 'nav.settings');
    await button(page, 'profile.add').click();
    await button(page, 'profile.save').click();
    await page.locator('.problem-summary').waitFor();
    await page.getByRole('button', { name: word('profile.advanced.gateway') }).click();
    await page.getByRole('textbox', { name: word('profile.zone') }).waitFor();
  },
  'refunds with their details for IT': async page => {
    await settings('settings.refunds', of => of.locator('.advanced-group-button').click())(page);
    await page.getByRole('textbox', { name: word('profile.operations.holdDays') }).waitFor();
  },
  'a new person': async page => {
    await settings('settings.people', of => button(of, 'agents.add').waitFor())(page);
    await button(page, 'agents.add').click();
    await page.getByRole('dialog', { name: word('agents.add') }).waitFor();
  },
  'settings of the receiver': settings('settings.receiver', page => openForIt(page, 'receiver.port')),
  'settings of the shared log': settings('settings.team', page => button(page, 'team.join.check').waitFor()),
  'settings of the data': settings('settings.data', page => button(page, 'data.verify.do').waitFor()),
  'the health of the installation': settings('settings.health', page =>
    page.getByText(word('health.check.policy')).waitFor(),
  ),
  'about the console': settings('settings.about', page => page.getByText(word('about.text')).waitFor()),
  'a callback, explained': async page => {
    await at(page, 'nav.callbacks');
    // The text pasted before is still there.
    const clear = page.getByRole('button', { name: word('callbacks.clear') });
    if (await clear.isVisible()) await clear.click();
    await button(page, 'callbacks.example.invalid').click();
    await page.getByRole('region', { name: word('callbacks.meaning') }).waitFor();
  },
  'several callbacks, summed up': async page => {
    await at(page, 'nav.callbacks');
    const callback = (order: string) =>
      JSON.stringify({
        id: '6f1d2c3b-0000-4000-8000-000000000001',
        order_number: order,
        order_amount: '1.00',
        order_currency: 'EUR',
        order_description: 'x',
        type: 'sale',
        status: 'success',
        hash: '0'.repeat(40),
      });
    const text = `${callback('A')}\n${callback('B')}`;
    await page.getByRole('textbox', { name: word('callbacks.paste') }).fill(text);
    await page.getByRole('region', { name: word('file.causes') }).waitFor();
  },
  ...customerScreens,
  ...seriesScreens,
  ...operationScreens,
  ...monthEndScreens,
  ...administrationScreens,
  'the places and actions of the search': async page => {
    await closeOverlays(page);
    await page.keyboard.press('Control+k');
    await results(page).getByRole('option').first().waitFor();
  },
  'the results of the search': async page => {
    await closeOverlays(page);
    await at(page, 'nav.overview');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('room');
    await results(page).getByRole('option').first().waitFor();
  },
  'the sheet of shortcuts': async page => {
    await closeOverlays(page);
    await button(page, 'help.name').click();
    await page.getByRole('menuitem', { name: word('shortcuts.name') }).click();
    await page.getByRole('dialog', { name: word('shortcuts.name') }).waitFor();
  },
  'the keeping of a template': async page => {
    await closeOverlays(page);
    await startNewPayment(page);
    await page.getByRole('textbox', { name: word('new.description') }).fill('For everyone');
    await button(page, 'templates.name').click();
    await page.getByRole('menuitem', { name: word('templates.save') }).click();
    await page.getByRole('dialog', { name: word('templates.save') }).waitFor();
  },
  'the saving of a view': async page => {
    await closeOverlays(page);
    await at(page, 'nav.payments');
    await page.locator('#search').fill('=12.00');
    await button(page, 'views.save').click();
    await page.getByRole('dialog', { name: word('views.save-this') }).waitFor();
  },
};
