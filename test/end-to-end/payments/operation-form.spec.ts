import { onEachDriver, useConsole } from '../../../tools/browser-harness/use-console.ts';
import type { Locator } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import type { Sandbox } from '../../../main/sandbox/sandbox.ts';
import { startSandbox } from '../../../main/sandbox/start-sandbox.ts';
import { profileDefaults } from '../../../shared/settings/profile.ts';
import { shopAccount } from '../../../tools/app-harness/prepared-shop.ts';
import { addShop, newPayment, press } from '../../../tools/app-harness/running-app.ts';
import {
  box,
  button,
  openRefund,
  waitForState,
  word,
  inPage,
} from '../../../tools/browser-harness/console.ts';
import { show } from '../../../tools/screens/reach.ts';

/** The form of an operation in a profile with limits, and the record of what the dashboard shows; by keyboard. */

onEachDriver('the form of an operation', name => {
  let sandbox: Sandbox;
  let profileId: string;
  const dialog = () => page.getByRole('dialog');
  const submit = (label: RegExp) => dialog().getByRole('button', { name: label });
  const { page } = useConsole({ driver: name }, async () => {
    sandbox = await startSandbox({ port: 0, ...shopAccount, callbackUrl: null });
    profileId = await addShop(inPage(page), {
      baseUrl: sandbox.baseUrl,
      statusForm: 'post-json',
      operations: {
        ...profileDefaults.operations,
        refund: true,
        void: true,
        limits: { perOperation: 'EUR 90', perDay: '', secondPersonFrom: 'EUR 50' },
      },
    });
    await value('agents.save', { id: null, name: 'Ben', role: 'supervisor', pin: '2468' });
  });
  const { value, read, state } = inPage(page);
  const operationsOf = async (orderNumber: string) => (await read(orderNumber, profileId)).payment.operations;
  afterAll(() => sandbox?.close());

  /** A payment that a status check shows as paid, on its page. */
  const pay = async (amount: string): Promise<string> => {
    const form = newPayment({ profileId, amount });
    const { payment } = await value('payments.create', form);
    await press(payment);
    const { orderNumber } = payment;
    const key = { by: 'order-number', value: orderNumber } as const;
    await value('payments.lookUp', { profileId, key });
    await show(page, `#/payment/${profileId}/${orderNumber}`);
    await page.locator('#place h1').getByText(orderNumber, { exact: true }).waitFor();
    await waitForState(page, 'paid-checked');
    return orderNumber;
  };
  const openFromMenu = async (item: 'operation.open.refund' | 'record.open'): Promise<void> => {
    await button(page, 'payment.more').press('Enter');
    await page.getByRole('menuitem', { name: word(item) }).press('Enter');
    await dialog().waitFor();
  };
  const isInView = (part: Locator) =>
    part.evaluate(element => {
      const { left, top, bottom } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(left + 4, (top + bottom) / 2));
    });
  const focused = (selector: string) => dialog().locator(`${selector}:focus`).waitFor({ state: 'attached' });

  test('the page of refunds changes switches and limits of the active profile, and nothing else', async () => {
    const profile = async () => (await state()).profiles.find(({ id }) => id === profileId);
    const before = await profile();
    await value('settings.change', { activeProfileId: profileId });
    await show(page, '#/settings/refunds');
    const perDay = box(page, 'profile.operations.limits.perDay');
    await perDay.fill('a lot');
    await button(page, 'save').click();
    await page.getByText(word('profile.limits.invalid')).waitFor();
    await perDay.fill('900');
    await button(page, 'save').click();
    await page.getByText('Add the currency: EUR 900.').waitFor();
    await page.getByRole('switch', { name: word('profile.operations.capture') }).press('Space');
    await perDay.fill('EUR 900');
    await button(page, 'save').click();
    await page.getByText(word('refunds.saved'), { exact: true }).waitFor();
    const operations = before && { ...before.operations, capture: true };
    const limits = { ...operations?.limits, perDay: 'EUR 900' };
    expect(await profile()).toEqual({ ...before, operations: { ...operations, limits } });
  });

  test('a cancellation names each missing field at its place: reason, second person and PIN, and keeps the PIN in view', async () => {
    const orderNumber = await pay('80');
    const size = page.viewportSize();
    // Not all fields have room beside a message.
    await page.setViewportSize({ width: 1366, height: 560 });
    await button(page, 'operation.open.refund').press('Enter');
    await dialog().waitFor();
    const send = submit(/Cancel payment of €80\.00/);
    await send.press('Enter');
    await focused('[data-field="reason"] button');
    const field = dialog().locator('[data-field="reason"] .field');
    expect(await field.evaluate(element => getComputedStyle(element).outlineStyle)).toBe('none');
    await page.keyboard.type('Order c');
    await send.press('Enter');
    // Ben is the only one who can agree.
    await focused('[data-field="pin"] input');
    const pin = dialog().locator('[data-field="pin"]');
    await expect.poll(() => isInView(pin.locator('.problem'))).toBe(true);
    await page.keyboard.type('1357');
    await page.keyboard.press('Enter');
    await dialog().getByRole('alert').waitFor();
    // Nothing was sent, and only the PIN has to be typed again.
    expect(await operationsOf(orderNumber)).toEqual([]);
    await expect.poll(() => isInView(pin.locator('input'))).toBe(true);
    await pin.locator('input').focus();
    await page.keyboard.type('2468');
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    if (size !== null) await page.setViewportSize(size);
    expect(await operationsOf(orderNumber)).toMatchObject([
      { kind: 'void', reason: 'order-cancelled', approvedBy: 'Ben' },
    ]);
  });

  test('a refund above the limit of the person is refused at the field, and a part below it is sent', async () => {
    const orderNumber = await pay('100');
    await openRefund(page);
    await focused('input[type=radio][value=whole]');
    await page.keyboard.press('Space');
    await submit(/Refund/).press('Enter');
    await dialog()
      .getByText(/You may send at most €90\.00 at once\./)
      .first()
      .waitFor();
    await dialog().locator('input[type=radio][value=whole]').focus();
    await page.keyboard.press('ArrowDown');
    await box(page, 'operation-form.amount.refund').focus();
    await page.keyboard.type('10');
    await dialog().locator('[data-field="reason"] button').focus();
    await page.keyboard.type('Goodwill');
    await submit(/Refund €10\.00/).press('Enter');
    await dialog().waitFor({ state: 'detached' });
    expect(await operationsOf(orderNumber)).toMatchObject([{ kind: 'refund', amount: '10.00' }]);
  });

  test('while a refund has no result, the form shows it and sends another one only by a decision about it', async () => {
    const orderNumber = await pay('40');
    const sendPart = async (amount: string): Promise<void> => {
      await dialog().locator('input[type=radio][value=whole]').focus();
      await page.keyboard.press('ArrowDown');
      await box(page, 'operation-form.amount.refund').focus();
      await page.keyboard.type(amount);
      await dialog().locator('[data-field="reason"] button').focus();
      await page.keyboard.type('Goodwill');
      await submit(/Refund €/).press('Enter');
    };
    await openRefund(page);
    await sendPart('10');
    await dialog().waitFor({ state: 'detached' });
    // The second one takes a second thought: it is in the menu.
    await openFromMenu('operation.open.refund');
    await sendPart('5');
    const open = dialog().getByRole('list', { name: word('operation-form.open') });
    await open
      .getByRole('listitem')
      .filter({ hasText: /Refund · €10\.00/ })
      .waitFor();
    expect(await operationsOf(orderNumber)).toHaveLength(1);
    await dialog()
      .getByRole('checkbox', { name: word('operation-form.insist') })
      .focus();
    await page.keyboard.press('Space');
    await submit(/Refund €5\.00/).press('Enter');
    await dialog().waitFor({ state: 'detached' });
    expect((await operationsOf(orderNumber)).map(({ amount }) => amount)).toEqual(['10.00', '5.00']);
    // The ledger has both amounts: one note for both, without them.
    const note = page.locator('.flag', { hasText: word('flag.money-in-progress.text') });
    await note.waitFor();
    await expect.poll(() => note.locator('dl').count()).toBe(0);
  });

  test('what the dashboard shows is recorded by keyboard, shown in the history, and taken back there', async () => {
    const orderNumber = await pay('60');
    await openFromMenu('record.open');
    await focused('[data-field="movement"] button');
    await page.keyboard.type('A refund');
    await submit(/^Record$/).press('Enter');
    await dialog().getByText(word('operation-form.missing.extent')).waitFor();
    await dialog().locator('input[type=radio][value=part]').focus();
    await page.keyboard.press('Space');
    await box(page, 'record.amount').focus();
    await page.keyboard.type('12.50');
    await dialog().getByText('twelve euros and fifty cents').waitFor();
    await submit(/^Record$/).press('Enter');
    await focused('[data-field="text"] textarea');
    await page.keyboard.type('Refund 4711');
    await submit(/^Record$/).press('Enter');
    await dialog().waitFor({ state: 'detached' });
    expect((await read(orderNumber, profileId)).payment.movements.at(-1)).toMatchObject({
      kind: 'refund',
      amount: '12.50',
      origin: 'recorded',
    });
    const entry = page.locator('.entry', { hasText: word('event.movement.recorded.carried-out') });
    await entry.getByRole('button', { name: word('record.undo') }).press('Enter');
    await page.locator('.entry', { hasText: word('event.movement.undone') }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: word('record.undo') }).count()).toBe(0);
  });

  test('where no other person may confirm, a press brings the sentence about it into view', async () => {
    const orderNumber = await pay('80');
    for (const { id, name: of } of (await state()).agents)
      if (of === 'Ben') await value('agents.remove', { id, pin: '2468' });
    const size = page.viewportSize();
    await page.setViewportSize({ width: 1366, height: 560 });
    await openRefund(page);
    await dialog().locator('input[type=radio][value=whole]').press('Space');
    await dialog().locator('[data-field="reason"] button').focus();
    await page.keyboard.type('Goodwill');
    await submit(/Refund €80\.00/).press('Enter');
    const sentence = dialog().locator('[data-field="approver"]:focus');
    await sentence.getByText(word('operation-form.second.missing')).waitFor();
    await expect.poll(() => isInView(sentence.locator('.note'))).toBe(true);
    expect(await operationsOf(orderNumber)).toEqual([]);
    if (size !== null) await page.setViewportSize(size);
  });
});
