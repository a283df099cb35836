import { readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { columns } from '../../main/export/columns.ts';
import { exportPayments, writeWhole } from '../../main/export/export-payments.ts';
import { writeWorkbook } from '../../main/export/workbook-thread.ts';
import { ok } from '../../shared/errors.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { value } from '../../tools/app-harness/running-app.ts';
import { context, exportedRow, pages } from './exported-payments.ts';
import { readSheet } from './read-sheet.ts';

const folder = newFolder('workbook');

const count = 4_000;
const file = join(folder, 'out.xlsx');
const inFolder = (): string[] => readdirSync(folder);

type Options = Parameters<typeof exportPayments>[0];
const exported = (options: Partial<Options> = {}) =>
  exportPayments({
    file,
    content: { sheetsAfter: () => [] },
    columns,
    context,
    // Like the payment log, whose pages arrive as messages of a thread.
    next: async cursor => {
      await setImmediate();
      return pages(count, 50)(cursor);
    },
    ...options,
  });

test('a workbook of thousands of payments is packed by a thread, for its owner alone', async () => {
  expect(value(await exported()).written).toBe(count);
  expect(readSheet(readFileSync(file))).toHaveLength(count + 1);
  expect(inFolder()).toEqual(['out.xlsx']);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  rmSync(file);
});

test('a workbook that is cancelled while its payments are read or packed leaves no file', async () => {
  for (const isPacking of [false, true]) {
    const stop = new AbortController();
    const abort = async (): Promise<void> => {
      await setImmediate();
      stop.abort();
    };
    const onProgress = (written: number): void => {
      if (written === (isPacking ? count : 100)) void abort();
    };
    expect(await exported({ signal: stop.signal, onProgress })).toMatchObject({
      ok: false,
      error: { code: 'gateway.cancelled' },
    });
    expect(inFolder()).toEqual([]);
  }
});

test('a workbook whose payments cannot be read, or whose folder is missing, is an error and leaves no file', async () => {
  const unwritable = { ok: false, error: { code: 'file.unwritable' } };
  const next: Options['next'] = cursor =>
    cursor === '100' ? Promise.reject(new Error('the log is gone')) : pages(count, 50)(cursor);
  expect(await exported({ next })).toMatchObject(unwritable);
  expect(await exported({ file: join(folder, 'no', 'out.xlsx'), next: pages(1, 1) })).toMatchObject(
    unwritable,
  );
  expect(inFolder()).toEqual([]);
});

test('more payments than a workbook holds are refused with the number, and leave no file', async () => {
  const rows = Array.from({ length: 200_001 }, () => exportedRow(0));
  const next = () => Promise.resolve({ rows, next: null });
  expect(await exported({ next })).toMatchObject({
    ok: false,
    error: { code: 'input.invalid', message: { key: 'export.too-many', values: { max: 200_000 } } },
  });
  expect(inFolder()).toEqual([]);
});

test('a thread that ends before the workbook is packed is an error and leaves no file', async () => {
  const written = await writeWhole(file, part =>
    writeWorkbook(part, async workbook => {
      workbook.addSheet({ name: 'Payments', header: [], rows: [], hasFilter: false });
      // A cell that cannot be converted ends the thread.
      while (workbook.addRows([[{ kind: 'time', at: 0, zone: 'no zone' }]])) await setImmediate();
      return ok(undefined);
    }),
  );
  expect(written).toMatchObject({ ok: false, error: { code: 'internal' } });
  expect(inFolder()).toEqual([]);
});
