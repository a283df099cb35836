import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { fail, ok, type Result } from '../../shared/errors.ts';
import { msg } from '../../shared/messages/message.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';
import { unwritableFile } from '../files/unwritable-file.ts';
import { replaceFile, temporaryName } from '../files/replace-file.ts';
import type { Column } from './columns.ts';
import { csvHeader, csvRow } from './csv.ts';
import { maxSheetRows, xlsxBytes } from './xlsx.ts';

/** Rows of one page of an export: few enough that the main thread writes them without a noticeable delay. */
export const exportPageRows = 50;

export type ExportFormat = 'csv' | 'jsonl' | 'xlsx';

const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';

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
 * Exports a selection, page by page, into `file`; the file appears whole or not at all. `next` returns one page of
 * rows for a cursor; `columns` are those of a table (JSON Lines contain whole rows); `zone` is the IANA time zone of
 * a sheet's times, by default this PC's. Returns the number of payments. Errors: `log.full`, `file.unwritable`,
 * `file.in-use`, `gateway.cancelled` if `signal` was aborted, `input.invalid` if a sheet cannot hold the rows.
 */
export const exportPayments = async <R extends PaymentRow>(options: {
  file: string;
  format: ExportFormat;
  columns: readonly Column<R>[];
  next: (cursor: string | null) => Promise<{ rows: readonly R[]; next: string | null }>;
  now: number;
  zone?: string;
  signal?: AbortSignal;
  onProgress?: (written: number) => void;
  /** Moves the finished file to its path; tests let it fail. */
  replace?: (from: string, to: string) => Promise<void>;
}): Promise<Result<{ written: number }>> => {
  const { file, format, columns, next, now, signal, onProgress, replace = replaceFile } = options;
  const zone = options.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (await isInUse(file)) return inUse();
  const part = temporaryName(file);
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
  const texts = async function* (): AsyncGenerator<string> {
    // A byte order mark, so that spreadsheets read the file as UTF-8.
    if (format === 'csv') yield `\uFEFF${csvHeader(columns)}`;
    for await (const rows of pages())
      yield rows
        .map(row => (format === 'csv' ? csvRow(row, columns, now) : `${JSON.stringify(row)}\n`))
        .join('');
  };
  try {
    if (format === 'xlsx') {
      const rows: R[] = [];
      for await (const page of pages()) {
        rows.push(...page);
        if (rows.length >= maxSheetRows) {
          return fail('input.invalid', msg('export.too-many', { max: maxSheetRows - 1 }), {
            hint: msg('export.too-many.hint'),
          });
        }
      }
      await writeStream(part, [await xlsxBytes(rows, columns, now, zone)]);
    } else {
      await writeStream(part, texts());
    }
    signal?.throwIfAborted();
    await replace(part, file).catch((thrown: unknown) =>
      Promise.reject(
        new NotReplaced('The finished file could not be moved to its folder.', { cause: thrown }),
      ),
    );
    return ok({ written });
  } catch (error) {
    await rm(part, { force: true });
    if (signal?.aborted) return fail('gateway.cancelled', msg('export.stopped'));
    if (error instanceof NotReplaced && ['EBUSY', 'EPERM', 'EACCES'].includes(codeOf(error.cause)))
      return inUse();
    if (codeOf(error) === 'ENOSPC') {
      return fail('file.no-room', msg('export.disk-full'), { hint: msg('export.disk-full.hint') });
    }
    return unwritableFile(codeOf(error));
  }
};
