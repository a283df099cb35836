import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listFileOf, openListForReading } from '../../../main/payment-log/sqlite/list/list-file.ts';
import { listPayments } from '../../../main/payment-log/sqlite/query/list.ts';
import { listSource } from '../../../main/payment-log/sqlite/query/list-reader.ts';
import type { PaymentLog } from '../../../main/payment-log/payment-log.ts';
import type { PaymentPage } from '../../../shared/contract/contract.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { requested } from '../../../tools/evidence/evidence.ts';
import { filter, logFolder, type LogFolder } from '../../../tools/app-harness/running-payment-log.ts';

let folder: LogFolder;
let log: PaymentLog;
afterAll(() => folder.remove());

const append = async (...drafts: EventDraft[]): Promise<void> => {
  const written = await log.append(drafts);
  if (!written.ok) throw new Error(written.error.code);
};
const numbersOf = (page: { rows: readonly { orderNumber: string }[] }): string[] =>
  page.rows.map(({ orderNumber }) => orderNumber);

describe('searching', () => {
  beforeAll(async () => {
    folder = logFolder();
    log = await folder.open();
  });

  test.each([{}, { profileId: 'sandbox' }, { agent: 'Ada' }])(
    'a search scans for a single letter in several steps that find everything once, with %j',
    async narrowed => {
      const numbers = Array.from({ length: 40 }, (_, at) => (at % 13 === 0 ? `Q-${at}` : `N-${at}`));
      await append(...numbers.map(orderNumber => requested(0, { description: 'Many' }, { orderNumber })));
      const listed = async () => numbersOf(await log.list(filter({ words: 'q-39' }), null, 1));
      await expect.poll(listed).toEqual(['Q-39']);
      const opened = openListForReading(listFileOf(folder.file));
      if (!opened.ok) throw new Error(opened.error.code);
      const source = listSource(opened.value);
      const found: string[] = [];
      let pages = 0;
      let cursor: string | null = null;
      do {
        const wanted = filter({ words: 'q', ...narrowed });
        const page: PaymentPage = listPayments(source, wanted, cursor, 2, 0, 7);
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
