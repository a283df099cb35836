import * as fc from 'fast-check';
import { runs } from '../../../tools/app-harness/runs.ts';
import { describe, expect, test } from 'vitest';
import { raisedStates } from '../../../shared/payments/outcomes.ts';
import { flagKinds, paymentStates } from '../../../shared/payments/payment.ts';
import {
  queryFor,
  withChoice,
  withoutChip,
  withoutFilters,
  type QueryPart,
} from '../../../shared/search-query/query-writing.ts';
import { readQuery, type QueryChip } from '../../../shared/search-query/search-query.ts';
import { readAmount } from '../../../shared/money/typed-amount.ts';
import { amountRules, wireAmount, wireOf } from '../../../shared/money/wire-amount.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import { wantedWords, wordsOf } from '../../../shared/search-query/search-words.ts';
import { asEvent, requested } from '../../../tools/evidence/evidence.ts';

/** A Saturday, in local time. */
const now = new Date(2026, 10, 21, 15, 30).getTime();
const day = (month: number, date: number, year = 2026): number => new Date(year, month - 1, date).getTime();

describe('the search box understands', () => {
  test('the search box understands paid today 50 EUR', () => {
    const query = readQuery('paid today 50 EUR', now);
    expect(query).toMatchObject({
      words: '=50.00',
      states: ['paid-unconfirmed', 'paid-confirmed'],
      from: day(11, 21),
      until: day(11, 22),
      currency: 'EUR',
    });
    expect(query.chips.map(({ kind, text }) => [kind, text])).toEqual([
      ['states', 'paid'],
      ['days', 'today'],
      ['amount', '50 EUR'],
    ]);
    expect(wantedWords(query.words)).toEqual([[' 50.00 ']]);
  });

  test.each([
    [
      'bezahlt gestern',
      { states: ['paid-unconfirmed', 'paid-confirmed'], from: day(11, 20), until: day(11, 21) },
    ],
    ['offen', { states: ['waiting', 'started', 'bank-check', 'processing'] }],
    ['this week', { from: day(11, 16), until: day(11, 23) }],
    ['this month', { from: day(11, 1), until: day(12, 1) }],
    ['refunded letzten Monat', { words: '', from: day(10, 1), until: day(11, 1) }],
    ['letzte Woche', { from: day(11, 9), until: day(11, 16) }],
    ['2026-03-29', { from: day(3, 29), until: day(3, 30) }],
    ['21.11.', { from: day(11, 21), until: day(11, 22) }],
    ['24.12.', { from: day(12, 24, 2025), until: day(12, 25, 2025) }],
    ['24.12.2024', { from: day(12, 24, 2024), until: day(12, 25, 2024) }],
    ['nov 3', { words: '', from: day(11, 3), until: day(11, 4) }],
    ['Nov 3', { words: '', from: day(11, 3), until: day(11, 4) }],
    ['3 Nov chair', { words: 'chair', from: day(11, 3), until: day(11, 4) }],
    ['3. Nov.', { words: '', from: day(11, 3), until: day(11, 4) }],
    ['3. März', { from: day(3, 3), until: day(3, 4) }],
    ['03.11.', { from: day(11, 3), until: day(11, 4) }],
    ['03.11.25', { from: day(11, 3, 2025), until: day(11, 4, 2025) }],
    ['Nov 3, 2025', { words: '', from: day(11, 3, 2025), until: day(11, 4, 2025) }],
    ['Nov 3, 2025, 9:05\u202fAM', { words: '', from: day(11, 3, 2025), until: day(11, 4, 2025) }],
    ['3. Dez., 14:06', { words: '', from: day(12, 3, 2025), until: day(12, 4, 2025) }],
    ['September 1st', { words: '', from: day(9, 1), until: day(9, 2) }],
    ['monday', { words: '', from: day(11, 16), until: day(11, 17) }],
    ['Samstag', { words: '', from: day(11, 21), until: day(11, 22) }],
    ['letzten Samstag', { words: '', from: day(11, 14), until: day(11, 15) }],
    ['€712.62', { words: '=712.62', currency: 'EUR' }],
    ['712.62€', { words: '=712.62', currency: 'EUR' }],
    ['EUR712.62', { words: '=712.62', currency: 'EUR' }],
    ['712.62EUR', { words: '=712.62', currency: 'EUR' }],
    ['712,62 zł', { words: '=712.62', currency: 'PLN' }],
    ['US$12.50', { words: '=12.50', currency: 'USD' }],
    ['Kč 1 300', { words: '=1300.00', currency: 'CZK' }],
    ['€12,50', { words: '=12.50', currency: 'EUR' }],
    ['12,50€', { words: '=12.50', currency: 'EUR' }],
    ['EUR 1.234,50', { words: '=1234.50', currency: 'EUR' }],
    ['1,234.50 usd', { words: '=1234.50', currency: 'USD' }],
    ['5000 JPY', { words: '=5000.00', currency: 'JPY' }],
    ['EUR', { words: '', currency: 'EUR' }],
    ['2026-10-23..2026-11-21', { words: '', from: day(10, 23), until: day(11, 22) }],
    ['23.10.–21.11. EUR', { words: '', from: day(10, 23), until: day(11, 22), currency: 'EUR' }],
    ['gestern..heute', { from: day(11, 20), until: day(11, 22) }],
    ['created:here chair', { words: 'chair', raisedHere: true }],
    ['raised:here chair', { words: 'chair', raisedHere: true }],
    ['erstellt:anderswo', { words: '', raisedHere: false }],
    ['angelegt:anderswo', { words: '', raisedHere: false }],
    ['agent:Ada', { words: '', agent: 'Ada' }],
    ['paid agent:"Ada L." chair', { words: 'chair', agent: 'Ada L.' }],
    ['state:waiting,paid-confirmed', { words: '', states: ['waiting', 'paid-confirmed'] }],
    ['status:waiting', { words: '', states: ['waiting'] }],
    ['Status:wartet,Bankprüfung', { words: '', states: ['waiting', 'bank-check'] }],
    ['Zustand:wartet,Bankprüfung', { words: '', states: ['waiting', 'bank-check'] }],
    ['auffälligkeit:geändert', { flags: ['changed-between-deliveries'] }],
    ['flag:settled-twice hinweis:geändert', { flags: ['settled-twice', 'changed-between-deliveries'] }],
    ['days:7', { from: day(11, 15), until: day(11, 22) }],
    ['tage:1', { from: day(11, 21), until: day(11, 22) }],
    ['=50', { words: '=50.00|50.000|50.0000', currency: null }],
    ['12.345 KWD', { words: '=12.345', currency: 'KWD' }],
    ['EUR 1 234,50', { words: '=1234.50', currency: 'EUR' }],
    ['chair 1 234 567.50 chf now', { words: 'chair =1234567.50 now', currency: 'CHF' }],
    ['=1.234,50 currency:eur', { words: '=1234.50|1234.500|1234.5000', currency: 'EUR' }],
    ['Währung:USD 50', { words: '50', currency: 'USD' }],
    ['profile:all', { words: '', profile: 'all' }],
    ['profil:"My shop"', { words: '', profile: { name: 'My shop' } }],
    ['profile:"all"', { profile: { name: 'all' } }],
  ])('the search box understands %s', (text, wanted) => {
    expect(readQuery(text, now)).toMatchObject(wanted);
  });

  test.each([
    'ORD-1001',
    'ORD1001',
    'nov',
    'nov 31',
    'april chair',
    '12,50',
    '4242',
    '31.02.',
    'all the best',
    'jane@example.com',
    '"paid today"',
    'try it',
    '2026-11-21..2026-10-23',
    'a..b',
    'agent:',
    'raised:yesterday',
    'state:open,closed',
    'flag:',
    'days:0',
    'currency:ABC',
    '=chair',
  ])('the search box understands only words in %s', text => {
    const query = readQuery(text, now);
    expect(query.chips).toEqual([]);
    expect(query.words).toBe(text.replaceAll('"', ''));
  });

  test('a searched day is still the whole day when the clocks change', () => {
    const { from, until } = readQuery('2026-10-25', now);
    expect(new Date(until ?? 0).getDate()).toBe(26);
    expect(new Date(from ?? 0).getHours()).toBe(0);
  });
});

/** Amounts in the notations of many countries, and malformed ones. */
const typedAmount = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('en', 'de', 'de-CH', 'fr', 'en-IN', 'ar-EG', 'sv', 'pl', 'pt-BR', 'hi'),
      fc.integer({ min: 1, max: 99_999_999 }),
      fc.integer({ min: 0, max: 3 }),
      fc.constantFrom('always' as const, false as const),
    )
    .map(([locale, minor, digits, useGrouping]) =>
      new Intl.NumberFormat(locale, { useGrouping, minimumFractionDigits: digits }).format(
        minor / 10 ** digits,
      ),
    ),
  fc
    .array(fc.constantFrom('1', '12', '345', '000', '50', '.', ',', ' ', "'", '’', '\u202f', '٫', '٬'), {
      maxLength: 7,
    })
    .map(parts => parts.join('')),
);

/** The search index text of a payment with this amount. */
const indexOfAmount = (amount: string, currency: string): string =>
  wordsOf(
    reducePayment([asEvent(requested(0, { amount, currency, description: 'x' }, { orderNumber: 'x' }))]),
    [],
  );

test('an amount that the form accepts in any locale is found as typed, with its currency before, after or without', () => {
  fc.assert(
    fc.property(
      typedAmount,
      fc.constantFrom('en', 'de', 'fr', 'de-CH', 'en-IN', 'ar-EG', 'sv'),
      fc.constantFrom('EUR', 'USD', 'JPY', 'KWD', 'INR', 'CLF'),
      fc.constantFrom(...amountRules),
      (typed, locale, currency, rule) => {
        const read = readAmount(typed, locale, currency);
        fc.pre(read.ok);
        if (!read.ok) return;
        const wire = wireAmount(read.value.minor, currency, rule);
        fc.pre(wire.ok);
        if (!wire.ok) return;
        const indexed = indexOfAmount(wire.value, currency);
        const compact = typed.replaceAll(/\s/g, '');
        for (const text of [typed, compact, `${typed} ${currency}`, `${currency} ${typed}`, `=${compact}`]) {
          const query = readQuery(text, now);
          const finds = wantedWords(query.words).every(forms => forms.some(form => indexed.includes(form)));
          expect(finds, `${JSON.stringify(text)} in ${indexed}`).toBe(true);
          expect([null, currency], text).toContain(query.currency);
        }
      },
    ),
    { numRuns: runs(600) },
  );
});

test('an amount that differs from a payment’s does not find it by its currency', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 9n }),
      fc.bigInt({ min: 1n, max: 10n ** 9n }),
      fc.constantFrom('EUR', 'JPY', 'KWD'),
      (typed, held, currency) => {
        fc.pre(typed !== held);
        const indexed = indexOfAmount(wireOf(held, currency), currency);
        const [forms] = wantedWords(readQuery(`${wireOf(typed, currency)} ${currency}`, now).words);
        expect(forms?.some(form => indexed.includes(form))).toBe(false);
      },
    ),
  );
});

const name = fc.constantFrom('Ada', 'Grace Hopper', 'EUR', 'today', '–', 'agent:x', 'all');
const dayPair = fc
  .tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 1, max: 60 }))
  .map(([first, length]) => ({
    from: new Date(2025, 0, 1 + first).getTime(),
    until: new Date(2025, 0, 1 + first + length).getTime(),
  }));
const part: fc.Arbitrary<QueryPart> = fc.oneof(
  fc
    .oneof(fc.subarray([...paymentStates], { minLength: 1 }), fc.constant([...raisedStates]))
    .map(states => ({ kind: 'states' as const, states })),
  fc.subarray([...flagKinds], { minLength: 1 }).map(flags => ({ kind: 'flags' as const, flags })),
  dayPair.map(days => ({ kind: 'days' as const, ...days })),
  fc.constantFrom('12.50', '1234.00').map(amount => ({ kind: 'amount' as const, amount })),
  fc.constantFrom('EUR', 'JPY').map(currency => ({ kind: 'currency' as const, currency })),
  fc.boolean().map(here => ({ kind: 'raised' as const, here })),
  name.map(agent => ({ kind: 'agent' as const, agent })),
  fc
    .oneof(
      fc.constant('all' as const),
      name.map(of => ({ name: of })),
    )
    .map(profile => ({
      kind: 'profile' as const,
      profile,
    })),
);
const chipKind = (of: QueryPart): QueryChip['kind'] => (of.kind === 'last-days' ? 'days' : of.kind);
const language = fc.constantFrom('en' as const, 'de' as const);

test('a selected filter is written into the search box, and read back as the same', () => {
  fc.assert(
    fc.property(fc.uniqueArray(part, { selector: ({ kind }) => kind }), language, (parts, locale) => {
      const { chips, words } = readQuery(queryFor(parts, locale), now);
      expect(chips).toHaveLength(parts.length);
      // A word for a group names the same states in the group's order.
      const sorted = (one: QueryPart | QueryChip | undefined) =>
        one?.kind === 'states' ? { ...one, states: one.states.toSorted() } : one;
      for (const [index, one] of parts.entries())
        expect(sorted(chips[index])).toMatchObject(sorted(one) ?? {});
      expect(words.startsWith('=')).toBe(parts.some(({ kind }) => kind === 'amount'));
    }),
  );
});

test('a date of this week is the same date next week; the last seven days move with the clock', () => {
  const words = queryFor([{ kind: 'last-days', count: 7 }], 'en');
  const week = 7 * 86_400_000;
  expect(readQuery(words, now + week).until).toBe((readQuery(words, now).until ?? 0) + week);
});

describe('any input', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'paid',
      'today',
      '50',
      'EUR',
      '€',
      '"',
      'last',
      'week',
      '21.11.',
      'offen',
      '12,50',
      'agent:',
      'agent:x',
      'created:here',
      'today..today',
      'status:waiting',
      'flag:settled-twice',
      'days:7',
      '=50',
      'currency:EUR',
      'profile:',
    ),
    fc.string({ maxLength: 8 }),
  );
  const typed = fc.array(piece, { maxLength: 8 }).map(pieces => pieces.join(' '));

  test('every word is either found as a word or explained by a chip', () => {
    fc.assert(
      fc.property(typed, text => {
        const query = readQuery(text, now);
        let rest = text;
        for (const chip of [...query.chips].reverse()) {
          expect(text.slice(chip.start, chip.end)).toBe(chip.text);
          rest = `${rest.slice(0, chip.start)} ${rest.slice(chip.end)}`;
        }
        const letters = (of: string): string => of.replaceAll(/[\s"]/g, '');
        const words = query.words.split(' ').filter(word => !/^=\d/.test(word) || rest.includes(word));
        expect(letters(words.join(''))).toBe(letters(rest));
      }),
    );
  });

  test('a changed filter is the only one of its kind, and removing it leaves none', () => {
    fc.assert(
      fc.property(typed, part, language, (text, chosen, locale) => {
        const kind = chipKind(chosen);
        const of = (changed: string): readonly QueryChip[] =>
          readQuery(changed, now).chips.filter(chip => chip.kind === kind);
        const without = withChoice(text, kind, null, locale, now);
        expect(of(without)).toEqual([]);
        const [first, ...more] = of(withChoice(text, kind, chosen, locale, now));
        expect(first).toMatchObject(chosen);
        expect(more).toEqual([]);
      }),
    );
  });

  test('any search without its filters contains no filter', () => {
    fc.assert(
      fc.property(typed, text => {
        expect(readQuery(withoutFilters(text, now), now).chips).toEqual([]);
      }),
    );
  });

  test('a removed chip removes its filter and no other', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('paid', 'offen', 'refunded'),
        fc.constantFrom('today', '21.11.'),
        (state, when) => {
          const text = `${state} ${when} chair`;
          const query = readQuery(text, now);
          const [first] = query.chips;
          const left = readQuery(withoutChip(text, first ?? { start: 0, end: 0 }), now);
          expect(left).toMatchObject({ states: [], from: query.from, until: query.until, words: 'chair' });
        },
      ),
    );
  });
});
