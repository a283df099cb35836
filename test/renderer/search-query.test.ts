import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { queryFor, readQuery, withoutChip } from '../../shared/search-query.ts';
import { wantedWords } from '../../shared/search-words.ts';

/** A Saturday, in local time. */
const now = new Date(2026, 10, 21, 15, 30).getTime();
const day = (month: number, date: number, year = 2026): number => new Date(year, month - 1, date).getTime();

describe('the search box understands', () => {
  test('paid today 50 EUR', () => {
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
    ['letzte Woche', { from: day(11, 9), until: day(11, 16) }],
    ['2026-03-29', { from: day(3, 29), until: day(3, 30) }],
    ['21.11.', { from: day(11, 21), until: day(11, 22) }],
    ['24.12.', { from: day(12, 24, 2025), until: day(12, 25, 2025) }],
    ['24.12.2024', { from: day(12, 24, 2024), until: day(12, 25, 2024) }],
    ['€12,50', { words: '=12.50', currency: 'EUR' }],
    ['12,50€', { words: '=12.50', currency: 'EUR' }],
    ['EUR 1.234,50', { words: '=1234.50', currency: 'EUR' }],
    ['1,234.50 usd', { words: '=1234.50', currency: 'USD' }],
    ['5000 JPY', { words: '=5000', currency: 'JPY' }],
    ['EUR', { words: '', currency: 'EUR' }],
    ['2026-10-23..2026-11-21', { words: '', from: day(10, 23), until: day(11, 22) }],
    ['23.10.–21.11. EUR', { words: '', from: day(10, 23), until: day(11, 22), currency: 'EUR' }],
    ['gestern..heute', { from: day(11, 20), until: day(11, 22) }],
    ['raised:here chair', { words: 'chair', raisedHere: true }],
    ['angelegt:anderswo', { words: '', raisedHere: false }],
    ['agent:Ada', { words: '', agent: 'Ada' }],
    ['paid agent:"Ada L." chair', { words: 'chair', agent: 'Ada L.' }],
  ])('%s', (text, wanted) => {
    expect(readQuery(text, now)).toMatchObject(wanted);
  });

  test.each([
    'ORD-1001',
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
  ])('nothing but words in %s', text => {
    const query = readQuery(text, now);
    expect(query.chips).toEqual([]);
    expect(query.words).toBe(text.replaceAll('"', ''));
  });

  test('a clock that changes on the day keeps the day whole', () => {
    const { from, until } = readQuery('2026-10-25', now);
    expect(new Date(until ?? 0).getDate()).toBe(26);
    expect(new Date(from ?? 0).getHours()).toBe(0);
  });
});

test('what the overview means by words is read back as the same filter', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('Ada', 'Grace Hopper', 'EUR', 'today', '–', 'agent:x'),
      fc.integer({ min: 0, max: 400 }),
      fc.integer({ min: 1, max: 60 }),
      fc.constantFrom('en' as const, 'de' as const),
      (agent, first, length, language) => {
        const days = {
          from: new Date(2025, 0, 1 + first).getTime(),
          until: new Date(2025, 0, 1 + first + length).getTime(),
        };
        const wanted = { days, currency: 'EUR', raisedHere: true, agent };
        expect(readQuery(queryFor(wanted, language), now)).toMatchObject({
          words: '',
          states: [],
          from: days.from,
          until: days.until,
          currency: 'EUR',
          raisedHere: true,
          agent,
        });
      },
    ),
  );
});

describe('whatever is typed', () => {
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
      'raised:here',
      'today..today',
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

  test('a chip that is removed takes its own filter away and no other', () => {
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
