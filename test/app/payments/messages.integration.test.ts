import { expect, test } from 'vitest';
import type { RequestInput } from '../../../shared/contract/contract.ts';
import { newPayment } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** Messages with a link, as they are handed to other apps, and the evidence of it. */

const app = useApp();

const raise = async (changes: Parameters<typeof newPayment>[0] = {}) =>
  (await app.value('payments.create', newPayment({ allowSameIntent: true, ...changes }))).payment;

const share = async (
  orderNumber: string,
  by: Pick<RequestInput<'payments.shareLink'>, 'channel' | 'language' | 'text'>,
): Promise<string> => {
  await app.value('payments.shareLink', { profileId: 'sandbox', orderNumber, ...by });
  return decodeURIComponent(app.opened.at(-1) ?? '');
};

const customer = { name: 'Jörg Müller', email: 'joerg@example.de', phone: '+49 171 555 0123' };

test('an SMS and a WhatsApp message go to the customer’s number in international form', async () => {
  const { orderNumber, link } = await raise({ customer, options: { language: 'de' } });
  expect(await share(orderNumber, { channel: 'sms' })).toMatch(/^sms:\+491715550123\?body=Sandbox: Bitte/);
  const whatsapp = await share(orderNumber, { channel: 'whatsapp' });
  expect(whatsapp).toMatch(/^https:\/\/wa\.me\/491715550123\?text=Guten Tag Jörg Müller,/);
  expect(whatsapp).toContain(link?.url);
});

test('a name and an address that only a callback contains are not used in messages', async () => {
  const { orderNumber } = await raise();
  await app.until(orderNumber, ({ customerFrom }) => customerFrom === 'callback');
  for (const channel of ['email', 'whatsapp'] as const) {
    const message = await share(orderNumber, { channel });
    expect(message).toMatch(/^(mailto:\?|https:\/\/wa\.me\/\?)/);
    expect(message).toContain('Hello,');
    expect(message).not.toContain('Sandbox Payer');
    expect(message).not.toContain('payer@example.com');
  }
});

test('a refused request for another link does not change the language of the link’s message', async () => {
  const payment = await raise({ customer, options: { language: 'de' } });
  await app.value('sandbox.faults', { faults: ['http-400'] });
  const again = { orderNumber: payment.orderNumber, customer, options: { language: 'en' as const } };
  const refused = await app.request('payments.create', newPayment({ ...again, allowDuplicate: true }));
  await app.value('sandbox.faults', { faults: [] });
  expect(refused.ok).toBe(false);
  expect(await share(payment.orderNumber, { channel: 'whatsapp' })).toContain('Guten Tag');
});

test('an email draft that is longer than Windows opens is refused with the way out', async () => {
  const { orderNumber } = await raise({ customer, description: '文'.repeat(240) });
  const request = { profileId: 'sandbox', orderNumber, channel: 'email' as const };
  expect(await app.request('payments.shareLink', request)).toMatchObject({
    error: { message: { key: 'share.too-long' }, hint: { key: 'share.too-long.hint' } },
  });
});

test('a message to a customer without a number opens the app without a recipient', async () => {
  const { orderNumber } = await raise();
  expect(await share(orderNumber, { channel: 'sms' })).toMatch(/^sms:\?body=/);
  expect(await share(orderNumber, { channel: 'whatsapp' })).toMatch(/^https:\/\/wa\.me\/\?text=/);
});

test('the language is the one chosen for the payment, unless another one is chosen on sharing', async () => {
  const { orderNumber } = await raise({ customer, options: { language: 'de' } });
  expect(await share(orderNumber, { channel: 'email' })).toContain('Mit freundlichen Grüßen');
  expect(await share(orderNumber, { channel: 'email', language: 'en' })).toContain('Kind regards');
  const { events } = await app.value('payments.read', { profileId: 'sandbox', orderNumber });
  expect(events.flatMap(event => (event.kind === 'link.shared' ? [event.body] : []))).toEqual([
    { channel: 'email', language: 'de' },
    { channel: 'email', language: 'en' },
  ]);
});

test('the merchant’s own message is used and copied, and an invalid one is not saved', async () => {
  const own = { en: { sms: 'Reception: {amount} at {link}' }, de: {} };
  await app.value('settings.change', { messages: own });
  const { orderNumber, link } = await raise();
  await share(orderNumber, { channel: 'message', text: 'sms', language: 'en' });
  expect(app.copied.at(-1)).toBe(`Reception: €123.40 at ${link?.url ?? ''}`);
  expect(
    await app.request('settings.change', { messages: { en: { sms: 'no link' }, de: {} } }),
  ).toMatchObject({ ok: false, error: { fields: [{ path: 'messages.en.sms' }] } });
  const { settings } = await app.state();
  expect(settings.messages).toEqual(own);
});
