import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  facetsToRecheck,
  nextCheckedDays,
  selectToRecheck,
} from '../../../main/payment-log/sqlite/query/recheck.ts';
import { listFileOf } from '../../../main/payment-log/sqlite/list/list-file.ts';
import type { PaymentLog } from '../../../main/payment-log/payment-log.ts';
import { requested } from '../../../tools/evidence/evidence.ts';
import { logFolder, type LogFolder } from '../../../tools/app-harness/running-payment-log.ts';

/** The paid payments that are due for another check. */

let folder: LogFolder;
let log: PaymentLog;
beforeEach(async () => {
  folder = logFolder();
  log = await folder.open();
});
afterEach(() => folder.remove());

test('every statement is a range of an index, for any number of payments', async () => {
  await log.append([requested()]);
  await log.close();
  const database = new Database(listFileOf(folder.file), { readonly: true });
  const planOf = (sql: string): string =>
    database
      .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...Array.from({ length: sql.split('?').length - 1 }, () => 1))
      .map(({ detail }) => detail)
      .join('; ');
  expect(planOf(nextCheckedDays)).toBe(
    'SEARCH listed USING COVERING INDEX listed_recheck (facet=? AND checked_days>?)',
  );
  expect(planOf(selectToRecheck)).toBe(
    'SEARCH listed USING INDEX listed_recheck (facet=? AND checked_days=? AND <expr>>? AND <expr><?)',
  );
  expect(planOf(facetsToRecheck)).toContain('SEARCH facet USING INDEX');
  database.close();
});
