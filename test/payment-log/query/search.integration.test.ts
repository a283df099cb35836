import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openForReading } from '../../../main/payment-log/sqlite/store/database.ts';
import { listPayments } from '../../../main/payment-log/query/list.ts';
import { runNow } from '../../../main/payment-log/query/steps.ts';
import { listSource } from '../../../main/payment-log/sqlite/query/list-reader.ts';
import type { PaymentLog } from '../../../main/payment-log/payment-log.ts';
import type { PaymentPage } from '../../../shared/contract/index.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { callback, hour, note, payer, requested } from '../../../tools/evidence/evidence.ts';
import { filter, logFolder, type LogFolder } from '../../../tools/app-harness/running-payment-log.ts';

let folder: LogFolder;
let log: PaymentLog;
afterAll(() => folder.remove());

const append = async (...drafts: EventDraft[]): Promise<void> => {
  const written = await log.append(drafts);
  if (!written.ok) throw new Error(written.error.code);
};
const minute = 60_000;
const numbersOf = (page: { rows: readonly { orderNumber: string }[] }): string[] =>
  page.rows.map(({ orderNumber }) => orderNumber);

describe('searching', () => {
  beforeAll(async () => {
    folder = logFolder();
    log = await folder.open();
    await append(
      requested(0, { customer: { name: 'Jörg Müller', email: 'jm@shop.example' }, amount: '1234.50' }),
      callback(minute, 'sale', 'success', { order_amount: '1234.50' }),
      note(hour, 'Wants the invoice in Łódź'),
    );
    await append(requested(0, { description: 'Other', amount: '7.00' }, { orderNumber: 'ZZ-9' }));
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
    expect(numbersOf(await log.list(filter({ words }), null, 10))).toContain('CF-1001');
  });

  test.each(['jorg invoice zzz', 'hair-', '"', "' OR 1=1 --", 'AND', '*', '1234.51', 'ue'])(
    'finds nothing for %s',
    async words => {
      expect(numbersOf(await log.list(filter({ words }), null, 10))).toEqual([]);
    },
  );

  test('combines words and filters', async () => {
    expect(numbersOf(await log.list(filter({ words: 'eur' }), null, 10))).toEqual(['ZZ-9', 'CF-1001']);
    expect(
      numbersOf(await log.list(filter({ words: 'eur', states: ['paid-unconfirmed'] }), null, 10)),
    ).toEqual(['CF-1001']);
    expect(
      numbersOf(await log.list(filter({ words: 'other', states: ['paid-unconfirmed'] }), null, 10)),
    ).toEqual([]);
  });

  test.each([{}, { profileId: 'sandbox' }, { agent: 'Ada' }])(
    'scans for a single letter in several steps that find everything once, with %j',
    async narrowed => {
      const numbers = Array.from({ length: 40 }, (_, at) => (at % 13 === 0 ? `Q-${at}` : `N-${at}`));
      await append(...numbers.map(orderNumber => requested(0, { description: 'Many' }, { orderNumber })));
      const listed = async () => numbersOf(await log.list(filter({ words: 'q-39' }), null, 1));
      await expect.poll(listed).toEqual(['Q-39']);
      const opened = openForReading(folder.file);
      if (!opened.ok) throw new Error(opened.error.code);
      const source = listSource(opened.value);
      const found: string[] = [];
      let pages = 0;
      let cursor: string | null = null;
      do {
        const wanted = filter({ words: 'q', ...narrowed });
        const page: PaymentPage = runNow(listPayments(source, wanted, cursor, 2, 0, 7));
        found.push(...numbersOf(page));
        cursor = page.next;
        pages += 1;
      } while (cursor !== null);
      opened.value.close();
      expect(found).toEqual(['Q-39', 'Q-26', 'Q-13', 'Q-0']);
      expect(pages).toBeGreaterThan(5);
    },
  );
});
