import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { rename, rm } from 'node:fs/promises';
import { fail, ok, type Result } from '../../shared/errors.ts';
import type { PaymentRow } from '../../shared/payment.ts';
import type { Column } from './columns.ts';
import { csvHeader, csvRow } from './csv.ts';
import { writeXlsx } from './xlsx.ts';

export type ExportFormat = 'csv' | 'jsonl' | 'xlsx';

/** A sheet of more rows than this cannot be opened by common spreadsheet programs. */
const sheetRows = 1_048_575;

/**
 * Exports a selection, page by page, into `file`; the file appears whole or not at all.
 * `next` gives one page of rows for a cursor; `columns` are those of a table (JSON Lines hold whole rows). Returns how many payments were written.
 * Errors: `log.full`, `file.unwritable`, `gateway.cancelled` when `signal` was aborted, `input.invalid` when a sheet cannot hold the rows.
 */
export const exportPayments = async <R extends PaymentRow>(options: {
  file: string;
  format: ExportFormat;
  columns: readonly Column<R>[];
  next: (cursor: string | null) => Promise<{ rows: readonly R[]; next: string | null }>;
  now: number;
  signal?: AbortSignal;
  onProgress?: (written: number) => void;
}): Promise<Result<{ written: number }>> => {
  const { file, format, columns, next, now, signal, onProgress } = options;
  const part = `${file}.part`;
  const line = (row: R): string =>
    format === 'csv' ? csvRow(row, columns, now) : `${JSON.stringify(row)}\n`;
  let written = 0;
  const pages = async function* (): AsyncGenerator<readonly R[]> {
    let cursor: string | null = null;
    do {
      signal?.throwIfAborted();
      const page = await next(cursor);
      written += page.rows.length;
      onProgress?.(written);
      yield page.rows;
      cursor = page.next;
    } while (cursor !== null);
  };
  try {
    if (format === 'xlsx') {
      const rows: R[] = [];
      for await (const page of pages()) {
        rows.push(...page);
        if (rows.length > sheetRows) {
          return fail('input.invalid', `A spreadsheet holds at most ${sheetRows} payments.`, {
            hint: 'Narrow the selection, or export as CSV.',
          });
        }
      }
      await writeXlsx(part, rows, columns, now);
    } else {
      const stream = createWriteStream(part, { encoding: 'utf8' });
      await once(stream, 'open');
      const failed = once(stream, 'error').then(([error]) => Promise.reject(error as Error));
      // Raced below; a failure after the end must not surface by itself.
      failed.catch(() => undefined);
      // A byte order mark, so that spreadsheets read the file as UTF-8.
      if (format === 'csv') stream.write(`\uFEFF${csvHeader(columns)}`);
      for await (const page of pages()) {
        const text = page.map(line).join('');
        if (!stream.write(text)) await Promise.race([once(stream, 'drain'), failed]);
      }
      stream.end();
      await Promise.race([once(stream, 'close'), failed]);
    }
    await rename(part, file);
    return ok({ written });
  } catch (error) {
    await rm(part, { force: true });
    if (signal?.aborted) return fail('gateway.cancelled', 'The export was stopped; no file was left behind.');
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOSPC') {
      return fail('log.full', 'The disk is full: the export was not finished and its file was removed.', {
        hint: 'Free some space, or choose another folder.',
      });
    }
    return fail('file.unwritable', 'The export could not be written there.', {
      hint: 'Choose another folder: this one may be missing or protected.',
    });
  }
};
