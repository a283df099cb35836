import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import { expect, test } from 'vitest';
import {
  box,
  button,
  fillNewPayment,
  goTo,
  ipcRequest,
  startNewPayment,
  word,
  inPage,
} from '../../../tools/browser-harness/console.ts';
import { newPayment } from '../../../tools/app-harness/running-app.ts';

/** Two callers at once: each has a form, by keyboard. */

onEachDriver('several open forms', name => {
  const tabs = () => page.getByRole('navigation', { name: word('drafts.name') });
  const tab = (text: string) => tabs().getByRole('button', { name: text, exact: true });
  const names = async () =>
    (await tabs().locator('.draft-tab-name').allInnerTexts()).map(text => text.replaceAll('\u00a0', ' '));
  const isTyped = (key: Parameters<typeof box>[1], text: string) =>
    expect.poll(() => box(page, key).inputValue()).toBe(text);

  const { page } = useConsole({ driver: name, hasKeychain: true });

  test('a second caller gets a form while a field has the focus, and both forms are named by amount and customer', async () => {
    await fillNewPayment(page, { amount: '80', description: 'Deposit', name: "Zoë O'Brien" });
    const orderNumber = await box(page, 'new.order').inputValue();
    await page.keyboard.press('Control+n');
    await isTyped('new.amount', '');
    await box(page, 'new.amount').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('12.5');
    await tab("€80.00 · Zoë O'Brien").waitFor();
    await tab('€12.50').waitFor();
    await page.keyboard.press('Control+1');
    await isTyped('new.amount', '80');
    await isTyped('new.customer.name', "Zoë O'Brien");
    await expect.poll(() => box(page, 'new.order').inputValue()).toBe(orderNumber);
    // The field that had the focus has it again.
    await box(page, 'new.customer.name').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Control+2');
    await isTyped('new.amount', '12.5');
  });

  test('a single key shows the next form from any screen, and another one opens an empty form', async () => {
    await goTo(page, 'nav.payments');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.keyboard.press('d');
    await isTyped('new.amount', '80');
    await page.keyboard.press('Escape');
    await page.keyboard.press('n');
    await isTyped('new.amount', '');
    await expect.poll(names).toEqual(["€80.00 · Zoë O'Brien", '€12.50', word('drafts.empty')]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('n');
    // An empty form is enough.
    await expect.poll(async () => (await names()).length).toBe(3);
    await tabs()
      .getByRole('button', { name: `Close ${word('drafts.empty')}` })
      .click();
    await expect.poll(async () => (await names()).length).toBe(2);
  });

  test('a rejected attempt keeps its message and its question in its own form', async () => {
    await page.keyboard.press('Control+1');
    await isTyped('new.amount', '80');
    await box(page, 'new.description').fill('');
    await page.keyboard.press('Control+Enter');
    await page.getByText(word('new.description.missing')).waitFor();
    await page.keyboard.press('Control+2');
    await isTyped('new.amount', '12.5');
    await expect.poll(() => page.getByText(word('new.description.missing')).count()).toBe(0);
    await page.keyboard.press('Control+1');
    await page.getByText(word('new.description.missing')).waitFor();
    await box(page, 'new.description').fill('Deposit');
  });

  test('Ctrl+Enter submits the form from every control of its screen, and a problem does not move the button', async () => {
    const place = () => button(page, 'new.submit').boundingBox();
    const before = await place();
    for (const [at, control] of [
      button(page, 'new.clear'),
      page.getByRole('radio', { name: word('link.sms') }),
      page.getByRole('link', { name: word('messages.edit') }),
    ].entries()) {
      await box(page, 'new.description').fill('');
      await control.focus();
      await page.keyboard.press('Control+Enter');
      await page.getByText(word('new.description.missing')).waitFor();
      await isTyped('new.amount', '80');
      // The focus of the others may scroll the page.
      if (at === 0) await expect.poll(place).toEqual(before);
      await box(page, 'new.description').fill('Deposit');
      await expect.poll(() => page.getByText(word('new.description.missing')).count()).toBe(0);
    }
  });

  test('the question about a second link waits in its form while another form is used', async () => {
    await inPage(page).value('payments.create', newPayment({ amount: '1', orderNumber: 'TWICE-1' }));
    await box(page, 'new.order').fill('TWICE-1');
    await page.keyboard.press('Control+Enter');
    const question = page.getByRole('alertdialog', { name: word('duplicate.title') });
    await question.waitFor();
    await page.keyboard.press('Control+2');
    await question.waitFor({ state: 'detached' });
    await isTyped('new.amount', '12.5');
    await tab(`€80.00 · Zoë O'Brien, ${word('drafts.not-sent')}`).waitFor();
    await page.keyboard.press('Control+1');
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await isTyped('new.amount', '80');
  });

  test('a form that is being sent does not stop another caller, and its result is a note with the payment', async () => {
    await ipcRequest(page, 'sandbox.faults', { faults: ['delay'] });
    await box(page, 'new.order').fill('SLOW-1');
    await page.keyboard.press('Control+Enter');
    await button(page, 'new.sending').waitFor();
    await page.keyboard.press('Control+2');
    await isTyped('new.amount', '12.5');
    await box(page, 'new.description').fill('While it is sent');
    await ipcRequest(page, 'sandbox.faults', { faults: [] });
    const { drafts } = await inPage(page).value('drafts.read', { profileId: 'sandbox' });
    const requestId = drafts[0]?.idempotencyKey ?? '';
    await ipcRequest(page, 'payments.cancelWait', { requestId });
    await page.getByText(/^€80\.00 · Zoë O'Brien: it is unknown whether/).waitFor();
    await isTyped('new.description', 'While it is sent');
    await tabs().waitFor({ state: 'detached' });
    await button(page, 'payment.open').click();
    await page.getByRole('heading', { level: 1, name: 'SLOW-1' }).waitFor();
  });

  test('a closed form is restored, also with the keyboard', async () => {
    await startNewPayment(page);
    await isTyped('new.amount', '12.5');
    await page.keyboard.press('Control+n');
    await isTyped('new.amount', '');
    await page.keyboard.type('7');
    await tabs().getByRole('button', { name: 'Close €7.00' }).press('Enter');
    await isTyped('new.amount', '12.5');
    await page.getByText('€7.00 was closed.').waitFor();
    await button(page, 'undo').press('Enter');
    await isTyped('new.amount', '7');
    await expect.poll(names).toEqual(['€12.50 · While it is sent', '€7.00']);
  });
});
