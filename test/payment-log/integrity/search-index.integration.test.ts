import { expect, test } from 'vitest';
import { setFailureSink } from '../../../main/app-log/failure-report.ts';
import { logReader } from '../../../main/payment-log/sqlite/query/reader.ts';
import { openForReading } from '../../../main/payment-log/sqlite/store/database.ts';
import {
  rebuildClosedLog,
  startWriter,
  verifyClosedLog,
  writeClosedLog,
} from '../../../tools/app-harness/closed-log.ts';
import { filter } from '../../../tools/app-harness/running-payment-log.ts';
import { note } from '../../../tools/evidence/evidence.ts';
import { copiedLog, problemsAt } from './copied-log.ts';

/** Damage to the search index, which is a cache, in every table that FTS5 keeps for it. */

const folder = copiedLog(async written => {
  // Several segments, of several pages each.
  for (let part = 0; part < 3; part += 1) {
    const orders = Array.from({ length: 60 }, (_, index) =>
      note(index, `chair ${crypto.randomUUID()}`, { orderNumber: `CF-${part}-${index}` }),
    );
    await writeClosedLog(written.file, orders);
  }
});

const problems = (): string[] => problemsAt(verifyClosedLog(folder.file));

/** The number of payments that a search finds. */
const found = (words: string): number => {
  const opened = openForReading(folder.file);
  if (!opened.ok) throw new Error(opened.error.code);
  const { rows } = logReader(opened.value, Date.now).list(filter({ words }), null, 500);
  opened.value.close();
  return rows.length;
};

test('An unchanged search index has no problem', () => {
  expect(problems()).toEqual([]);
  expect(found('chair')).toBe(180);
});

test.each([
  ['is emptied', 'DELETE FROM search_idx'],
  ['lacks a segment', 'DELETE FROM search_idx WHERE segid = (SELECT max(segid) FROM search_idx)'],
  ['lacks an entry', 'DELETE FROM search_idx WHERE pgno = (SELECT max(pgno) FROM search_idx)'],
  [
    'names another page',
    'UPDATE search_idx SET pgno = pgno + 2 WHERE pgno = (SELECT min(pgno) FROM search_idx)',
  ],
])('A search index whose map %s is reported, and a rebuild heals it', async (_what, sql) => {
  folder.tamper(sql);
  expect(problems()).toEqual(['projection table search']);
  expect(await rebuildClosedLog(folder.file)).toMatchObject({ result: { ok: true } });
  expect(problems()).toEqual([]);
  expect(found('chair')).toBe(180);
});

test.each([
  ['has no pages', 'DELETE FROM search_data'],
  ['lacks its structure', 'DELETE FROM search_data WHERE id = 10'],
  ['lacks its averages', 'DELETE FROM search_data WHERE id = 1'],
  ['lacks a page', 'DELETE FROM search_data WHERE id = (SELECT max(id) FROM search_data)'],
  ['has an unreadable structure', "UPDATE search_data SET block = x'ff' WHERE id = 10"],
  ['has an unreadable page', "UPDATE search_data SET block = x'00ff00ff00' WHERE id > 10"],
])('A search index that %s is reported, the log works, and a rebuild heals it', async (_what, sql) => {
  folder.tamper(sql);
  expect(problems()).toEqual(['projection table search']);
  const log = await folder.open();
  expect(await log.append([note(1, 'later', { orderNumber: 'CF-9' })])).toMatchObject({ ok: true });
  expect(await log.files?.copyTo(`${folder.file}.copy`)).toMatchObject({ ok: true });
  expect(await log.rebuild()).toEqual({ ok: true, value: undefined });
  expect((await log.list(filter({ words: 'later' }), null, 5)).rows).toHaveLength(1);
  expect((await log.verify()).problems).toEqual([]);
});

test('The application log says that the settings of the search index were damaged', async () => {
  const reports: string[] = [];
  setFailureSink(({ message }) => reports.push(message));
  folder.tamper('DELETE FROM search_config');
  await startWriter(folder.file);
  setFailureSink(() => undefined);
  expect(reports).toEqual(['The settings of the search index were damaged. The index was rebuilt.']);
});

test.each([
  ['missing settings', 'DELETE FROM search_config'],
  ['a false version', "UPDATE search_config SET v = 3 WHERE k = 'version'"],
  ['a foreign setting', "INSERT INTO search_config VALUES ('rank', 'bm25(9)')"],
])('A search index with %s is reported, and made right when the log is opened', async (_what, sql) => {
  folder.tamper(sql);
  expect(problems()).toEqual(['projection table search_config']);
  expect(await startWriter(folder.file)).toEqual({ type: 'ready' });
  expect(problems()).toEqual([]);
  expect(found('chair')).toBe(180);
});

test('A rebuild of the list restores settings that were damaged while the log is open', async () => {
  const log = await folder.open();
  folder.tamper('DELETE FROM search_config');
  expect((await log.verify()).problems).toMatchObject([{ at: { name: 'search_config' } }]);
  expect(await log.files?.copyTo(`${folder.file}.copy`)).toMatchObject({ ok: true });
  expect(await log.rebuild()).toEqual({ ok: true, value: undefined });
  expect((await log.verify()).problems).toEqual([]);
});
