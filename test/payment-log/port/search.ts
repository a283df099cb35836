import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PaymentLog } from '../../../main/payment-log/payment-log.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { callback, hour, note, payer, requested } from '../../../tools/evidence/evidence.ts';
import { filter } from '../../../tools/app-harness/running-payment-log.ts';
import { openLog, type OpenedLog } from './open-log.ts';

export const searchTests = (): void => {
  let opened: OpenedLog;
  let log: PaymentLog;
  afterAll(() => opened.remove());

  const append = async (...drafts: EventDraft[]): Promise<void> => {
    const written = await log.append(drafts);
    if (!written.ok) throw new Error(written.error.code);
  };
  const minute = 60_000;
  const numbersOf = (page: { rows: readonly { orderNumber: string }[] }): string[] =>
    page.rows.map(({ orderNumber }) => orderNumber);

  describe('searching', () => {
    beforeAll(async () => {
      opened = await openLog();
      log = opened.log;
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
  });
};
