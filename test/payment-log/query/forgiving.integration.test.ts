import * as fc from 'fast-check';
import { runs } from '../../../tools/app-harness/runs.ts';
import { beforeAll, expect, test } from 'vitest';
import { listFileOf, openListForReading } from '../../../main/payment-log/sqlite/list/list-file.ts';
import { isCorrectable } from '../../../shared/search-query/correctable.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { accepted, callback, payer, requested } from '../../../tools/evidence/evidence.ts';
import { filter } from '../../../tools/app-harness/running-payment-log.ts';
import { useLog } from '../../../tools/app-harness/use-log.ts';
import { must } from '../../../tools/postgres-harness/shared-log.ts';

/** Misspelt, pasted and differently written searches on the real index. */

const used = useLog('file');
const link = 'https://pay.example/auth/k3Jw9ZQmB7';
const of = (orderNumber: string, name: string, more: { email?: string; phone?: string } = {}): EventDraft =>
  requested(0, { customer: { name, ...more }, description: 'Blue chair' }, { orderNumber });

beforeAll(async () => {
  await used.append(
    of('CF-1001', 'Jörg Müller', { email: 'jm@shop.example', phone: '+491711234567' }),
    callback(60_000, 'sale', 'success', {}),
    of('CF-1002', 'Anna Schmidt', { email: 'anna.schmidt@shop.example' }),
    of('CF-1003', 'Anne Schmitt', { phone: '0171 / 765 43 21' }),
    of('CF-1004', 'Zoë O’Brien'),
    of('CF-1005', 'Łukasz Wójcik-Nowak'),
    of('CF-1006', 'Søren Æbelø'),
    of('CF-1007', 'Weiß, Đorđe'),
    accepted(1_000, { link }, { orderNumber: 'CF-1004' }),
  );
});

const listed = async (words: string): Promise<{ orders: string[]; approximate: string | null }> => {
  const page = await used.log.list(filter({ words }), null, 50);
  return {
    orders: page.rows.map(({ orderNumber }) => orderNumber).sort(),
    approximate: page.approximate?.words ?? null,
  };
};

test.each([
  ['mueller', 'CF-1001'],
  ['Mueller', 'CF-1001'],
  ['lukasz wojcik', 'CF-1005'],
  ['nowak', 'CF-1005'],
  ['soren aebelo', 'CF-1006'],
  ['soeren', 'CF-1006'],
  ['weiss', 'CF-1007'],
  ['Dorde', 'CF-1007'],
  ["o'brien", 'CF-1004'],
  ['0171 / 123 45 67', 'CF-1001'],
  ['+49 (0) 171-1234567', 'CF-1001'],
  ['0049171 1234567', 'CF-1001'],
  ['01711234567 müller', 'CF-1001'],
  ['0171 7654321', 'CF-1003'],
  ['+49 171 7654321', 'CF-1003'],
  [payer.toUpperCase(), 'CF-1001'],
  [`Dear team, the payment ${payer} is missing. Kind regards`, 'CF-1001'],
  [`https://office.example/payments/${payer}?tab=2`, 'CF-1001'],
  ['Hello,\nwhat about my order (CF-1002)?\nThank you', 'CF-1002'],
  [`Open ${link}. Thanks`, 'CF-1004'],
])('a search for %s finds exactly the payment %s', async (words, order) => {
  expect(await listed(words)).toEqual({ orders: [order], approximate: null });
});

test.each([
  ['anna schimdt', ['CF-1002'], 'anna =schmidt'],
  ['schmidt ana', ['CF-1002'], 'schmidt =anna'],
  ['Anna Schimdt', ['CF-1002'], 'Anna =Schmidt'],
  ['mülller', ['CF-1001'], '=muller|mueller'],
  ['wojick', ['CF-1005'], '=wojcik'],
  ['anna.schmidt@shop.exmple', ['CF-1002'], '=anna.schmidt@shop.example'],
  ['schimd', ['CF-1002'], '=schmid*'],
])('a search for %s finds payments that match almost, and says so', async (words, orders, corrected) => {
  expect(await listed(words)).toEqual({ orders, approximate: corrected });
  const wanted = filter({ words: corrected });
  expect(await used.log.count(wanted)).toEqual({ count: orders.length, more: false });
  expect((await used.log.totals(wanted)).count).toBe(orders.length);
  expect((await used.log.list(wanted, null, 50)).rows).toHaveLength(orders.length);
});

test('a search with exact matches lists only these, and the search box fills up with others', async () => {
  expect(await listed('schmidt')).toEqual({ orders: ['CF-1002'], approximate: null });
  const { hits, more } = await used.log.find(filter({ words: 'schmidt' }), 5);
  expect(hits.map(({ row, isApproximate }) => [row.orderNumber, isApproximate])).toEqual([
    ['CF-1002', false],
    ['CF-1003', true],
  ]);
  expect(more).toBe(false);
});

test('another order number is no approximate match of one that exists', async () => {
  const { hits } = await used.log.find(filter({ words: 'CF-1001' }), 5);
  expect(hits.map(({ row }) => row.orderNumber)).toEqual(['CF-1001']);
});

test('a complete order number is found in spite of other filters', async () => {
  const { hits } = await used.log.find(filter({ words: 'CF-1001', profileId: 'other' }), 5);
  expect(hits.map(({ row, isApproximate }) => [row.orderNumber, isApproximate])).toEqual([
    ['CF-1001', false],
  ]);
});

test.each(['1001x', '4243', '123456789013', 'zzzz', '€', '99999'])(
  'a number or another word such as %s finds nothing almost',
  async words => {
    expect((await listed(words)).orders).toEqual([]);
  },
);

test('a pasted text of 2,000 characters without any id is no error', async () => {
  const text = 'lorem ipsum dolor '.repeat(111);
  expect(await listed(text)).toEqual({ orders: [], approximate: null });
});

test('the list stores no part of a payment link as a search word', () => {
  const list = must(openListForReading(listFileOf(used.folder.file)));
  const texts = [
    ...list.prepare<[], string>('SELECT words FROM listed').pluck().all(),
    ...list.prepare<[], string>('SELECT word FROM word').pluck().all(),
  ].join(' ');
  list.close();
  expect(texts).not.toContain('k3jw9');
  expect(texts).not.toContain('auth');
});

/** One edit of a word. */
const edited = (word: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.nat(word.length - 1),
      fc.constantFrom('wrong', 'missing', 'doubled', 'swapped'),
      fc.constantFrom(...Array.from('abcdefghijklmnopqrstuvwxyz')),
    )
    .map(([at, kind, letter]) => {
      const [before, here, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
      if (kind === 'wrong') return `${before}${letter}${after}`;
      if (kind === 'missing') return `${before}${after}`;
      if (kind === 'doubled') return `${before}${here}${here}${after}`;
      return `${before}${after.charAt(0)}${here}${after.slice(1)}`;
    });

test('any word of a payment with one wrong, missing, doubled or swapped letter finds the payment', async () => {
  const list = must(openListForReading(listFileOf(used.folder.file)));
  const rows = list
    .prepare<[], { words: string; order: string }>(
      'SELECT l.words, p.order_number AS "order" FROM listed l JOIN payment p ON p.id = l.payment',
    )
    .all();
  list.close();
  const pairs = rows.flatMap(({ words, order }) =>
    words
      .split(' ')
      .filter(word => isCorrectable(word))
      .map(word => ({ word, order })),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...pairs).chain(pair => fc.tuple(fc.constant(pair), edited(pair.word))),
      async ([{ word, order }, typed]) => {
        fc.pre(isCorrectable(typed));
        const { hits } = await used.log.find(filter({ words: typed }), 10);
        // A part of another word is an exact match, beside which other order numbers do not count.
        const isExact = hits.some(({ isApproximate }) => !isApproximate);
        if (!isExact || !/\d/.test(word))
          expect(
            hits.map(({ row }) => row.orderNumber),
            `${typed} for ${word}`,
          ).toContain(order);
        const firstApproximate = hits.findIndex(({ isApproximate }) => isApproximate);
        const lastExact = hits.findLastIndex(({ isApproximate }) => !isApproximate);
        expect(firstApproximate < 0 || firstApproximate > lastExact).toBe(true);
        expect(new Set(hits.map(({ row }) => row.orderNumber)).size).toBe(hits.length);
        const page = await used.log.list(filter({ words: typed }), null, 50);
        expect(page.approximate === null).toBe(isExact || page.rows.length === 0);
      },
    ),
    { numRuns: runs(50) },
  );
});

test('erased words are found by no misspelling, unless another payment has them', async () => {
  await used.append(of('CF-2001', 'Erasmus Kowalczyk'), of('CF-2002', 'Berta Kowalczyk'));
  expect((await listed('kowalzcyk')).orders).toEqual(['CF-2001', 'CF-2002']);
  const erased = await used.log.erase({
    reason: 'request',
    profileId: 'sandbox',
    orderNumbers: ['CF-2001'],
    agent: 'Ada',
  });
  expect(erased).toMatchObject({ ok: true });
  expect(await listed('kowalzcyk')).toEqual({ orders: ['CF-2002'], approximate: '=kowalczyk' });
  expect((await listed('erasmsu')).orders).toEqual([]);
  await used.log.erase({ reason: 'request', profileId: 'sandbox', orderNumbers: ['CF-2002'], agent: 'Ada' });
  expect((await listed('kowalzcyk')).orders).toEqual([]);
  const list = must(openListForReading(listFileOf(used.folder.file)));
  const left = list
    .prepare<[], string>("SELECT word FROM word WHERE word IN ('kowalczyk', 'erasmus', 'berta')")
    .pluck()
    .all();
  list.close();
  expect(left).toEqual([]);
  expect((await used.log.verify()).problems).toEqual([]);
});
