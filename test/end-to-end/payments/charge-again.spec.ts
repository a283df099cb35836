import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { expect, test } from 'vitest';
import {
  appears,
  box,
  button,
  fillNewPayment,
  ipcRequest,
  waitForState,
  word,
  pay,
} from '../../../tools/browser-harness/console.ts';

/** A stored card is charged again: from the option of a new payment to the end of the series. */

onEachDriver('charge again', name => {
  const orderNumber = 'CLUB-1';
  const heading = (order: string) => page.locator('#place h1').getByText(order, { exact: true }).waitFor();
  const series = () => page.getByRole('region', { name: word('series.name') });
  const dialog = () => page.getByRole('dialog');
  const submit = () => dialog().getByRole('button', { name: /^Charge €20\.00 to •••• \d{4}$/ });

  const { page } = useConsole({ driver: name });

  test('the option of a new payment begins a series', async () => {
    await fillNewPayment(page, { amount: '49', description: 'Membership', orderNumber, name: 'Jane Doe' });
    await button(page, 'new.options').click();
    await page.getByText(word('new.recurring'), { exact: true }).click();
    await box(page, 'new.amount').press('Enter');
    await appears(page, '[data-testid="payment-link"]');
    await pay(await page.getByTestId('payment-link').innerText());
    await waitForState(page, 'paid-confirmed');
    await series().getByText(word('series.none')).waitFor();
  });

  test('no charge is sent without the consent, and a failed attempt keeps everything that was typed', async () => {
    await button(page, 'operation.open.recurring').click();
    await dialog().waitFor();
    await page.keyboard.type('20');
    await submit().click();
    await dialog().getByText(word('charge.consent.missing')).waitFor();
    // The focus is on the first field with a problem.
    await page.keyboard.type('By phone, 26 November');
    await ipcRequest(page, 'sandbox.faults', { faults: ['http-500'] });
    await submit().click();
    await dialog().getByRole('alert').waitFor();
    await ipcRequest(page, 'sandbox.faults', { faults: [] });
    await expect.poll(() => box(page, 'operation-form.amount.recurring').inputValue()).toBe('20');
    await expect.poll(() => box(page, 'charge-form.consent').inputValue()).toBe('By phone, 26 November');
    await expect.poll(() => box(page, 'charge-form.order').inputValue()).toBe(`${orderNumber}-2`);
  });

  test('a charge is sent once, and its own page shows it as a part of the series', async () => {
    await submit().dblclick();
    await heading(`${orderNumber}-2`);
    await waitForState(page, 'paid-confirmed');
    await series().getByRole('link').nth(1).waitFor();
    await expect.poll(() => series().getByRole('link').count()).toBe(2);
    await page.locator('.entry-detail', { hasText: 'By phone, 26 November' }).waitFor();
    await series().getByRole('link').last().click();
    await heading(orderNumber);
  });

  test('erasing the customer’s details says that the series ends, and ends it', async () => {
    await series().getByRole('link').nth(1).waitFor();
    await button(page, 'payment.more').click();
    await page.getByRole('menuitem', { name: word('erase.name') }).click();
    await page.getByText(word('erase.series')).waitFor();
    await button(page, 'erase.yes').click();
    await series().getByText(word('series.ended')).waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: word('operation.open.recurring') }).count())
      .toBe(0);
  });
});
