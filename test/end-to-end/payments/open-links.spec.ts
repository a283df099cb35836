import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { expect, test } from 'vitest';
import { violationsOn } from '../../../tools/browser-harness/axe.ts';
import {
  button,
  goTo,
  pay,
  raiseLink,
  waitForState,
  word,
  shows,
  inPage,
} from '../../../tools/browser-harness/console.ts';
import { newPayment, press } from '../../../tools/app-harness/running-app.ts';

/** Several open links at once: the agent continues to work and sees all of them. */

onEachDriver('the open links in the navigation', name => {
  let raised: { link: string; orderNumber: string }[] = [];
  const rail = () => page.getByRole('region', { name: word('open-links.name') });
  const card = (orderNumber: string) => rail().getByRole('listitem').filter({ hasText: orderNumber });

  const { page } = useConsole({ driver: name });

  test('there are no open links in the navigation before the first link is created', async () => {
    await rail().waitFor();
    await expect.poll(() => rail().getByRole('listitem').count()).toBe(0);
  });

  test('the navigation has a card for each open link, on every screen, with order, amount and time left', async () => {
    for (const amount of ['21', '22'])
      raised = [...raised, await raiseLink(page, { amount, description: 'A night' })];
    await goTo(page, 'nav.callbacks');
    const first = card(raised[0]?.orderNumber ?? '');
    await first.waitFor();
    await expect.poll(() => first.innerText()).toMatch(/21\.00/);
    const left = await first.getByRole('timer').innerText();
    const [minutes = 0, seconds = 0] = left.split(':').map(Number);
    const { payment } = await inPage(page).read(raised[0]?.orderNumber ?? '');
    const truth = ((payment.link?.expiresAt ?? 0) - Date.now()) / 1000;
    // The time shown a moment ago may exceed the actual one slightly, but never the time left at that
    // moment.
    expect(minutes * 60 + seconds).toBeLessThanOrEqual(Math.ceil(truth) + 2);
    expect(minutes * 60 + seconds).toBeGreaterThan(truth - 60);
  });

  test('the card of an open link changes with its payment, opens it, and can then be removed', async () => {
    await pay(raised[0]?.link ?? '');
    const paid = card(raised[0]?.orderNumber ?? '');
    await paid.getByText(word('state.paid-confirmed')).waitFor();
    await expect.poll(() => paid.getByRole('timer').count()).toBe(0);
    await paid.getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: raised[0]?.orderNumber ?? '' }).waitFor();
    await paid.getByRole('button').click();
    await paid.waitFor({ state: 'detached' });
    await card(raised[1]?.orderNumber ?? '').waitFor();
  });

  test('the navigation shows the newest four open links, and the others on a click', async () => {
    for (const amount of ['23', '24', '25', '26'])
      raised = [...raised, await raiseLink(page, { amount, description: 'A night' })];
    await goTo(page, 'nav.payments');
    await card(raised[5]?.orderNumber ?? '').waitFor();
    await expect.poll(() => rail().getByRole('listitem').count()).toBe(4);
    await card(raised[1]?.orderNumber ?? '').waitFor({ state: 'detached' });
    await rail().getByRole('link', { name: '1 more' }).click();
    await page.getByRole('heading', { level: 1, name: word('view.open') }).waitFor();
  });

  test('the list of open links is hidden and shown again in the settings', async () => {
    await goTo(page, 'nav.settings');
    await page.getByRole('link', { name: word('settings.appearance') }).click();
    const shown = page.getByText(word('open-links.show'), { exact: true });
    await shown.click();
    await expect.poll(() => rail().getByRole('listitem').count()).toBe(0);
    await shown.click();
    await expect.poll(() => rail().getByRole('listitem').count()).toBe(4);
  });

  test('a link that is paid while another screen is open says so over it, with the way to the payment', async () => {
    const { link, orderNumber } = await raiseLink(page, { amount: '31', description: 'A night' });
    await goTo(page, 'nav.callbacks');
    await pay(link);
    const toasts = page.getByRole('region', { name: word('outcome.toasts') });
    await toasts.getByText('31.00').waitFor();
    // A message under the pointer stays.
    await toasts.getByText('31.00').hover();
    expect(await violationsOn(page, { within: 'section' })).toEqual([]);
    await toasts.getByRole('link').filter({ hasText: '31.00' }).click();
    await page.getByRole('heading', { level: 1, name: orderNumber }).waitFor();
    await toasts.getByText('31.00').waitFor({ state: 'detached' });
  });

  test('a second payment of one order says so over another screen, and in the alerts', async () => {
    const { link, orderNumber } = await raiseLink(page, { amount: '33', description: 'A night' });
    const again = newPayment({ orderNumber, amount: '33.00', allowDuplicate: true, allowSameIntent: true });
    await press((await inPage(page).value('payments.create', again)).payment);
    await waitForState(page, 'paid-confirmed');
    await goTo(page, 'nav.callbacks');
    await pay(link);
    const toasts = page.getByRole('region', { name: word('outcome.toasts') });
    await toasts.getByText(word('state.paid-twice')).waitFor();
    await toasts.getByText('66.00').waitFor();
    await page.locator('.alerts-button').click();
    await shows(page.getByRole('dialog', { name: word('alert.name') }), word('state.paid-twice'));
    await page.keyboard.press('Escape');
  });

  test('a link that is paid while its own page is open shows it there and nowhere else', async () => {
    const { link } = await raiseLink(page, { amount: '32', description: 'A night' });
    await pay(link);
    await shows(page.getByRole('region', { name: word('verdict.name') }), word('state.paid-confirmed'));
    const toasts = page.getByRole('region', { name: word('outcome.toasts') });
    await expect.poll(() => toasts.getByText('32.00').count()).toBe(0);
  });

  test('the only link of an order is withdrawn with the reason that a person chooses', async () => {
    const { orderNumber } = await raiseLink(page, { amount: '34', description: 'A night' });
    await button(page, 'payment.more').click();
    await page.getByRole('menuitem', { name: word('withdraw.name') }).click();
    const question = page.getByRole('alertdialog', { name: word('withdraw.name') });
    const confirm = question.getByRole('button', { name: word('withdraw.name') });
    await confirm.click();
    await question.getByText(word('review.reason.missing')).waitFor();
    await question.getByRole('button', { name: word('withdraw.reason') }).click();
    await page.getByRole('option', { name: word('withdrawal.wrong-amount') }).click();
    await confirm.click();
    await question.waitFor({ state: 'detached' });
    const { links } = (await inPage(page).read(orderNumber)).payment;
    expect(links.map(({ withdrawn }) => withdrawn?.reason)).toEqual(['wrong-amount']);
  });
});
