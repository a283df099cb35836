import { describe, expect, test } from 'vitest';
import { filterFor } from '../../../shared/search-query/filter-for.ts';
import { addressesIn, isPasted, orderNumbersIn } from '../../../shared/search-query/pasted-text.ts';

const now = Date.parse('2026-11-28T12:00:00Z');
const filter = (text: string) => filterFor(text, null, now, []);

describe('a pasted e-mail is searched for what identifies the payment', () => {
  test.each([
    'Hello shop, I paid for order CF-20261128-0042. Thanks, Bob',
    'My card was declined for order CF-20261128-0042, please help me',
    'I want a refund of 15 EUR for CF-20261128-0042 that I paid today please',
    'Meine Bestellung CF-20261128-0042 ist abgelaufen, bitte um einen neuen Link',
  ])('its words are no filters: %s', text => {
    expect(filter(text)).toMatchObject({ words: text, states: [], flags: [], currency: null, from: null });
    expect(orderNumbersIn(text)).toContain('CF-20261128-0042');
  });

  test.each(['Order: CF-20261128-0042', 'Bestellnummer: CF-20261128-0042'])('a label: %s', text => {
    expect(isPasted(text)).toBe(true);
  });

  test('typed filters stay filters', () => {
    expect(filter('paid Anna Example 100.00')).toMatchObject({
      states: ['paid-unconfirmed', 'paid-confirmed'],
    });
    expect(filter('declined anna berlin today')).toMatchObject({ states: ['declined'] });
  });
});

describe('a payment link is found in what wrapped it', () => {
  const link = 'https://pay.test/checkout/a1b2c3?x=1&y=2';
  const encoded = encodeURIComponent(link);
  test.each([
    ['nothing', link],
    ['Safe Links', `https://eur01.safelinks.protection.outlook.com/?url=${encoded}&data=05%7C02&reserved=0`],
    ['Proofpoint', `https://urldefense.com/v3/__${link}__;!!AbC!xyz$`],
    [
      'Proofpoint, the older form',
      `https://urldefense.proofpoint.com/v2/url?u=${encoded.replaceAll('%', '-').replaceAll('-2F', '_')}&d=x`,
    ],
    ['Google', `https://www.google.com/url?q=${encoded}&sa=D`],
    ['Slack', `<${link}|pay here>`],
    ['two lines', `${link.slice(0, 30)}\n${link.slice(30)}`],
    ['two quoted lines', `> ${link.slice(0, 30)}\n> ${link.slice(30)}`],
  ])('a payment link is found in %s', (_, text) => {
    expect(addressesIn(text)).toContain(link);
  });
});
