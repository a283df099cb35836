import { onEachDriver, useConsole, withEvents } from '../../../tools/browser-harness/use-console.ts';
import { expect, test } from 'vitest';
import {
  box,
  button,
  raiseLink,
  waitForState,
  word,
  shows,
  inPage,
  pay,
} from '../../../tools/browser-harness/console.ts';
import { callback, start } from '../../../tools/evidence/evidence.ts';
import { show } from '../../../tools/screens/reach.ts';

/** A customer's page: what the merchant typed, from every payment, and what can be done for them. */

const profileId = 'sandbox';
const zoe = { name: 'Zoë O’Brien', email: 'zoe@example.com', phone: '+44 20 7946 0018' };
/** An order that only a callback names, with Zoë's details. */
const forged = 'FORGED-1';

const details = { order_number: forged, customer_name: zoe.name, customer_email: zoe.email };
const frame = { orderNumber: forged };
const received = callback(Date.now() - 60_000 - start, 'sale', 'success', details, undefined, frame);

onEachDriver('a customer', name => {
  const region = (
    key:
      | 'open-links.name'
      | 'nav.payments'
      | 'customer.totals'
      | 'customer.candidates'
      | 'customer.spellings',
  ) => page.locator('#place').getByRole('region', { name: word(key), exact: true });
  const rows = () => page.locator('.customer-payments tbody tr');
  const open = (orderNumber: string) => show(page, `#/customer/${profileId}/${orderNumber}`);
  let openOrder: string;
  let openLink: string;

  const { page } = useConsole({ driver: name, prepare: withEvents([received]) }, async () => {
    const paid = await raiseLink(page, { amount: '150', description: 'Deposit, room 12', ...zoe });
    await pay(paid.link);
    await waitForState(page, 'paid-confirmed');
    const { orderNumber, link } = await raiseLink(page, { amount: '80', description: 'Dinner', ...zoe });
    openOrder = orderNumber;
    openLink = link;
  });

  test('the page of a payment lists the customer’s other payments and leads to all of them', async () => {
    const others = page.getByRole('list', { name: word('customer.earlier') });
    await others.getByRole('link', { name: /Paid.*Deposit, room 12.*150\.00/ }).waitFor();
    await page.getByRole('link', { name: `All payments of ${zoe.name}` }).click();
    await page.getByRole('heading', { name: zoe.name }).waitFor();
  });

  test('the page of a customer shows the open link first, all payments, and the money of each currency', async () => {
    await region('open-links.name').getByText('Dinner').waitFor();
    await rows().nth(1).waitFor();
    await expect.poll(() => rows().count()).toBe(2);
    await shows(region('customer.totals'), /1 of 2 paid · 1 open link/);
    await page.locator('.verdict-script', { hasText: 'The link is ready' }).waitFor();
    // Neither the address nor the title contains the customer's details.
    expect(page.url()).toContain(`#/customer/${profileId}/${openOrder}`);
    await expect.poll(() => page.title()).toBe('Customer – Counterfoil');
  });

  test('a click copies the email address of a customer', async () => {
    await page.getByRole('button', { name: new RegExp(`${zoe.email}, copy`) }).click();
    await page.getByRole('status').getByText(word('copied'), { exact: true }).waitFor();
  });

  test('the page of a customer changes without a click when the customer pays', async () => {
    await pay(openLink);
    await shows(region('customer.totals'), /2 of 2 paid · no open link/);
    await region('open-links.name').waitFor({ state: 'detached' });
    await page.locator('.verdict-script', { hasText: '€' }).waitFor();
  });

  test('a new payment for the customer begins with the details, and nothing else', async () => {
    await button(page, 'customer.new-payment').press('Enter');
    await expect.poll(() => box(page, 'new.customer.name').inputValue()).toBe(zoe.name);
    await expect.poll(() => box(page, 'new.customer.email').inputValue()).toBe(zoe.email);
    const phone = box(page, 'new.customer.phone');
    await expect.poll(() => phone.inputValue()).toBe(zoe.phone);
    await phone.fill('+44 (0)20 7946 0018');
    await page.getByText(`Will be saved as ${zoe.phone}.`).waitFor();
    await expect.poll(() => phone.inputValue()).toBe('+44 (0)20 7946 0018');
    await phone.press('Tab');
    await expect.poll(() => phone.inputValue()).toBe(zoe.phone);
    await expect.poll(() => box(page, 'new.amount').inputValue()).toBe('');
  });

  test('the last payment is repeated in the form with a new order number, and nothing is sent', async () => {
    await box(page, 'new.description').fill('Half typed');
    await open(openOrder);
    await page.getByRole('button', { name: /^Repeat last payment, €80\.00$/ }).press('Enter');
    await expect.poll(() => box(page, 'new.amount').inputValue()).toBe('80.00');
    await expect.poll(() => box(page, 'new.description').inputValue()).toBe('Dinner');
    await page.locator('[name="orderNumber"]:not([value=""])').waitFor();
    await expect.poll(() => box(page, 'new.order').inputValue()).not.toBe(openOrder);
    const { customer } = await inPage(page).value('customers.read', { profileId, orderNumber: openOrder });
    expect(customer?.payments).toHaveLength(2);
  });

  test('another spelling of a customer is joined, undone, joined again and separated by keyboard', async () => {
    await raiseLink(page, {
      amount: '12',
      description: 'Parking',
      name: 'Z. OBrien',
      email: 'z.obrien@example.org',
      phone: zoe.phone,
    });
    await open(openOrder);
    const join = region('customer.candidates').getByRole('button');
    await join.press('Enter');
    await page.getByText('Joined with Z. OBrien.').waitFor();
    await rows().nth(2).waitFor();
    await button(page, 'undo').press('Enter');
    await page.getByText('Separated from Z. OBrien.').waitFor();
    await join.press('Enter');
    await shows(region('customer.spellings'), /^Joined by .+/);
    await region('customer.spellings').getByRole('button').press('Enter');
    await join.waitFor();
    await rows().nth(2).waitFor({ state: 'detached' });
  });

  test('a customer under details that nothing connects is joined by an order number, found as “merge”; a wrong one stays to be corrected', async () => {
    const other = await raiseLink(page, { amount: '9', description: 'Coffee', name: 'Zoe Brien' });
    await open(openOrder);
    await rows().nth(1).waitFor();
    await page.keyboard.press('Control+K');
    await page.keyboard.type('merge');
    await page.getByRole('option', { name: word('customer.join-with') }).click();
    const dialog = page.getByRole('dialog');
    const join = dialog.getByRole('button', { name: word('customer.join'), exact: true });
    await box(page, 'customer.join-with.order').fill('no-such-order');
    await join.click();
    await dialog.getByRole('alert').waitFor();
    await expect.poll(() => box(page, 'customer.join-with.order').inputValue()).toBe('no-such-order');
    await box(page, 'customer.join-with.order').fill(other.orderNumber);
    await join.click();
    await page.getByText(`Joined with ${other.orderNumber}.`).waitFor();
    await rows().nth(2).waitFor();
    await button(page, 'undo').press('Enter');
    await rows().nth(2).waitFor({ state: 'detached' });
  });

  test('the unsigned name of a callback identifies no customer', async () => {
    await expect.poll(() => rows().filter({ hasText: forged }).count()).toBe(0);
    await show(page, `#/payment/${profileId}/${forged}`);
    const details = page.getByRole('region', { name: word('customer'), exact: true });
    await details.getByText(word('facts.customer.callback')).waitFor();
    await expect.poll(() => details.getByRole('link').count()).toBe(0);
    await open(forged);
    await page.getByText(word('customer.none'), { exact: true }).waitFor();
  });

  test('erasing a customer names the number of payments and leaves no detail on the page', async () => {
    await open(openOrder);
    await button(page, 'payment.more').press('Enter');
    await page.getByRole('menuitem', { name: word('erase.name') }).press('Enter');
    await shows(page.getByRole('alertdialog'), /from 2 payments/);
    await button(page, 'erase.yes').press('Enter');
    await page.getByText('Customer details erased from 2 payments.').waitFor();
    await page.getByText(word('customer.erased.title'), { exact: true }).waitFor();
    await expect.poll(() => page.locator('#place').getByText(zoe.name).count()).toBe(0);
    // The other person of the same number is still known by it.
    const asked = { ...zoe, profileId, phone: '' };
    expect((await inPage(page).value('payments.knownCustomer', asked)).customer).toBeNull();
  });
});
