import type { Page } from 'playwright-core';
import { button, inPage, ipcRequest, word } from '../browser-harness/console.ts';
import type { Application } from '../browser-harness/harness.ts';
import { press, value } from '../app-harness/running-app.ts';
import { sendOperation } from '../app-harness/send-operation.ts';
import { closeOverlays, show, type Reach } from './reach.ts';

/** The screens of a recurring payment, with a series made in the sandbox. */

const profileId = 'sandbox';

/** Resolves once the payment has one of the states. */
const until = async (page: Page, orderNumber: string, ...states: string[]): Promise<void> => {
  for (let tries = 0; tries < 200; tries += 1) {
    const read = await ipcRequest(page, 'payments.read', { profileId, orderNumber });
    if (read.ok && states.includes(read.value.payment.state)) return;
    await page.waitForTimeout(50);
  }
  throw new Error(`${orderNumber} did not become ${states.join(' or ')}`);
};

/** The address of the sandbox's dashboard, which only the operating system's browser receives. */
const dashboardOf = async (page: Page, app: Application): Promise<string> => {
  await app.evaluate(({ shell }) => {
    shell.openExternal = url => {
      Object.assign(globalThis, { openedForScreens: url });
      return Promise.resolve();
    };
  }, null);
  value(await ipcRequest(page, 'sandbox.openDashboard', {}));
  return app.evaluate(() => (globalThis as { openedForScreens?: string }).openedForScreens ?? '', null);
};

const post = async (address: string, form: Record<string, string>): Promise<void> => {
  await fetch(address, { method: 'POST', body: new URLSearchParams(form) });
};

const begun = new WeakMap<Page, string>();

/** The order that began the series: paid, charged again, once in vain, and once by the provider's schedule. */
const beginSeries = async (page: Page, app: Application): Promise<string> => {
  const known = begun.get(page);
  if (known !== undefined) return known;
  const orderNumber = `MEMBER-${crypto.randomUUID().replaceAll(/\D/g, '').slice(0, 4)}`;
  const { payment } = value(
    await ipcRequest(page, 'payments.create', {
      profileId,
      idempotencyKey: crypto.randomUUID(),
      amount: '49.00',
      currency: 'EUR',
      orderNumber,
      description: 'Membership',
      customer: { name: 'Maria Schmidt', email: 'maria.schmidt@example.com' },
      options: { recurring: true },
      locale: 'en',
    }),
  );
  await press(payment);
  await until(page, orderNumber, 'paid-confirmed');
  const read = await inPage(page).read(orderNumber);
  const firstPaymentId = read.payment.paymentIds[0] ?? '';
  value(
    await sendOperation(inPage(page), read.payment, {
      operation: 'recurring',
      amount: '20.00',
      reason: 'agreed-payment',
      charge: {
        orderNumber: `${orderNumber}-2`,
        description: 'Membership',
        consent: 'Ada, 2026-11-24',
      },
    }),
  );
  await until(page, `${orderNumber}-2`, 'paid-confirmed');
  const dashboard = await dashboardOf(page, app);
  await post(dashboard, { action: 'recurring-fail', payment_id: firstPaymentId });
  await until(page, `${firstPaymentId}-1`, 'declined');
  await post(dashboard, { action: 'recurring', payment_id: firstPaymentId });
  await until(page, `${firstPaymentId}-2`, 'paid-confirmed');
  begun.set(page, orderNumber);
  return orderNumber;
};

const openSeries: Reach = async (page, app) => {
  await closeOverlays(page);
  const orderNumber = await beginSeries(page, app);
  await show(page, `#/payment/${profileId}/${orderNumber}`);
  await page.locator('.series-payment').nth(3).waitFor();
};

export const seriesScreens: Readonly<Record<string, Reach>> = {
  'a series of payments': openSeries,
  'the form for another charge with errors': async (page, app) => {
    await openSeries(page, app);
    await button(page, 'operation.open.recurring').click();
    await button(page.getByRole('dialog'), 'operation-form.title.recurring').click();
    await page.getByText(word('charge.consent.missing'), { exact: true }).waitFor();
  },
  'the question before a series ends': async (page, app) => {
    await openSeries(page, app);
    await button(page, 'payment.more').click();
    await page.getByRole('menuitem', { name: word('erase.name') }).click();
    await page.getByText(word('erase.series')).waitFor();
  },
};
