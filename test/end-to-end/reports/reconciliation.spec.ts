import { onEachDriver, useConsole, withEvents } from '../../../tools/browser-harness/use-console.ts';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { isAtRest, reconciliationCauses } from '../../../shared/reports/reconcile.ts';
import type { ReviewList } from '../../../shared/review/review.ts';
import { moved, attemptHistories } from '../../../tools/evidence/incomplete-payments.ts';
import {
  button,
  ipcRequest,
  goTo,
  raiseLink,
  word,
  hasFocus,
  inPage,
  pay,
} from '../../../tools/browser-harness/console.ts';

const actionable = reconciliationCauses.filter(cause => !isAtRest(cause));

/** The queue from a supervisor's view, on a log that contains every cause once. */

onEachDriver('reconciliation', name => {
  const row = (orderNumber: string) =>
    page.getByRole('row').filter({ has: page.getByText(orderNumber, { exact: true }) });
  let grid: Locator;
  const list = (id: ReviewList) => page.locator('.segment', { hasText: word(`review.list.${id}`) }).click();
  const open = async (): Promise<void> => {
    await goTo(page, 'nav.reconciliation');
    await page.getByRole('heading', { level: 1, name: word('nav.reconciliation') }).waitFor();
  };

  /** From another screen, so that the list takes the focus. */
  const arrive = async (): Promise<void> => {
    await goTo(page, 'nav.overview');
    await open();
    await grid.and(page.locator(':focus')).waitFor();
  };

  const { page } = useConsole(
    {
      driver: name,
      prepare: withEvents(
        ...reconciliationCauses.map(cause => moved(attemptHistories[cause], 'sandbox', `R-${cause}`)),
      ),
    },
    () => {
      grid = page.locator('.review-grid');
    },
  );

  test('the rail counts what the page lists, grouped by cause, gravest first, with its sentence once', async () => {
    const entry = page.getByRole('navigation').getByRole('link', { name: word('nav.reconciliation') });
    // Expired links and refunds are informational and need no action.
    await entry.getByText(String(actionable.length), { exact: true }).waitFor();
    await open();
    await row('R-no-outcome-yet').waitFor();
    const groups = async () =>
      (await page.locator('.review-cause').allInnerTexts()).map(text => text.replace(/\s*\d+$/, ''));
    await expect.poll(groups).toEqual(actionable.map(cause => word(`cause.${cause}`)));
    for (const cause of actionable)
      await expect.poll(() => page.getByText(word(`cause.${cause}.text`)).count()).toBe(1);
    await expect.poll(() => page.locator('.review-row').count()).toBe(actionable.length);
    await list('information');
    await row('R-refund-seen').waitFor();
    await expect.poll(() => page.locator('.review-row').count()).toBe(2);
    // States and fields have their names on the screens, not the stored codes.
    await expect
      .poll(() => page.locator('#place').innerText())
      .not.toMatch(/paid-(?:un)?confirmed|\bours\b|\btheirs\b|≠/);
  });

  test('the page, the overview and the handover note show the same number as the rail', async () => {
    const count = actionable.length;
    const description = `${count} payments to review`;
    await open();
    await page.getByRole('status').getByText(description, { exact: true }).waitFor();
    await goTo(page, 'nav.overview');
    await page
      .getByRole('region', { name: word('overview.attention') })
      .getByText(description, { exact: true })
      .waitFor();
    await button(page, 'nav.handover-note').click();
    await page.getByTestId('handover-note').getByText(`To review (${count})`, { exact: true }).waitFor();
  });

  test('the keyboard alone leads to a row of the review page, into its payment, and back', async () => {
    await arrive();
    await page.keyboard.press('j');
    await row('R-sources-disagree').and(page.locator('.current')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'R-sources-disagree' }).waitFor();
    await page.locator('.crumb', { hasText: word('nav.reconciliation') }).waitFor();
    await page.keyboard.press('Escape');
    await grid.and(page.locator(':focus')).waitFor();
  });

  test('a resolved row leaves its place to the next one, and can be taken back', async () => {
    await arrive();
    await page.keyboard.press('e');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio').first().and(page.locator(':focus')).waitFor();
    // Without a reason nothing is resolved.
    await page.keyboard.press('Enter');
    await dialog.getByText(word('review.reason.missing')).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await row('R-changed-between-deliveries').waitFor({ state: 'detached' });
    await row('R-sources-disagree').and(page.locator('.current')).waitFor();
    await grid.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Control+z');
    await row('R-changed-between-deliveries').waitFor();
  });

  test('on the review page I assigns to the person, H snoozes, and the lists show both', async () => {
    await arrive();
    await page.keyboard.press('i');
    await row('R-changed-between-deliveries')
      .getByText(word('review.unassigned'))
      .waitFor({ state: 'detached' });
    await page.keyboard.press('j');
    await page.keyboard.press('h');
    await hasFocus(page.getByRole('option', { name: word('review.until.hour') }));
    await page.keyboard.press('Enter');
    await row('R-sources-disagree').waitFor({ state: 'detached' });
    await list('mine');
    await row('R-changed-between-deliveries').waitFor();
    await list('snoozed');
    await row('R-sources-disagree').waitFor();
    await row('R-changed-between-deliveries').waitFor({ state: 'detached' });
    await grid.focus();
    await page.keyboard.press('h');
    await page.getByText(word('review.empty.snoozed')).waitFor();
  });

  test('a status check from the row is stored, and its row goes when it needs no review', async () => {
    await ipcRequest(page, 'sandbox.faults', { faults: ['callback-wrong-signature'] });
    const { link, orderNumber } = await raiseLink(page, { amount: '21', description: 'Unseen' });
    await pay(link);
    await ipcRequest(page, 'sandbox.faults', { faults: [] });
    await open();
    await row(orderNumber).getByRole('checkbox').click();
    await page.keyboard.press('u');
    const kinds = async () => (await inPage(page).read(orderNumber)).events.map(({ kind }) => kind);
    await expect.poll(kinds).toContain('status.observed');
    await button(page, 'reconciliation.changed').waitFor();
    await page.keyboard.press('r');
    await row(orderNumber).waitFor({ state: 'detached' });
    await grid.and(page.locator(':focus')).waitFor();
  });

  test('a click on a row opens its payment where there is no room beside the list, and Esc leads back', async () => {
    await open();
    await row('R-sources-disagree').click();
    await page.getByRole('heading', { level: 1, name: 'R-sources-disagree' }).waitFor();
    await page.keyboard.press('Escape');
    await grid.and(page.locator(':focus')).waitFor();
  });

  test('a status check that the gateway refuses is reported, and moves nothing on the page', async () => {
    await open();
    const asked = row('R-paid-without-look-up');
    await asked.getByRole('checkbox').click();
    const before = await asked.boundingBox();
    await page.keyboard.press('u');
    const alert = page.getByRole('alert').filter({ hasText: word('error.gateway.sandbox-forgot') });
    await alert.waitFor();
    expect(await asked.boundingBox()).toEqual(before);
    await alert.getByRole('button', { name: word('dismiss') }).click();
    await alert.waitFor({ state: 'detached' });
  });

  test('the queue is brought to zero by keyboard in 10 keys, and so is what is only informational', async () => {
    await goTo(page, 'nav.overview');
    let keys = 0;
    const press = async (key: string): Promise<void> => {
      await page.keyboard.press(key);
      keys += 1;
    };
    await press('r');
    await grid.and(page.locator(':focus')).waitFor();
    await press('Control+a');
    await press('e');
    await page.getByRole('dialog').getByRole('radio').first().and(page.locator(':focus')).waitFor();
    await press('ArrowUp');
    await press('ArrowUp');
    await press('Enter');
    await page.getByText(word('review.empty.all')).waitFor();
    expect(keys).toBeLessThanOrEqual(10);
    const entry = page.getByRole('navigation').getByRole('link', { name: word('nav.reconciliation') });
    await entry.getByText(/\d/).waitFor({ state: 'detached' });
    await list('information');
    await grid.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('e');
    await page.getByRole('dialog').locator(':focus').waitFor();
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    const empty = page.getByText(word('review.empty.information'));
    await empty.waitFor();
    // The focus is on what comes next, so that the key that is offered works.
    await page.locator('.screen-name h1:focus').waitFor();
    await page.keyboard.press('z');
    await empty.waitFor({ state: 'detached' });
  });
});
