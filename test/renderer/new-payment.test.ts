import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAmountEntry } from '../../renderer/amount-reading.ts';
import { amountText } from '../../shared/money/format-amount.ts';
import { withoutDigitRuns } from '../../renderer/digit-runs.ts';
import { problemsOf, refusedFields, unplaced } from '../../renderer/screens/new-payment/problems.ts';
import { customerOf, noOptions } from '../../renderer/stores/new-payment/drafts.ts';
import { containsCardNumber } from '../../shared/card-number.ts';
import { formatterFor } from '../../shared/messages/catalogues.ts';
import { msg, quoted } from '../../shared/messages/message.ts';
import { profileDefaults } from '../../shared/settings/profile.ts';
import { translateToKeys } from '../../tools/app-harness/translate.ts';

const draft = {
  amount: '123.40',
  currency: 'EUR',
  orderNumber: 'CF-1',
  description: 'Boots',
  customerName: '',
  customerEmail: '',
  customerPhone: '',
  ...noOptions,
  methods: ['card'],
};
const inGerman = formatterFor('de');
const problems = (change: Partial<typeof draft>, merchantPhone?: string) => {
  const form = { ...draft, ...change };
  return problemsOf(
    form,
    readAmountEntry(form.amount, form.currency, 'en-GB', 'en', 'own-digits'),
    inGerman,
    translateToKeys,
    merchantPhone,
  );
};

test('an amount is read as typed, by the locale, in figures and words', () => {
  expect(readAmountEntry('1,234.5', 'EUR', 'en-GB', 'en', 'own-digits')).toEqual({
    kind: 'read',
    minor: 123_450n,
    wire: '1234.50',
    words: 'one thousand two hundred and thirty-four euros and fifty cents',
  });
  expect(readAmountEntry('1234,5', 'EUR', 'de-DE', 'de', 'own-digits')).toMatchObject({
    kind: 'read',
    wire: '1234.50',
  });
  expect(readAmountEntry('1500', 'JPY', 'en-GB', 'en', 'own-digits')).toMatchObject({
    kind: 'read',
    wire: '1500',
  });
  expect(readAmountEntry('  ', 'EUR', 'en-GB', 'en', 'own-digits')).toEqual({ kind: 'nothing' });
  expect(readAmountEntry('12.34.56', 'EUR', 'en-GB', 'en', 'own-digits')).toMatchObject({ kind: 'refused' });
});

test('an amount from a template is filled in as the locale writes it, and read as the same', () => {
  expect(amountText('1234.50', 'de-DE')).toBe('1234,50');
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 12n - 1n }),
      fc.constantFrom('EUR', 'JPY', 'BHD'),
      fc.constantFrom('en-GB', 'de-DE', 'de-CH', 'fr-FR', 'pl-PL', 'ar-EG', 'en-IN'),
      (minor, currency, locale) => {
        const digits = { EUR: 2, JPY: 0, BHD: 3 }[currency] ?? 2;
        const figures = minor.toString().padStart(digits + 1, '0');
        const wire = digits === 0 ? figures : `${figures.slice(0, -digits)}.${figures.slice(-digits)}`;
        expect(readAmountEntry(amountText(wire, locale), currency, locale, 'en', 'own-digits')).toMatchObject(
          {
            kind: 'read',
            minor,
            wire,
          },
        );
      },
    ),
  );
});

test('an amount that the profile cannot send is refused while it is typed', () => {
  for (const amount of ['1.234', '2'])
    expect(readAmountEntry(amount, 'KWD', 'en-GB', 'en', null)).toMatchObject({
      kind: 'refused',
      message: { key: 'joined' },
    });
  expect(readAmountEntry('1.234', 'KWD', 'en-GB', 'en', 'two-digits')).toMatchObject({ kind: 'refused' });
  expect(readAmountEntry('1.234', 'KWD', 'en-GB', 'en', 'own-digits')).toMatchObject({ kind: 'read' });
});

test('what a field of the form shows is not repeated below it', () => {
  const at = (...paths: string[]) => paths.map(path => ({ path, message: msg('new.refused') }));
  const refusal = (code: 'input.invalid' | 'gateway.refused', fields: ReturnType<typeof at>) =>
    unplaced({ code, message: msg('new.refused'), fields });
  expect(refusal('input.invalid', at('amount', 'order.number'))).toBeNull();
  expect(refusal('input.invalid', at('amount', 'options.methods'))?.fields).toEqual(at('options.methods'));
  expect(refusal('input.invalid', [])).not.toBeNull();
  expect(refusal('gateway.refused', at('order.amount'))).toMatchObject({
    code: 'gateway.refused',
    fields: [],
  });
});

test('a complete form has no problem', () => {
  expect(problems({})).toEqual({});
});

test('each invalid field of the form is reported', () => {
  expect(Object.keys(problems({ amount: '', orderNumber: ' ', description: '' }))).toEqual([
    'amount',
    'orderNumber',
    'description',
  ]);
  expect(problems({ customerEmail: 'no at' })).toHaveProperty('customerEmail');
  expect(problems({ customerPhone: '+3782 822463 10005' })).toEqual({
    customerPhone: 'card-number.dropped',
  });
  expect(problems({ customerPhone: '+49 1512 3456780' })).toEqual({});
  expect(problems({ description: 'x'.repeat(1025) })).toHaveProperty('description');
  expect(problems({ description: 'card 4111 1111 1111 1111' })).toEqual({
    description: 'card-number.dropped',
  });
});

test('a field refused by the main process or the gateway shows the message, under either name', () => {
  expect(
    refusedFields(
      {
        code: 'gateway.refused',
        message: msg('error.gateway.refused'),
        fields: [
          { path: 'order.description', message: quoted('too short') },
          { path: 'customer.email', message: quoted('unknown') },
          { path: 'success_url', message: quoted('not a URL') },
        ],
      },
      inGerman,
    ),
  ).toEqual({ description: 'too short', customerEmail: 'unknown' });
});

test('the message at a field is in the window’s language, from the main process and from the gateway', () => {
  expect(
    refusedFields(
      {
        code: 'input.invalid',
        message: msg('error.input.invalid'),
        fields: [{ path: 'amount', message: msg('amount.missing') }],
      },
      inGerman,
    ),
  ).toEqual({
    amount: 'Der Betrag fehlt.',
  });
  expect(problems({ amount: '-5' }).amount).toMatch(
    /^Ein Betrag darf kein Vorzeichen haben\. Geben Sie nur Ziffern ein/,
  );
  expect(problems({ amount: '0' }).amount).toMatch(/^Geben Sie einen Betrag größer als null ein\./);
});

test('every refusal of an amount is translated into German, without English words', () => {
  const typed = fc
    .array(fc.constantFrom('1', '12', '345', '0', '.', ',', "'", ' ', '-', 'x', '999999999999999'), {
      maxLength: 6,
    })
    .map(parts => parts.join(''));
  fc.assert(
    fc.property(
      typed,
      fc.constantFrom('de-DE', 'de-CH', 'en-GB'),
      fc.constantFrom('EUR', 'JPY', 'KWD', '', 'ABC'),
      (text, locale, currency) => {
        const reading = readAmountEntry(text, currency, locale, 'de', 'own-digits');
        if (reading.kind !== 'refused') return;
        const description = inGerman(reading.message);
        expect(description).not.toMatch(/\b(or|Type|amount|Nothing|could|read)\b/);
      },
    ),
    { numRuns: 3_000 },
  );
});

test('the rest of the text stays after a card number in the form is refused', () => {
  for (const card of ['4111111111111111', '4111 1111 1111 1111', '3782-822463-10005']) {
    const left = withoutDigitRuns(`Boots ${card}`);
    expect(containsCardNumber(left)).toBe(false);
    expect(left).toBe('Boots');
  }
  expect(withoutDigitRuns('order 12345')).toBe('order 12345');
});

test('a national telephone number is sent in international form if the profile names a country', () => {
  const form = { ...draft, cardToken: '', customerPhone: '0171 5550 123' };
  const merchant = { ...profileDefaults.merchant, phone: '+49 30 1234567' };
  expect(problems(form)).toEqual({ customerPhone: 'new.phone.invalid' });
  expect(problems(form, merchant.phone)).toEqual({});
  expect(customerOf(form, { merchant })).toEqual({ phone: '+49 171 5550 123' });
});
