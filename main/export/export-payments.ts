import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { codeOf, fail, ok, type Result } from '../../shared/errors.ts';
import { msg } from '../../shared/messages/message.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';
import { paymentAt } from '../../shared/payment-reducer/state-at.ts';
import { LogFailure } from '../payment-log/log-failures.ts';
import { replaceFile, temporaryName, unwritableFile } from '../files/replace-file.ts';
import { totalsCounter, type CurrencyTotals } from './books.ts';
import type { Column } from './columns.ts';
import type { ReportContext } from './report-context.ts';
import { csvOf } from './csv.ts';
import { movementColumns, movementRows } from './movement-columns.ts';
import { tableOf } from './payment-sheets.ts';
import { maxWorkbookRows, type Sheet } from './sheet.ts';
import { writeWorkbook } from './workbook-thread.ts';

/** Rows of one page of an export: few enough that the main thread writes them without a noticeable delay. */
export const exportPageRows = 25;

/** Characters of one write: each one hands the processor to another thread. */
const writeChars = 256 * 1024;

const inUse = () => fail('file.in-use', msg('error.file.in-use'), { hint: msg('hint.file.in-use') });

/** Whether another program has locked the file; checked before any payment is read. */
const isInUse = async (file: string): Promise<boolean> => {
  try {
    const handle = await open(file, 'r+');
    await handle.close();
    return false;
  } catch (thrown) {
    return codeOf(thrown) === 'EBUSY';
  }
};

/** Writes a new file and flushes it. Rejects once its handle is closed, so that it can be removed on every system. */
const writeStream = async (
  file: string,
  content: AsyncIterable<string> | Iterable<Uint8Array>,
): Promise<void> => {
  const stream = createWriteStream(file, { encoding: 'utf8', flags: 'wx', mode: 0o600, flush: true });
  try {
    await pipeline(content, stream);
  } finally {
    if (!stream.closed) await once(stream, 'close');
  }
};

/** The finished export could not be moved to its path; `cause` is the reason. */
class NotReplaced extends Error {}

/**
 * Writes a file whole or not at all. `write` gets the name of a temporary file beside it. Errors: `file.unwritable`,
 * `file.in-use`, `file.no-room`, `gateway.cancelled` if `signal` was aborted, and those of `write` and of the log.
 */
export const writeWhole = async <T>(
  file: string,
  write: (part: string) => Promise<Result<T>>,
  /** `replace` moves the finished file to its path; tests let it fail. */
  { signal, replace = replaceFile }: { signal?: AbortSignal; replace?: typeof replaceFile } = {},
): Promise<Result<T>> => {
  if (await isInUse(file)) return inUse();
  const part = temporaryName(file);
  try {
    const written = await write(part);
    signal?.throwIfAborted();
    if (!written.ok) {
      await rm(part, { force: true });
      return written;
    }
    await replace(part, file).catch((thrown: unknown) =>
      Promise.reject(
        new NotReplaced('The finished file could not be moved to its folder.', { cause: thrown }),
      ),
    );
    return written;
  } catch (error) {
    await rm(part, { force: true });
    if (signal?.aborted) return fail('gateway.cancelled', msg('export.stopped'));
    if (error instanceof LogFailure) return { ok: false, error: error.error };
    if (error instanceof NotReplaced && ['EBUSY', 'EPERM', 'EACCES'].includes(codeOf(error.cause)))
      return inUse();
    if (codeOf(error) === 'ENOSPC')
      return fail('file.no-room', msg('export.disk-full'), { hint: msg('export.disk-full.hint') });
    return unwritableFile(codeOf(error));
  }
};

/** `writeWhole` for bytes that are made at once. */
export const writeBytes = (
  file: string,
  bytes: () => Promise<Uint8Array>,
  options: Parameters<typeof writeWhole>[2] = {},
): Promise<Result<undefined>> =>
  writeWhole(
    file,
    async part => {
      await writeStream(part, [await bytes()]);
      return ok(undefined);
    },
    options,
  );

/** `writeWhole` for a workbook of these sheets. */
export const writeSheets = (file: string, sheets: readonly Sheet[]): Promise<Result<undefined>> =>
  writeWhole(file, part =>
    writeWorkbook(part, async workbook => {
      for (const sheet of sheets) workbook.addSheet(sheet);
      return ok(undefined);
    }),
  );

/** A workbook: the sheets of the payments and of their movements, and those that need the totals of all of them. */
export type WorkbookContent = { sheetsAfter: (totals: readonly CurrencyTotals[]) => readonly Sheet[] };

const tooMany = () =>
  fail('input.invalid', msg('export.too-many', { max: maxWorkbookRows }), {
    hint: msg('export.too-many.hint'),
  });

/** A row as it is at the instant of the export, which the line names: a link expires by the clock alone (§3.3). */
const jsonLine = (row: PaymentRow, now: number): string =>
  `${JSON.stringify({ ...paymentAt(row, now), asOf: now })}\n`;

/**
 * Exports a selection into `file`, completely or not at all. `next` returns one page of rows for a cursor. `content`:
 * a table with `columns`, one of movements, or whole rows, written page by page; a workbook, packed on a thread; or the bytes of all rows
 * at once. Returns the number of payments. Errors: those of `writeWhole` and of the log, `input.invalid` if a workbook cannot
 * hold the rows, and `internal` if the workbook could not be packed.
 */
export const exportPayments = <R extends PaymentRow>(options: {
  file: string;
  content:
    | 'csv'
    | 'csv-movements'
    | 'jsonl'
    | WorkbookContent
    | ((rows: readonly R[]) => Promise<Uint8Array>);
  columns: readonly Column<R>[];
  context: ReportContext;
  next: (cursor: string | null) => Promise<{ rows: readonly R[]; next: string | null }>;
  signal?: AbortSignal;
  onProgress?: (written: number) => void;
  replace?: typeof replaceFile;
}): Promise<Result<{ written: number }>> => {
  const { file, content, context, next, signal, onProgress, replace = replaceFile } = options;
  const payments = tableOf('export.sheet.payments', options.columns, context);
  const movements = tableOf('export.sheet.movements', movementColumns, context);
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
  const text = (): { head: string; lines: (rows: readonly R[]) => string } => {
    if (content === 'jsonl')
      return { head: '', lines: rows => rows.map(row => jsonLine(row, context.now)).join('') };
    const { head, lines } = csvOf((content === 'csv' ? payments : movements).sheet, context);
    return content === 'csv'
      ? { head, lines: rows => lines(payments.cells(rows)) }
      : { head, lines: rows => lines(movements.cells(movementRows(rows, context))) };
  };
  const texts = async function* (): AsyncGenerator<string> {
    const { head, lines } = text();
    let written = head;
    for await (const rows of pages()) {
      written += lines(rows);
      if (written.length < writeChars) continue;
      yield written;
      written = '';
    }
    yield written;
  };
  const writeSheets = (part: string, { sheetsAfter }: WorkbookContent) =>
    writeWorkbook<{ written: number }>(
      part,
      async workbook => {
        const totals = totalsCounter(context.period, context.dayOf);
        let moved = 0;
        workbook.addSheet(payments.sheet);
        workbook.addSheet(movements.sheet);
        for await (const rows of pages()) {
          const moves = movementRows(rows, context);
          moved += moves.length;
          if (written > maxWorkbookRows || moved > maxWorkbookRows) return tooMany();
          for (const row of rows) totals.add(row);
          workbook.addRows(payments.cells(rows), 0);
          if (!workbook.addRows(movements.cells(moves), 1)) break;
        }
        for (const sheet of sheetsAfter(totals.read())) workbook.addSheet(sheet);
        return ok({ written });
      },
      signal,
    );
  const write = async (part: string): Promise<Result<{ written: number }>> => {
    if (typeof content === 'string') {
      await writeStream(part, texts());
      return ok({ written });
    }
    if (typeof content === 'object') return writeSheets(part, content);
    const rows: R[] = [];
    for await (const page of pages()) rows.push(...page);
    await writeStream(part, [await content(rows)]);
    return ok({ written });
  };
  return writeWhole(file, write, { replace, ...(signal ? { signal } : {}) });
};
