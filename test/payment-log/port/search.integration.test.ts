import { beforeAll, describe, expect, test } from 'vitest';
import { listFileOf, openListForReading } from '../../../main/payment-log/sqlite/list/list-file.ts';
import { listPayments } from '../../../main/payment-log/sqlite/query/list.ts';
import { listSource } from '../../../main/payment-log/sqlite/query/list-reader.ts';
import { everyPage } from './every-row.ts';
import { useLog } from '../../../tools/app-harness/use-log.ts';
import { must } from '../../../tools/postgres-harness/shared-log.ts';
import { callback, hour, note, payer, requested } from '../../../tools/evidence/evidence.ts';
import { filter } from '../../../tools/app-harness/running-payment-log.ts';

const used = useLog('file');
const minute = 60_000;
const numbersOf = (page: { rows: readonly { orderNumber: string }[] }): string[] =>
  page.rows.map(({ orderNumber }) => orderNumber);

describe('searching', () => {
  beforeAll(async () => {
    await used.append(
      requested(0, { customer: { name: 'Jörg Müller', email: 'jm@shop.example' }, amount: '1234.50' }),
      callback(minute, 'sale', 'success', { order_amount: '1234.50' }),
      note(hour, 'Wants the invoice in Łódź'),
    );
    await used.append(requested(0, { description: 'Other', amount: '7.00' }, { orderNumber: 'ZZ-9' }));
  });

  test.each([
    ['the order number', 'CF-1001'],
    ['its beginning', 'cf-10'],
    ['its end', '1001'],
    ['the payment id', payer],
    ['the name', 'Jörg Müller'],
    ['the name without its accents', 'muller'],
    ['the e-mail address', 'jm@shop.example'],
    ['the amount with a point', '1234.50'],
    ['the amount with a comma', '1234,50'],
    ['the amount with thousands', '1.234,50'],
    ['the amount with English thousands', '1,234.50'],
    ['the currency', 'eur'],
    ['the last four digits', '1111'],
    ['the RRN', '123456789012'],
    ['the approval code', 'a1b2c3'],
    ['the description', 'chair'],
    ['a note', 'invoice'],
    ['several words at once', 'jorg 1234 chair'],
    ['two letters that begin a word', 'bl'],
    ['one letter', 'b'],
  ])('finds a payment by %s', async (_what, words) => {
    expect(numbersOf(await used.log.list(filter({ words }), null, 10))).toContain('CF-1001');
  });

  test.each(['jorg invoice zzz', 'hair-', '"', "' OR 1=1 --", 'AND', '*', '1234.51', 'ue'])(
    'finds nothing for %s',
    async words => {
      expect(numbersOf(await used.log.list(filter({ words }), null, 10))).toEqual([]);
    },
  );

  test('combines words and filters', async () => {
    expect(numbersOf(await used.log.list(filter({ words: 'eur' }), null, 10))).toEqual(['ZZ-9', 'CF-1001']);
    expect(
      numbersOf(await used.log.list(filter({ words: 'eur', states: ['paid-unconfirmed'] }), null, 10)),
    ).toEqual(['CF-1001']);
    expect(
      numbersOf(await used.log.list(filter({ words: 'other', states: ['paid-unconfirmed'] }), null, 10)),
    ).toEqual([]);
  });
});

test.each([{}, { profileId: 'sandbox' }, { agent: 'Ada' }])(
  'a search scans for a single letter in several steps that find everything once, with %j',
  async narrowed => {
    const numbers = Array.from({ length: 40 }, (_, at) => (at % 13 === 0 ? `Q-${at}` : `N-${at}`));
    await used.append(...numbers.map(orderNumber => requested(0, { description: 'Many' }, { orderNumber })));
    const listed = async () => numbersOf(await used.log.list(filter({ words: 'q-39' }), null, 1));
    await expect.poll(listed).toEqual(['Q-39']);
    const opened = must(openListForReading(listFileOf(used.folder.file)));
    const source = listSource(opened);
    const wanted = filter({ words: 'q', ...narrowed });
    const pages = await everyPage(cursor => listPayments(source, wanted, cursor, 2, 0, 7));
    opened.close();
    expect(pages.flatMap(numbersOf)).toEqual(['Q-39', 'Q-26', 'Q-13', 'Q-0']);
    expect(pages.length).toBeGreaterThan(5);
  },
);
