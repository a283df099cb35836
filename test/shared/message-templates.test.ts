import { ownCustomer } from '../../shared/merchant-texts/own-customer.ts';
import { describe, expect, test } from 'vitest';
import { formatterFor } from '../../shared/messages/catalogues.ts';
import { languages } from '../../shared/messages/message.ts';
import {
  composeMessage,
  defaultMessage,
  messageValues,
  type MessageSubject,
} from '../../shared/merchant-texts/compose-message.ts';
import {
  messageChannels,
  messageSlots,
  parseMessage,
} from '../../shared/merchant-texts/message-templates.ts';

const none = { en: {}, de: {} };
const subject = (changes: Partial<MessageSubject> = {}): MessageSubject => ({
  amount: '80.00',
  currency: 'EUR',
  description: 'Anzahlung',
  orderNumber: 'VBR6',
  customer: { name: 'Jörg Müller' },
  customerFrom: 'request',
  raisedHere: true,
  link: 'https://pay.example/s/7Kq2mX',
  expiresAt: Date.UTC(2026, 10, 22, 14, 11),
  merchant: { name: 'Nordlicht Hotels GmbH', phone: '04361 5550 100' },
  timeZone: 'Europe/Berlin',
  ...changes,
});

describe('our messages', () => {
  test('a link without a customer keeps its name: the card’s name of a status check greets only a payment of elsewhere', () => {
    const named = { customer: { name: 'Sandbox Payer' }, customerFrom: 'look-up' } as const;
    expect(ownCustomer(subject(named))).toBeNull();
    expect(ownCustomer(subject({ ...named, raisedHere: false }))?.name).toBe('Sandbox Payer');
  });

  test.each(languages)(
    'our messages are valid templates in %s, and every message has the safety line',
    language => {
      for (const slot of messageSlots) {
        const ours = defaultMessage(slot, formatterFor(language));
        expect(parseMessage(ours, slot)).toMatchObject({ ok: true });
        if (slot !== 'subject') expect(ours).toContain('{safety}');
      }
    },
  );

  test('our messages are business letters with amount, order, description, deadline in the merchant’s zone, and link', () => {
    const format = formatterFor('de');
    expect(composeMessage('email', 'de', none, messageValues(subject(), format), format)).toBe(
      [
        'Guten Tag Jörg Müller,',
        '',
        'für Ihre Bestellung VBR6 (Anzahlung) bitten wir Sie um Zahlung von 80,00\u00a0€ bis zum 22. November 2026, 15:11 Uhr. Dieser Link öffnet die sichere Zahlungsseite:',
        '',
        'https://pay.example/s/7Kq2mX',
        '',
        'Wir fragen Sie nie am Telefon oder per E-Mail nach Ihrer Kartennummer.',
        '',
        'Mit freundlichen Grüßen',
        'Nordlicht Hotels GmbH',
        '04361 5550 100',
      ].join('\n'),
    );
  });

  test('our messages leave out a line whose only value is unknown, and greet without a name', () => {
    const format = formatterFor('en');
    const values = messageValues(
      subject({ customer: null, merchant: { name: 'North Hotel', phone: '' } }),
      format,
    );
    const text = composeMessage('email', 'en', none, values, format);
    expect(text).toMatch(/^Hello,\n/);
    expect(text).toMatch(/Kind regards\nNorth Hotel$/);
  });
});

test('the merchant’s own message is used in its language only', () => {
  const templates = { en: { sms: 'Pay {amount}: {link}' }, de: {} };
  const of = (language: 'en' | 'de'): string => {
    const format = formatterFor(language);
    return composeMessage('sms', language, templates, messageValues(subject(), format), format);
  };
  expect(of('en')).toBe('Pay €80.00: https://pay.example/s/7Kq2mX');
  expect(of('de')).toMatch(/^Nordlicht Hotels GmbH: Bitte zahlen Sie/);
});

test('the merchant’s own message is refused without a link, with an unknown placeholder, or with a card number', () => {
  for (const channel of messageChannels) {
    expect(parseMessage('Please pay {amount}', channel)).toMatchObject({ problem: { kind: 'no-link' } });
    expect(parseMessage('{iban} {link}', channel)).toMatchObject({
      problem: { kind: 'unknown', found: '{iban}' },
    });
    expect(parseMessage('4111 1111 1111 1111 {link}', channel)).toMatchObject({
      problem: { kind: 'card-number' },
    });
    expect(parseMessage('{link', channel)).toMatchObject({ problem: { kind: 'unreadable' } });
    expect(parseMessage('{link}', channel)).toMatchObject({ problem: { kind: 'no-words' } });
    expect(parseMessage('Pay\u202e {link}', channel)).toMatchObject({ problem: { kind: 'hidden' } });
  }
});

test('the merchant’s own message as a subject is one line without the link', () => {
  expect(parseMessage('Your payment {link}', 'subject')).toMatchObject({
    problem: { kind: 'link-in-subject' },
  });
  expect(parseMessage('Your\npayment', 'subject')).toMatchObject({ problem: { kind: 'line-break' } });
});

test('the merchant’s own message never reads a placeholder out of a description', () => {
  const format = formatterFor('en');
  const values = messageValues(subject({ description: '{link} {safety}' }), format);
  expect(composeMessage('sms', 'en', none, values, format)).toContain('for {link} {safety} by');
});
