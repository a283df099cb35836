import type { Page } from 'playwright-core';
import {
  button,
  inPage,
  ipcRequest,
  openRefund,
  pay,
  raiseLink,
  waitForState,
  word,
} from '../browser-harness/console.ts';
import { sendOperation } from '../app-harness/send-operation.ts';
import { closeOverlays, show, type Reach } from './reach.ts';
import { seededOrder } from './seeded-log.ts';

/** What follows a payment: refunds and their kin, on the page of a payment of the sandbox. */

const profileId = 'sandbox';

type Paid = { orderNumber: string; paymentId: string };

const made = new WeakMap<Page, Paid>();

/** A paid payment on its page: one for several screens, each of which begins where the one before ended. */
const paidPayment = async (page: Page): Promise<Paid> => {
  await closeOverlays(page);
  const known = made.get(page);
  if (known !== undefined) {
    await show(page, `#/payment/${profileId}/${known.orderNumber}`);
    await button(page, 'operation.open.refund').waitFor();
    return known;
  }
  const typed = { amount: '80', description: 'Deposit', name: 'Maria Schmidt' };
  const { link, orderNumber } = await raiseLink(page, typed);
  await pay(link);
  await waitForState(page, 'paid-confirmed');
  await button(page, 'operation.open.refund').waitFor();
  const { payment } = await inPage(page).read(orderNumber);
  const paid = { orderNumber, paymentId: payment.paymentIds[0] ?? '' };
  made.set(page, paid);
  return paid;
};

const refund = (page: Page, { orderNumber, paymentId }: Paid, amount: string) =>
  sendOperation(inPage(page), { profileId, orderNumber, paymentIds: [paymentId] }, { amount });

export const operationScreens: Readonly<Record<string, Reach>> = {
  'the form of a refund': async page => {
    await paidPayment(page);
    await openRefund(page);
    await page.getByRole('dialog').getByText(word('operation-form.part'), { exact: true }).click();
    await page.getByRole('textbox', { name: word('operation-form.amount.refund') }).fill('20');
  },
  'the form of a cancellation with problems': async page => {
    await paidPayment(page);
    await button(page, 'operation.open.refund').click();
    await page.getByRole('dialog').getByRole('button', { name: /EUR|€/ }).click();
    await page.getByText(word('operation-form.missing.reason')).waitFor();
  },
  'the record of what the dashboard shows': async page => {
    await paidPayment(page);
    await button(page, 'payment.more').click();
    await page.getByRole('menuitem', { name: word('record.open') }).click();
    await button(page.getByRole('dialog'), 'record.submit').click();
    await page.getByText(word('record.text.missing')).waitFor();
  },
  'a payment with a refund': async page => {
    await refund(page, await paidPayment(page), '20');
    await waitForState(page, 'part-refunded');
    await page.locator('.ledger-table tbody tr').nth(1).waitFor();
  },
  'a refund without a result': async page => {
    const payment = await paidPayment(page);
    await ipcRequest(page, 'sandbox.faults', { faults: ['callback-none'] });
    await refund(page, payment, '20');
    await ipcRequest(page, 'sandbox.faults', { faults: [] });
    await page.locator('.ledger-open').waitFor();
  },
  'a payment about which sources contradict each other': async page => {
    await closeOverlays(page);
    await show(page, `#/payment/${profileId}/${seededOrder('sources-disagree')}`);
    await page.locator('.ledger-table').waitFor();
    await page.locator('.sources tr.differs').waitFor();
  },
};
