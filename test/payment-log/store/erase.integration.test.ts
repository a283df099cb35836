import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { useLog } from '../../../tools/app-harness/use-log.ts';
import { fileIdentity, readChainEnd } from '../../../main/payment-log/sqlite/files/chain-end.ts';
import { listFileOf } from '../../../main/payment-log/sqlite/list/list-file.ts';
import { verifyFile } from '../../../main/payment-log/sqlite/worker/worker-client.ts';
import { beginErasure } from '../../../tools/app-harness/closed-log.ts';
import { callback, note, requested, start } from '../../../tools/evidence/evidence.ts';
import { filter } from '../../../tools/app-harness/running-payment-log.ts';

const used = useLog('test', { isClosed: true });

const jane = { name: 'Jane Quillfeather', email: 'jane.quillfeather@example.org' };
/** Whether a name is in any file of the log. */
const holds = (text: string): boolean =>
  readdirSync(dirname(used.folder.file)).some(name =>
    readFileSync(join(dirname(used.folder.file), name)).includes(text),
  );

/** Whether three letters are in the search index, in use or left over. */
const indexed = (trigram: string): boolean => {
  const database = new Database(listFileOf(used.folder.file));
  database.exec("CREATE VIRTUAL TABLE temp.terms USING fts5vocab (main, search, 'row')");
  const found = database.prepare('SELECT 1 FROM temp.terms WHERE term = ?').get(trigram);
  database.close();
  return found !== undefined;
};

/** Whether these bytes are in a page of the search index, also as words that only count as deleted. */
const inIndexPages = (text: string): boolean => {
  const database = new Database(listFileOf(used.folder.file));
  const found = database.prepare('SELECT 1 FROM search_data WHERE instr(block, CAST(? AS BLOB))').get(text);
  database.close();
  return found !== undefined;
};

const untilClean = (file: string): Promise<void> =>
  expect.poll(() => readChainEnd(file)?.clean, { timeout: 25_000 }).toEqual(fileIdentity(file));

test('erasing personal details removes them from the payment, the list, the search and the files, but nothing that was recorded later, and the chain still verifies', async () => {
  const log = await used.folder.open();
  await log.append([
    requested(0, { customer: jane, request: JSON.stringify({ customer: jane }) }),
    callback(1, 'sale', 'success', { customer_email: jane.email }),
    note(2, 'paid by phone'),
  ]);
  expect((await log.list(filter({ words: 'quillfeather' }), null, 10)).rows).toHaveLength(1);
  expect(holds('uillfeathe')).toBe(true);

  const eraseUntil = (before: number) => log.erase({ reason: 'retention', agent: 'console', before });
  expect(await eraseUntil(start)).toEqual({ ok: true, value: { payments: 0 } });
  expect((await log.payment('sandbox', 'CF-1001'))?.customer).toEqual(jane);
  expect(await eraseUntil(Date.now() + 1)).toEqual({ ok: true, value: { payments: 1 } });

  const payment = await log.payment('sandbox', 'CF-1001');
  expect(payment).toMatchObject({ amount: '123.40', state: 'paid-unconfirmed' });
  expect(payment?.customer?.email ?? '').toBe('');
  expect((await log.list(filter({ words: 'quillfeather' }), null, 10)).rows).toEqual([]);
  expect((await log.list(filter({ words: 'paid by phone' }), null, 10)).rows).toHaveLength(1);
  const events = await log.events('sandbox', 'CF-1001');
  expect(events.filter(event => event.kind === 'amended')).toMatchObject([
    { agent: 'console', body: { reason: 'retention', events: [events[0]?.id, events[1]?.id] } },
  ]);
  expect((await log.verify()).problems).toEqual([]);
  await log.close();
  expect(holds('uillfeathe')).toBe(false);
  expect(indexed('qui')).toBe(false);
  expect(indexed('pai')).toBe(true);
});

test('erasing personal details on request affects only one order, records the agent, and persists, as do later details', async () => {
  const log = await used.folder.open();
  const other = { orderNumber: 'CF-2002' };
  await log.append([
    requested(0, { customer: jane }),
    requested(0, { customer: jane, idempotencyKey: crypto.randomUUID() }, other),
  ]);
  await log.erase({ reason: 'request', agent: 'Ada', profileId: 'sandbox', orderNumbers: ['CF-1001'] });
  expect((await log.events('sandbox', 'CF-1001')).at(-1)).toMatchObject({ kind: 'amended', agent: 'Ada' });
  expect((await log.payment('sandbox', 'CF-2002'))?.customer).toEqual(jane);
  await log.append([callback(9, 'sale', 'success', { customer_email: 'new@example.org' })]);
  await log.close();
  const again = await used.folder.open();
  expect((await again.list(filter({ words: 'new@example.org' }), null, 10)).rows).toHaveLength(1);
  expect((await again.verify()).problems).toEqual([]);
});

test('erasing personal details continues over any number of events, and callbacks without an order number', async () => {
  const log = await used.folder.open();
  const drafts = Array.from({ length: 1_200 }, (_, index) =>
    requested(
      index,
      { customer: jane, idempotencyKey: crypto.randomUUID() },
      { orderNumber: index % 100 === 0 ? null : `N-${index}` },
    ),
  );
  await log.append(drafts);
  const erased = await log.erase({ reason: 'retention', agent: 'console', before: Date.now() + 1 });
  expect(erased.ok).toBe(true);
  expect((await log.verify()).problems).toEqual([]);
  await log.close();
  expect(holds('uillfeathe')).toBe(false);
});

const erasure = {
  reason: 'request',
  agent: 'Ada',
  profileId: 'sandbox',
  orderNumbers: ['CF-1001'],
} as const;
const orders = Array.from({ length: 50 }, (_, index) =>
  note(index, `call ${crypto.randomUUID()}`, { orderNumber: `CF-${index}` }),
);

test('an erasure that was interrupted is completed by the next start: erased words leave the search index', async () => {
  const before = await used.folder.open();
  await before.append([requested(0, { customer: { name: 'Xqzwilla' } })]);
  await before.counts(null);
  await before.append(orders);
  await before.counts(null);
  await before.close();
  await beginErasure(used.folder.file, erasure);
  expect(inIndexPages('xqz')).toBe(true);
  expect(readChainEnd(used.folder.file)?.clean).toBe(null);
  const log = await used.folder.open();
  await untilClean(used.folder.file);
  await expect.poll(() => inIndexPages('xqz'), { timeout: 25_000 }).toBe(false);
  expect((await log.verify()).problems).toEqual([]);
  await log.close();
  expect(holds('qzwilla')).toBe(false);
});

test('a long read does not hold up an erasure, and its traces go when it ends', async () => {
  const log = await used.folder.open();
  await log.append([requested(0, { customer: jane })]);
  await log.counts(null);
  const reading = new Database(used.folder.file, { readonly: true });
  reading.exec('BEGIN; SELECT count(*) FROM event');
  reading.prepare('SELECT count(*) FROM event').get();
  await log.erase({ reason: 'retention', agent: 'console', before: Date.now() + 1 });
  // Otherwise it would wait for the end of the read.
  expect(readChainEnd(used.folder.file)?.clean).toBe(null);
  reading.exec('COMMIT');
  reading.close();
  await untilClean(used.folder.file);
  expect(holds('uillfeathe')).toBe(false);
});

test('a copy of the log made while the log is written is one valid file, with the state of the log at one instant', async () => {
  const log = await used.folder.open();
  await log.append(Array.from({ length: 2_000 }, (_, at) => note(at, `number ${at}`)));
  const copy = join(dirname(used.folder.file), 'copy.db');
  const copying = new AbortController();
  const writes = (async () => {
    let written = 0;
    while (!copying.signal.aborted) written += (await log.append([note(written, 'meanwhile')])).ok ? 1 : 0;
    return written;
  })();
  const copied = await log.files?.copyTo(copy);
  copying.abort();
  const written = await writes;
  expect(copied).toMatchObject({ ok: true });
  expect(written).toBeGreaterThan(0);
  const report = await verifyFile(copy);
  expect(report).toMatchObject({ ok: true, value: { problems: [], payments: 1 } });
  if (report.ok) expect(report.value.events).toBeGreaterThanOrEqual(2_000);
  expect(readdirSync(dirname(copy)).filter(name => name.startsWith(basename(copy)))).not.toContain(
    'copy.db.part',
  );
});

test('a copy of the log that cannot be written is reported, and leaves nothing behind', async () => {
  const log = await used.folder.open();
  await log.append([note(0, 'one')]);
  const nowhere = join(dirname(used.folder.file), 'no such folder', 'copy.db');
  expect(await log.files?.copyTo(nowhere)).toMatchObject({ ok: false, error: { code: 'file.unwritable' } });
  expect(readdirSync(dirname(used.folder.file))).not.toContain('no such folder');
});
