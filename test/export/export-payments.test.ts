import { readFileSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columns } from '../../main/export/columns.ts';
import { cellText, csvCell, csvRecord } from '../../main/export/csv.ts';
import { exportPayments } from '../../main/export/export-payments.ts';
import { LogFailure } from '../../main/payment-log/log-failures.ts';
import { msg } from '../../shared/messages/message.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';
import { createReportContext, type ReportContext } from '../../main/export/report-context.ts';
import { context, exportedRow, given, pages } from './exported-payments.ts';
import { readCsv } from './read-csv.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';

const folder = newFolder('export');

const shownIn = (id: string, row: PaymentRow, of: ReportContext): string =>
  cellText(columns.find(column => column.id === id)?.cell(row, of) ?? null, of);

/** The open files of this process, if the system lists them. */
const openFiles = (): string[] =>
  process.platform === 'linux'
    ? readdirSync('/proc/self/fd').flatMap(handle => {
        try {
          return [readlinkSync(`/proc/self/fd/${handle}`)];
        } catch {
          return [];
        }
      })
    : [];

/**
 * Whether a spreadsheet would run a cell: a formula's character at its beginning, or after skipped
 * characters.
 */
const isFormula = (cell: string): boolean =>
  /^[=+\-@]/.test(cell.replace(/^[\s\p{Cf}\p{Cc}]+/u, '').normalize('NFKC'));

test('any text survives a CSV cell except for apostrophes before formulas, and none is a formula or holds what a terminal obeys', () => {
  const pieces = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '=',
      '＝',
      '＋',
      '－',
      '＠',
      '﹣',
      '-',
      '@',
      ';',
      '\t',
      '\n',
      '\u200b',
      '\u00a0',
      ' ',
      "'",
      '1+1',
    ),
  );
  const text = fc.array(pieces, { maxLength: 6 }).map(parts => parts.join(''));
  fc.assert(
    fc.property(fc.array(text, { minLength: 1 }), texts => {
      const record = csvRecord(texts);
      const cells = readCsv(record)[0] ?? [];
      const plain = (text: string): string =>
        text.replaceAll("'", '').replaceAll(/(?![\t\r\n])\p{Cc}/gu, '\u{FFFD}');
      expect(cells.map(plain)).toEqual(texts.map(plain));
      expect(cells.filter(isFormula)).toEqual([]);
      // Many spreadsheets split at semicolons or line breaks in any file; a terminal obeys control characters.
      for (const cell of texts.map(csvCell)) {
        expect(cell.split(/[;\t\r\n]/).filter(isFormula)).toEqual([]);
        expect(cell).not.toMatch(/(?![\t\r\n])\p{Cc}/u);
      }
    }),
  );
});

test('a cell of a million spaces is written in linear time', () => {
  const blanks = '\t '.repeat(500_000);
  expect(csvCell(blanks)).toHaveLength(blanks.length + 3);
});

test('a CSV export contains every payment of every page under its headings', async () => {
  const file = join(folder, 'all.csv');
  expect(await exportPayments({ file, content: 'csv', columns, context, next: pages(450, 200) })).toEqual({
    ok: true,
    value: { written: 450 },
  });
  const records = readCsv(readFileSync(file, 'utf8').replace('\uFEFF', ''));
  expect(records[0]).toEqual(columns.map(({ id }) => id));
  expect(records).toHaveLength(451);
  expect(records[450]?.[2]).toBe('A-449');
  expect(records[1]).toContain('Müller, "Jo"\nline');
});

/** What only the window needs. */
const notExported: readonly (keyof PaymentRow)[] = ['customerFrom', 'dispute', 'events', 'pendingSince'];

test('every fact of the list is in the export, or named here as left out', () => {
  const read = new Set<string | symbol>();
  const row = new Proxy(exportedRow(1), {
    get: (of, name) => {
      read.add(name);
      return Reflect.get(of, name) as unknown;
    },
  });
  for (const readers of ['people', 'programs'] as const) {
    const report = createReportContext({ ...given, readers });
    for (const { cell } of columns) cell(row, report);
  }
  const left = (Object.keys(exportedRow(1)) as (keyof PaymentRow)[]).filter(name => !read.has(name));
  expect(left.sort()).toEqual([...notExported].sort());
});

test('JSON Lines contain one payment a line, and no link', async () => {
  const file = join(folder, 'all.jsonl');
  await exportPayments({ file, content: 'jsonl', columns, context, next: pages(3, 2) });
  const rows = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(text => JSON.parse(text) as PaymentRow);
  expect(rows.map(one => one.orderNumber)).toEqual(['A-0', 'A-1', 'A-2']);
  expect(rows[0]).not.toHaveProperty('link');
});

test('the state column shows people what the list shows, and programs the state', () => {
  const twice: PaymentRow = { ...exportedRow(0), flags: [{ kind: 'settled-twice', values: {}, events: [] }] };
  const people = createReportContext({ ...given, readers: 'people' });
  expect(shownIn('state', exportedRow(0), people)).toBe('Paid');
  expect(shownIn('state', twice, people)).toBe('Paid twice');
  expect(shownIn('state', twice, context)).toBe('paid-confirmed');
});

test('JSON Lines name the state and the link at the instant of the export, as the CSV does', async () => {
  const [one] = (await pages(1, 1)(null)).rows;
  const row: PaymentRow = { ...(one as PaymentRow), state: 'waiting', linkUsable: true, expiresAt: 5000 };
  for (const [now, state, linkUsable] of [
    [4999, 'waiting', true],
    [5000, 'expired', false],
  ] as const) {
    const read = async (content: 'csv' | 'jsonl'): Promise<string> => {
      const file = join(folder, `instant-${now}.${content}`);
      const next = () => Promise.resolve({ rows: [row], next: null });
      await exportPayments({ file, content, columns, context: { ...context, now }, next });
      return readFileSync(file, 'utf8');
    };
    expect(JSON.parse(await read('jsonl'))).toMatchObject({ state, linkUsable, asOf: now });
    expect(readCsv(await read('csv'))[1]).toContain(state);
  }
});

test('a file that another program has open is unchanged, and the message asks the user to close it there', async () => {
  const file = join(folder, 'open.csv');
  writeFileSync(file, 'what is there');
  for (const code of ['EBUSY', 'EPERM', 'EACCES']) {
    const result = await exportPayments({
      file,
      content: 'csv',
      columns,
      context,
      next: pages(3, 2),
      replace: () => Promise.reject(Object.assign(new Error(code), { code })),
    });
    expect(result).toMatchObject({ ok: false, error: { code: 'file.in-use' } });
  }
  expect(readFileSync(file, 'utf8')).toBe('what is there');
  expect(readdirSync(folder).filter(name => name.startsWith('open.csv'))).toEqual(['open.csv']);
});

test('an export that cannot be written is reported and leaves nothing behind', async () => {
  const result = await exportPayments({
    file: join(folder, 'no', 'such', 'x.csv'),
    content: 'csv',
    columns,
    context,
    next: pages(1, 1),
  });
  expect(result).toMatchObject({ ok: false, error: { code: 'file.unwritable' } });
});

test('an export whose payments cannot be read says so, and does not blame the file', async () => {
  const unreadable = new LogFailure({ code: 'log.corrupt', message: msg('payment-log.corrupt') });
  const result = await exportPayments({
    file: join(folder, 'unread.csv'),
    content: 'csv',
    columns,
    context,
    next: cursor => (cursor === null ? pages(2, 1)(cursor) : Promise.reject(unreadable)),
  });
  expect(result).toMatchObject({ ok: false, error: { code: 'log.corrupt' } });
  expect(readdirSync(folder).filter(name => name.startsWith('unread'))).toEqual([]);
});

test.each(['csv', 'jsonl', 'pdf'] as const)(
  'a %s export that is cancelled, or whose pages fail, leaves no file and no open handle',
  async format => {
    const stop = new AbortController();
    const file = join(folder, `stopped.${format}`);
    // The file is written page by page: its handle is open when the cancellation comes.
    const isOpen = (): boolean => openFiles().some(name => name.startsWith(file));
    const isSeen = process.platform === 'linux' && format !== 'pdf';
    const untilOpen = async (): Promise<void> => {
      while (!isOpen()) await setImmediate();
    };
    const ended = (signal?: AbortSignal) =>
      exportPayments({
        file,
        content: format === 'pdf' ? async () => Buffer.from('a statement') : format,
        columns,
        context,
        next: async cursor => {
          if (isSeen && cursor !== null) await untilOpen();
          if (signal === undefined && cursor === '30') throw new Error('the log is gone');
          return pages(100, 10)(cursor);
        },
        ...(signal ? { signal } : {}),
        onProgress: written => {
          if (signal && written === 30) stop.abort();
        },
      });
    expect(await ended(stop.signal)).toMatchObject({ ok: false, error: { code: 'gateway.cancelled' } });
    expect(isOpen()).toBe(false);
    expect(await ended()).toMatchObject({ ok: false, error: { code: 'file.unwritable' } });
    expect(isOpen()).toBe(false);
    expect(readdirSync(folder).filter(name => name.startsWith('stopped'))).toEqual([]);
  },
);

test('a table for people contains no character that turns its line around, and one for programs what was received', () => {
  const turned = { ...exportedRow(1), description: 'Tickets \u{202E}gnirts' };
  const cell = (readers: 'people' | 'programs'): string =>
    shownIn('description', turned, { ...context, readers });
  expect(cell('people')).toBe('Tickets \u{FFFD}gnirts');
  expect(cell('programs')).toBe('Tickets \u{202E}gnirts');
});
