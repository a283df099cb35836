import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { columns } from '../../main/export/columns.ts';
import { exportPayments } from '../../main/export/export-payments.ts';
import { tableOf } from '../../main/export/payment-sheets.ts';
import { createWorkbook } from '../../main/export/workbook.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { value } from '../../tools/app-harness/running-app.ts';
import { context, pages } from '../export/exported-payments.ts';

const folder = newFolder('workbook');

const count = 4_000;

type Content = Parameters<typeof exportPayments>[0]['content'];
const onThread: Content = { sheetsAfter: () => [] };
const onThisThread: Content = rows => {
  const workbook = createWorkbook();
  const { sheet, cells } = tableOf('export.sheet.payments', columns, context);
  workbook.addSheet({ ...sheet, rows: cells(rows) });
  return workbook.bytes();
};

/** The longest time that the event loop of this thread is blocked by an export, nanoseconds. */
const longestBlock = async (content: Content): Promise<number> => {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const file = join(folder, 'out.xlsx');
  // Like the payment log, whose pages arrive as messages of a thread.
  const next = async (cursor: string | null) => {
    await setImmediate();
    return pages(count, 50)(cursor);
  };
  expect(value(await exportPayments({ file, content, columns, context, next })).written).toBe(count);
  delay.disable();
  rmSync(file);
  return delay.max;
};

test('the main thread is not blocked while a workbook of thousands of payments is packed', async () => {
  const packing = await longestBlock(onThisThread);
  const blocks: number[] = [];
  // Other work on the machine delays this thread too, but hardly every time.
  while (blocks.length < 3) blocks.push(await longestBlock(onThread));
  expect(Math.min(...blocks) / packing).toBeLessThan(1 / 8);
});
