import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withoutPin } from '../../../shared/agents/without-pin.ts';
import { type RequestInput, ipcRequests } from '../../../shared/contract/contract.ts';
import { formatterFor } from '../../../shared/messages/catalogues.ts';
import { msg } from '../../../shared/messages/message.ts';
import { paymentAddress, readPaymentAddress } from '../../../shared/payments/payment-address.ts';
import { plainText } from '../../../shared/plain-text.ts';
import { newPayment } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/**
 * Messages with a link, as they are handed to other apps, and the evidence of it. Bidirectional characters in orders
 * must not affect the text next to them.
 */

const app = useApp();

describe('text from outside', () => {
  const turned = 'CF-\u{202E}1-FC';

  test('a title contains no character that reverses or breaks its text', () => {
    expect(plainText(`${turned}\u{0007}`)).toBe('CF-\u{FFFD}1-FC\u{FFFD}');
    expect(plainText('CF-1 שלום Grüße')).toBe('CF-1 שלום Grüße');
  });

  test('a value in a sentence turns nothing around outside itself', () => {
    const say = formatterFor('en', 'en-GB');
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('a', 'ש', ' ', '\u{202A}', '\u{202D}', '\u{202E}', '\u{2066}', '\u{2068}'),
        }),
        file => {
          const said = say(msg('intake.problem.secret-empty', { file }));
          expect(said).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
          expect(said).toHaveLength(
            say(msg('intake.problem.secret-empty', { file: '' })).length + file.length,
          );
        },
      ),
    );
  });

  test('a link from outside with such a character opens nothing', () => {
    expect(readPaymentAddress(paymentAddress({ profileId: 'sandbox', orderNumber: turned }))).toBeNull();
    expect(readPaymentAddress(paymentAddress({ profileId: 'sandbox', orderNumber: 'CF-1' }))).not.toBeNull();
  });

  test('a message that shares a link contains no such character, which would reverse the link', async () => {
    const orderNumber = 'BIDI-1';
    const raised = await app.value(
      'payments.create',
      newPayment({ orderNumber, description: 'Tickets \u{202E}gnirts' }),
    );
    await app.value('payments.shareLink', { profileId: 'sandbox', orderNumber, channel: 'sms' });
    const message = decodeURIComponent(app.opened.at(-1) ?? '');
    expect(message).toContain('Tickets \u{FFFD}gnirts');
    expect(message).toContain(raised.payment.link?.url);
  });

  test('the subject of an e-mail with a link has the chosen language', async () => {
    const share = async () => {
      await app.value('payments.shareLink', {
        profileId: 'sandbox',
        orderNumber: 'BIDI-1',
        channel: 'email',
      });
      return new URL(app.opened.at(-1) ?? '').searchParams.get('subject');
    };
    expect(await share()).toMatch(/^Your payment to Sandbox: .*, order BIDI-1$/);
    await app.value('settings.change', { language: 'de' });
    expect(await share()).toMatch(/^Ihre Zahlung an Sandbox: .*, Bestellung BIDI-1$/);
    await app.value('settings.change', { language: 'system' });
  });

  test('a dossier isolates every text from outside', async () => {
    const { file } = await app.value('payments.dossier', { profileId: 'sandbox', orderNumber: 'BIDI-1' });
    const page = readFileSync(file ?? '', 'utf8');
    const before = page.slice(0, page.indexOf('<script'));
    expect(before).toContain('<bdi>Tickets \u{202E}gnirts</bdi>');
  });

  test.each(['', 'x', 'not a locale', 'en--GB'])('the locale “%s” is refused', locale => {
    const parsed = ipcRequests['payments.create'].input.safeParse({ ...newPayment(), locale });
    expect(parsed.error?.issues.map(({ path }) => path.join('.'))).toEqual(['locale']);
  });

  test('once one agent has a PIN, every agent without one is listed; before that, none is', () => {
    const agent = (name: string, hasPin: boolean) => ({ id: name, name, hasPin, role: 'agent' as const });
    expect(withoutPin([agent('root', false), agent('Grace', true)]).map(({ name }) => name)).toEqual([
      'root',
    ]);
    expect(withoutPin([agent('root', false), agent('Ada', false)])).toEqual([]);
    expect(withoutPin([agent('Ada', true), agent('Grace', true)])).toEqual([]);
  });

  test('the console starts with the PC if that is chosen, and no longer if it is not', async () => {
    await app.request('settings.change', { startAtLogin: true });
    expect(app.outside.startsAtLogin).toBe(true);
    await app.request('settings.change', { startAtLogin: false });
    expect(app.outside.startsAtLogin).toBe(false);
  });
});

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

test('a name and an address that only a callback contains are not used in messages, which then open the app without a recipient', async () => {
  const { orderNumber } = await raise();
  await app.until(orderNumber, ({ customerFrom }) => customerFrom === 'callback');
  for (const channel of ['email', 'whatsapp', 'sms'] as const) {
    const message = await share(orderNumber, { channel });
    expect(message).toMatch(/^(mailto:\?|https:\/\/wa\.me\/\?|sms:\?)/);
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

test('the language is the one chosen for the payment, unless another one is chosen on sharing', async () => {
  const { orderNumber } = await raise({ customer, options: { language: 'de' } });
  expect(await share(orderNumber, { channel: 'email' })).toContain('Mit freundlichen Grüßen');
  expect(await share(orderNumber, { channel: 'email', language: 'en' })).toContain('Kind regards');
  const { events } = await app.read(orderNumber);
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
