import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  box,
  button,
  ipcRequest,
  openRefund,
  raiseLink,
  waitForState,
  word,
  shows,
  inPage,
  pay as payLink,
} from '../../../tools/browser-harness/console.ts';

/** What a person does on the page of a payment, with the built-in sandbox: money goes back, and slips are printed. */

/** The lines that are visible on paper. */
const printed = async (page: Page): Promise<string> => {
  await page.emulateMedia({ media: 'print' });
  const text = await page.locator('body').innerText();
  await page.emulateMedia({ media: null });
  return text;
};

onEachDriver('after a payment', name => {
  const { page } = useConsole({ driver: name });

  const pay = async (amount: string): Promise<string> => {
    const { link, orderNumber } = await raiseLink(page, { amount, description: 'Blue chair' });
    await payLink(link);
    await waitForState(page, 'paid-confirmed');
    return orderNumber;
  };
  const dialog = () => page.getByRole('dialog');
  const ledger = () => page.getByRole('region', { name: word('ledger.name') });
  const operationsOf = async (orderNumber: string) =>
    (await inPage(page).read(orderNumber)).payment.operations;

  test('a part is refunded by keyboard: typed, read back in words, sent once, and in the ledger', async () => {
    const orderNumber = await pay('80');
    await openRefund(page);
    // The first decision has the focus: the whole amount, or with the arrow key a part.
    await dialog().locator('input[type=radio][value=whole]:focus').waitFor({ state: 'attached' });
    await page.keyboard.press('ArrowDown');
    await box(page, 'operation-form.amount.refund').waitFor();
    await expect.poll(() => box(page, 'operation-form.amount.refund').inputValue()).toBe('');
    // The arrow may be on its way to another choice: the focus stays, and Tab leads into the amount.
    await dialog().locator('input[type=radio][value=part]:focus').waitFor({ state: 'attached' });
    await page.keyboard.press('Tab');
    await page.keyboard.type('10.50');
    await dialog().getByText('ten euros and fifty cents').waitFor();
    // Without a reason nothing is sent, and nothing is lost.
    await page.keyboard.press('Enter');
    await dialog().getByText(word('operation-form.missing.reason')).waitFor();
    // The focus is on the reason: the first letters choose one.
    await page.keyboard.type('Goodwill');
    const submit = dialog().getByRole('button', { name: /Refund €10\.50 to •••• \d{4}/ });
    await submit.dblclick();
    await dialog().waitFor({ state: 'detached' });
    await page.getByRole('region', { name: word('ledger.name') }).waitFor();
    await waitForState(page, 'part-refunded');
    await shows(
      ledger()
        .getByRole('row')
        .filter({ hasText: word('operation.refund') }),
      /€69\.50/,
    );
    await expect
      .poll(() => operationsOf(orderNumber))
      .toMatchObject([{ kind: 'refund', amount: '10.50', reason: 'goodwill', state: 'done' }]);
  });

  test('a payment of today is cancelled by mouse, and its counter-entry stays', async () => {
    const orderNumber = await pay('64');
    // "Refund" on the day of the payment cancels it, and says so.
    await button(page, 'operation.open.refund').click();
    await dialog().getByText(word('operation-form.cancel-first')).waitFor();
    await button(dialog(), 'operation-form.reason').click();
    await page.getByRole('option', { name: word('operation-reason.order-cancelled') }).click();
    await dialog()
      .getByRole('button', { name: /Cancel payment of €64\.00/ })
      .click();
    await waitForState(page, 'voided');
    await shows(
      ledger()
        .getByRole('row')
        .filter({ hasText: word('operation.void') }),
      /€0\.00/,
    );
    await expect.poll(() => operationsOf(orderNumber)).toMatchObject([{ kind: 'void', amount: null }]);
  });

  test('a wait that is cancelled before anything was sent says so and loses nothing that was typed', async () => {
    const orderNumber = await pay('30');
    await openRefund(page);
    await dialog().getByText(word('operation-form.whole')).click();
    await button(dialog(), 'operation-form.reason').click();
    await page.getByRole('option', { name: word('operation-reason.paid-twice') }).click();
    await ipcRequest(page, 'sandbox.faults', { faults: ['delay'] });
    await dialog()
      .getByRole('button', { name: /Refund €30\.00/ })
      .click();
    // Esc does not close it while it is being sent.
    await page.keyboard.press('Escape');
    await button(page, 'waiting-for.stop').click();
    await ipcRequest(page, 'sandbox.faults', { faults: [] });
    // The status check before it was still waiting: nothing was sent, and nothing typed is lost.
    await dialog().getByText(word('operation.look-up-failed')).waitFor();
    await expect.poll(() => operationsOf(orderNumber)).toEqual([]);
    await dialog()
      .getByRole('button', { name: /Refund €30\.00/ })
      .click();
    await dialog().waitFor({ state: 'detached' });
    await waitForState(page, 'refunded');
  });

  let link: string;

  test('a slip of a link has the amount, the deadline, the link and the warning, and nothing of the window', async () => {
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', 'yes');
    });
    ({ link } = await raiseLink(page, { amount: '80', description: 'Deposit', name: 'Maria Schmidt' }));
    await button(page, 'print').click();
    await page.locator('body[data-printed]').waitFor();
    const paper = await printed(page);
    expect(paper).toContain(link);
    expect(paper).toMatch(/€80\.00/);
    expect(paper).toContain(word('slip.warning'));
    expect(paper).not.toContain(word('nav.payments'));
  });

  test('a slip of a confirmed payment has card and reference, and says that it is no tax receipt', async () => {
    await payLink(link);
    await waitForState(page, 'paid-confirmed');
    await page.evaluate(() => document.body.removeAttribute('data-printed'));
    await button(page, 'payment.more').click();
    await page.getByRole('menuitem', { name: word('slip.confirmation.print') }).click();
    await page.locator('body[data-printed]').waitFor();
    const paper = await printed(page);
    expect(paper).toContain(word('slip.confirmation'));
    expect(paper).toContain('•••• 1111');
    expect(paper).toMatch(/Reference \(RRN\)\s+\d{12}/);
    expect(paper).toContain(word('slip.no-tax-receipt'));
    expect(paper).toContain(word('slip.no-money'));
    expect(paper).not.toContain(link);
  });
});
