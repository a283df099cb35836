import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { RequestInput, RequestName, RequestOutput } from '../../shared/contract/contract.ts';
import type { Result } from '../../shared/errors.ts';
import type { MessageKey } from '../../shared/messages/message.ts';
import type { PaymentState } from '../../shared/payments/payment.ts';

/** The console's screens from a user's view: every element is found by its text. */

export type Catalogue = Readonly<Record<string, string>>;

export const english = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'shared', 'messages', 'en.json'), 'utf8'),
) as Catalogue;
let words = english;

/** From here on elements are found by the texts of another catalogue. */
export const speak = (catalogue: Catalogue): void => {
  words = catalogue;
};

/** The text of a message without placeholders, English unless another catalogue is set. */
export const word = (key: MessageKey): string => {
  const text = words[key];
  if (text === undefined) throw new Error(`the catalogue has no message ${key}`);
  return text;
};

/** The window, or a part of it. */
type Place = Page | Locator;

export const button = (place: Place, key: MessageKey) =>
  place.getByRole('button', { name: word(key) }).first();
export const box = (place: Place, key: MessageKey) => place.getByRole('textbox', { name: word(key) }).first();

/** Waits until a text is visible in one element of `place`. */
export const shows = (place: Place, text: string | RegExp): Promise<void> => place.getByText(text).waitFor();

/** Waits until an element is visible and has the focus. */
export const hasFocus = (element: Locator): Promise<void> =>
  element.and(element.page().locator(':focus')).waitFor();

/** An entry of the rail; a count may follow its name. */
const railLink = (page: Page, key: MessageKey) =>
  page
    .getByRole('navigation', { name: word('rail.name') })
    .getByRole('link')
    .filter({ has: page.getByText(word(key), { exact: true }) })
    .first();

/** Opens a screen by its entry in the rail. */
export const goTo = (
  page: Page,
  key:
    | 'nav.reconciliation'
    | 'nav.new'
    | 'nav.payments'
    | 'nav.look-up'
    | 'nav.callbacks'
    | 'nav.overview'
    | 'month-end.report'
    | 'nav.settings'
    | 'nav.sandbox',
) => railLink(page, key).click();

/**
 * Resolves when the selector's first element is visible and contains the text. The page checks every 20 ms; a wait of
 * Playwright checks less and less often, in the end every half second.
 */
export const appears = async (page: Page, selector: string, text = ''): Promise<void> => {
  await page.waitForFunction(
    ({ selector, text }) => {
      const found = document.querySelector(selector);
      return found?.checkVisibility({ visibilityProperty: true }) && found.textContent.includes(text);
    },
    { selector, text },
    { polling: 20 },
  );
};

export const startNewPayment = async (page: Page): Promise<void> => {
  await railLink(page, 'nav.new').click();
  await box(page, 'new.amount').waitFor();
};

export type Typed = {
  amount: string;
  description: string;
  orderNumber?: string;
  name?: string;
  email?: string;
  phone?: string;
};

/** Completes the form like an agent, without submitting it. */
export const fillNewPayment = async (page: Page, typed: Typed): Promise<void> => {
  await startNewPayment(page);
  // The form keeps its previous content by design.
  await button(page, 'new.clear').click();
  // The suggested number arrives later; a form submitted before it would be refused.
  await page.locator('[name="orderNumber"]:not([value=""])').waitFor();
  await box(page, 'new.amount').fill(typed.amount);
  await box(page, 'new.description').fill(typed.description);
  if (typed.orderNumber !== undefined) await box(page, 'new.order').fill(typed.orderNumber);
  if (typed.name !== undefined) await box(page, 'new.customer.name').fill(typed.name);
  if (typed.email !== undefined) await box(page, 'new.customer.email').fill(typed.email);
  if (typed.phone !== undefined) await box(page, 'new.customer.phone').fill(typed.phone);
};

/** Creates a payment link; resolves to it and its order number once the window shows it. */
export const raiseLink = async (page: Page, typed: Typed): Promise<{ link: string; orderNumber: string }> => {
  await fillNewPayment(page, typed);
  const orderNumber = await box(page, 'new.order').inputValue();
  await page.keyboard.press('Control+Enter');
  // The customer may have a link for this amount: another one is meant.
  const another = page.getByRole('button', { name: word('same-intent.create') });
  await another.or(page.getByTestId('payment-link')).first().waitFor();
  if (await another.isVisible()) await another.press('Enter');
  await appears(page, '[data-testid="payment-link"]');
  const link = await page.getByTestId('payment-link').innerText();
  return { link: link.trim(), orderNumber };
};

/** Presses a scenario's button on the payment page of a link, as the customer does. */
export const pay = (link: string, scenario: 'pay' | 'decline' | 'cancel' = 'pay'): Promise<Response> =>
  fetch(link, { method: 'POST', body: new URLSearchParams({ scenario }) });

/** Waits until the open payment has a state, by the text of its badge. */
export const waitForState = (page: Page, state: PaymentState | 'paid-checked'): Promise<void> =>
  page
    .getByRole('status')
    .getByText(word(`state.${state}`), { exact: true })
    .first()
    .waitFor();

/** A request over the window's own bridge, as the screens make it. */
export const ipcRequest = <N extends RequestName>(
  page: Page,
  name: N,
  input: RequestInput<N>,
): Promise<Result<RequestOutput<N>>> =>
  page.evaluate(
    ([name, input]) =>
      (globalThis as unknown as { api: { request: (name: unknown, input: unknown) => unknown } }).api.request(
        name,
        input,
      ),
    [name, input] as const,
  ) as Promise<Result<RequestOutput<N>>>;

/** The requests of a page, as a test of the application layer sends them (`tools/app-harness/running-app.ts`). */
export const inPage = (page: Page) => {
  const request = <N extends RequestName>(name: N, input: RequestInput<N>) => ipcRequest(page, name, input);
  /** The value of a request; throws the code of its error. */
  const value = async <N extends RequestName>(name: N, input: RequestInput<N>): Promise<RequestOutput<N>> => {
    const answer = await request(name, input);
    if (!answer.ok) throw new Error(answer.error.code);
    return answer.value;
  };
  return {
    request,
    value,
    state: () => value('app.read', {}),
    read: (orderNumber: string, profileId = 'sandbox') => value('payments.read', { profileId, orderNumber }),
  };
};

/** The results of the search below its box, by keyboard or mouse. */
export const results = (page: Page) => page.getByRole('listbox', { name: word('results.name') });

/** Chooses a result of the search by keyboard: types part of its name, and moves to it. */
export const command = async (page: Page, typed: string, name: string): Promise<void> => {
  const options = results(page).getByRole('option');
  await page.keyboard.press('Control+k');
  await page.keyboard.type(typed);
  const wanted = options.filter({ hasText: name }).first();
  await wanted.waitFor();
  const current = page.locator('#search[aria-activedescendant]');
  for (let steps = 1; !(await wanted.and(page.locator('[data-focused]')).isVisible()); steps += 1) {
    if (steps > 40) throw new Error(`no key reaches ${name}`);
    await page.keyboard.press('ArrowDown');
    await current.waitFor();
  }
  await page.keyboard.press('Enter');
  await results(page).waitFor({ state: 'detached' });
};

/** Opens the form of a refund: on the day of the payment it begins with the cancellation. */
export const openRefund = async (page: Page): Promise<void> => {
  await button(page, 'operation.open.refund').press('Enter');
  await page
    .getByRole('dialog')
    .getByRole('radio', { name: word('operation-form.title.refund'), exact: true })
    .press('Space');
};
