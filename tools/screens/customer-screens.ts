import type { Page } from 'playwright-core';
import { fillNewPayment, inPage, ipcRequest, waitForState, word } from '../browser-harness/console.ts';
import { press, value } from '../app-harness/running-app.ts';
import { sendOperation } from '../app-harness/send-operation.ts';
import { closeOverlays, show, type Reach } from './reach.ts';

/** The screens of a customer with several payments, made in the sandbox. */

const profileId = 'sandbox';

type Details = { name: string; email?: string; phone?: string };
const zoe: Details = { name: 'Zoë O’Brien', email: 'zoe.obrien@example.com', phone: '+44 20 7946 0018' };

/** A link for a customer; with `isPaid` it is paid. Returns its order number. */
const createLink = async (
  page: Page,
  customer: Details | null,
  amount: string,
  description: string,
  isPaid = false,
): Promise<string> => {
  const orderNumber = `ZOE-${crypto.randomUUID().replaceAll(/\D/g, '').slice(0, 5)}`;
  const { payment } = value(
    await ipcRequest(page, 'payments.create', {
      profileId,
      idempotencyKey: crypto.randomUUID(),
      amount,
      currency: 'EUR',
      orderNumber,
      description,
      customer,
      locale: 'en',
      allowSameIntent: true,
    }),
  );
  if (!isPaid) return orderNumber;
  // On its own page a result shows no message over the screen.
  await show(page, `#/payment/${profileId}/${orderNumber}`);
  await page.getByTestId('payment-link').waitFor();
  await press(payment);
  await waitForState(page, 'paid-confirmed');
  return orderNumber;
};

const begun = new WeakMap<Page, string>();

/** A customer with two paid payments, a refund, an open link, a note, a joined spelling and a similar customer. */
const beginCustomer = async (page: Page): Promise<string> => {
  const known = begun.get(page);
  if (known !== undefined) return known;
  await createLink(page, zoe, '150.00', 'Deposit, room 12', true);
  const refunded = await createLink(page, zoe, '518.62', 'Two nights, room 12', true);
  const { payment } = await inPage(page).read(refunded);
  value(await sendOperation(inPage(page), payment, { amount: '100.00', reason: 'goodwill' }));
  value(
    await ipcRequest(page, 'payments.note', {
      profileId,
      orderNumber: refunded,
      text: 'Prefers a quiet room.',
    }),
  );
  const spelled = await createLink(
    page,
    { ...zoe, email: 'zoe@example.org' },
    '64.00',
    'Dinner for two',
    true,
  );
  await createLink(page, { name: 'Z. O’Brien', phone: '+44 20 7946 0018' }, '12.00', 'Late check-out');
  const orderNumber = await createLink(page, zoe, '20.00', 'Deposit, room 12');
  value(await ipcRequest(page, 'customers.join', { profileId, orderNumber, otherOrderNumber: spelled }));
  begun.set(page, orderNumber);
  return orderNumber;
};

export const openCustomer: Reach = async page => {
  await closeOverlays(page);
  const orderNumber = await beginCustomer(page);
  await show(page, `#/customer/${profileId}/${orderNumber}`);
  await page.locator('.customer-payments tbody tr').nth(3).waitFor();
};

export const customerScreens: Readonly<Record<string, Reach>> = {
  'a payment of a known customer': async page => {
    await closeOverlays(page);
    const orderNumber = await beginCustomer(page);
    await show(page, `#/payment/${profileId}/${orderNumber}`);
    await page.locator('.earlier-link').nth(2).waitFor();
  },
  'a payment without a customer': async page => {
    await closeOverlays(page);
    const orderNumber = await createLink(page, null, '12.00', 'Late check-out');
    await show(page, `#/customer/${profileId}/${orderNumber}`);
    await page.getByText(word('customer.none'), { exact: true }).waitFor();
  },
  'the question before a second link for a customer': async page => {
    await closeOverlays(page);
    await beginCustomer(page);
    await fillNewPayment(page, { amount: '20', description: 'Deposit, room 12', ...zoe });
    await page.locator('.known-open').first().waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('alertdialog', { name: word('same-intent.title') }).waitFor();
  },
};
