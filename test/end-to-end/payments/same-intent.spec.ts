import { onEachDriver, useConsole, withEvents } from '../../../tools/browser-harness/use-console.ts';
import { expect, test } from 'vitest';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import {
  appears,
  box,
  fillNewPayment,
  word,
  type Typed,
  button,
  hasFocus,
  shows,
  inPage,
} from '../../../tools/browser-harness/console.ts';
import { accepted, requested, start } from '../../../tools/evidence/evidence.ts';

/** The same customer and amount again: nothing is sent before a person has read the question. */

const profileId = 'sandbox';
const zoe = { name: 'Zoë O’Brien', email: 'zoe@example.com', phone: '+44 20 7946 0018' };
const first = 'CALL-1';

/** A link that another person created two minutes ago, in the first of two calls. */
const createdBefore = (): EventDraft[] => {
  // Events are dated from a fixed moment.
  const at = Date.now() - 2 * 60_000 - 5_000 - start;
  const frame = { profileId, orderNumber: first, agent: 'Ben' };
  const idempotencyKey = crypto.randomUUID();
  const body = { idempotencyKey, amount: '80.00', currency: 'EUR', customer: zoe };
  return [requested(at, body, frame), accepted(at + 500, { idempotencyKey }, frame)];
};

onEachDriver('a second link for the same customer and amount', name => {
  const question = () => page.getByRole('alertdialog', { name: word('same-intent.title') });
  const heading = (order: string) => page.locator('#place h1').getByText(order, { exact: true }).waitFor();
  const call: Typed = { amount: '80', description: 'Deposit, room 12', ...zoe };
  /** Fills the form and asks for the link by keyboard; the question is open and has the focus. */
  const attempt = async (typed: Typed): Promise<void> => {
    await fillNewPayment(page, typed);
    await page.keyboard.press('Control+Enter');
    await question().locator(':focus').waitFor();
  };
  const payments = async () =>
    (await inPage(page).value('payments.list', { filter: {}, limit: 100 })).rows.length;

  const { page } = useConsole({ driver: name, prepare: withEvents(createdBefore()) });

  test('while a known customer is typed, the form names the open link and leads to the customer', async () => {
    await fillNewPayment(page, call);
    await page.getByRole('link', { name: /Has an open link for €80\.00, created 2 min/ }).waitFor();
    await page
      .locator('.known-customer')
      .getByRole('link', { name: word('new.known.show') })
      .click();
    await page.getByRole('heading', { name: zoe.name }).waitFor();
  });

  test('a known customer is proposed while the name is typed, and one key fills the other details', async () => {
    await fillNewPayment(page, { amount: '12', description: 'Proposal', name: 'zoe' });
    await shows(page.getByRole('list', { name: word('new.proposals') }), zoe.email);
    await box(page, 'new.customer.name').press('ArrowDown');
    await expect.poll(() => box(page, 'new.customer.email').inputValue()).toBe(zoe.email);
    await expect.poll(() => box(page, 'new.customer.name').inputValue()).toBe(zoe.name);
  });

  test('two calls two minutes apart lead to a question that names the first link, and nothing is sent', async () => {
    const before = await payments();
    await attempt(call);
    await shows(question(), /^Zoë O’Brien has an open link for €80\.00, created 2 min.* ago\.$/);
    await question().getByText(first).waitFor();
    expect(await payments()).toBe(before);
  });

  test('Esc returns from the question about a second link to the form, where everything that was typed is still there', async () => {
    await page.keyboard.press('Escape');
    await question().waitFor({ state: 'detached' });
    await expect.poll(() => box(page, 'new.amount').inputValue()).toBe(call.amount);
    await expect.poll(() => box(page, 'new.description').inputValue()).toBe(call.description);
    await expect.poll(() => box(page, 'new.customer.email').inputValue()).toBe(call.email);
    await page.locator('.new-form :focus').waitFor();
  });

  test('the question about a second link leads to the existing payment', async () => {
    await page.keyboard.press('Control+Enter');
    await hasFocus(button(question(), 'same-intent.open'));
    await page.keyboard.press('Enter');
    await heading(first);
  });

  test('a second link is created by keyboard after the question', async () => {
    await attempt(call);
    await page.keyboard.press('Tab');
    await hasFocus(button(question(), 'same-intent.create'));
    await page.keyboard.press('Enter');
    await appears(page, '[data-testid="payment-link"]');
  });
});
