import { mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { columns } from '../../main/export/columns.ts';
import { csvCell, csvRecord } from '../../main/export/csv.ts';
import { exportPayments } from '../../main/export/export-payments.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';
import { readSheet } from './read-sheet.ts';

const folder = mkdtempSync(join(tmpdir(), 'counterfoil-export-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const row = (number: number): PaymentRow => ({
  profileId: 'live',
  orderNumber: `A-${number}`,
  raisedHere: true,
  state: 'paid-confirmed',
  since: 1_700_000_000_000,
  amount: '10.00',
  currency: 'EUR',
  description: '=HYPERLINK("http://evil.example","pay")',
  customer: { name: 'Müller, "Jo"\nline', email: 'jo@example.com' },
  customerFrom: 'request',
  series: null,
  movements: [],
  expiresAt: null,
  reason: null,
  paidAt: null,
  linkUsable: false,
  paymentIds: [],
  flags: [],
  basis: null,
  cardLast4: '1111',
  firstAt: 1_700_000_000_000,
  lastAt: 1_700_000_000_000,
  agent: 'anna',
  events: 5,
});

/** Reads RFC 4180, independently of the writer. */
const readCsv = (text: string): string[][] => {
  const records: string[][] = [];
  let record: string[] = [];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (quoted) {
      if (character === '"' && text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else if (character === '"') quoted = false;
      else cell += character;
    } else if (character === '"') quoted = true;
    else if (character === ',') {
      record.push(cell);
      cell = '';
    } else if (character === '\r' && text[at + 1] === '\n') {
      records.push([...record, cell]);
      record = [];
      cell = '';
      at += 1;
    } else cell += character;
  }
  return records;
};

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

const pages = (count: number, size: number) => (cursor: string | null) => {
  const from = cursor === null ? 0 : Number(cursor);
  const rows = Array.from({ length: Math.min(size, count - from) }, (_, at) => row(from + at));
  return Promise.resolve({ rows, next: from + size < count ? String(from + size) : null });
};

/**
 * Whether a spreadsheet would run a cell: a formula's character at its beginning, or after skipped
 * characters.
 */
const isFormula = (cell: string): boolean =>
  /^[=+\-@]/.test(cell.replace(/^[\s\p{Cf}\p{Cc}]+/u, '').normalize('NFKC'));

test('any text survives a CSV cell except for apostrophes before formulas, and none is a formula', () => {
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
      expect(cells.map(cell => cell.replaceAll("'", ''))).toEqual(texts.map(one => one.replaceAll("'", '')));
      expect(cells.filter(isFormula)).toEqual([]);
    }),
  );
});

test('a description is no formula either in a spreadsheet that splits at semicolons or line breaks', () => {
  for (const description of ['shoes;=cmd|x;', 'shoes\n=1+1', 'shoes;\u200b＝1+1', 'shoes\t@SUM(A1)']) {
    const record = csvRecord(['sandbox', description, 'last']);
    expect(
      record
        .trimEnd()
        .split(/[;\t\r\n]/)
        .filter(isFormula),
    ).toEqual([]);
    expect(csvCell(description)).toMatch(/^"|\t/);
  }
});

test('a cell of a million spaces is written in linear time', () => {
  const blanks = '\t '.repeat(500_000);
  expect(csvCell(blanks)).toHaveLength(blanks.length + 3);
});

test('a CSV export contains every payment of every page under its headings', async () => {
  const file = join(folder, 'all.csv');
  expect(await exportPayments({ file, format: 'csv', columns, next: pages(450, 200), now: 0 })).toEqual({
    ok: true,
    value: { written: 450 },
  });
  const records = readCsv(readFileSync(file, 'utf8').replace('\uFEFF', ''));
  expect(records[0]).toEqual(columns.map(column => column.heading));
  expect(records).toHaveLength(451);
  expect(records[450]?.[1]).toBe('A-449');
  expect(records[1]).toContain('Müller, "Jo"\nline');
});

test('JSON Lines contain one payment a line, and no link', async () => {
  const file = join(folder, 'all.jsonl');
  await exportPayments({ file, format: 'jsonl', columns, next: pages(3, 2), now: 0 });
  const rows = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(text => JSON.parse(text) as PaymentRow);
  expect(rows.map(one => one.orderNumber)).toEqual(['A-0', 'A-1', 'A-2']);
  expect(rows[0]).not.toHaveProperty('link');
});

test('the time of a payment has a separate column', async () => {
  const file = join(folder, 'paid.csv');
  const paid = { ...row(1), paidAt: Date.UTC(2026, 10, 21, 23, 30) };
  await exportPayments({
    file,
    format: 'csv',
    columns,
    next: () => Promise.resolve({ rows: [paid], next: null }),
    now: 0,
  });
  const [heads = [], cells = []] = readCsv(readFileSync(file, 'utf8').replace('\uFEFF', ''));
  expect(cells[heads.indexOf('paid_at')]).toBe('2026-11-21T23:30:00.000+00:00');
});

test('an XLSX export is a table: amounts are numbers, times are dates in a stated zone, all else is text', async () => {
  const file = join(folder, 'all.xlsx');
  const rows: PaymentRow[] = [
    { ...row(0), amount: '1234.50', paidAt: Date.UTC(2026, 10, 21, 23, 30) },
    { ...row(1), amount: '1200', currency: 'JPY' },
    { ...row(2), amount: '12.345', currency: 'KWD' },
    { ...row(3), amount: 'ten', currency: 'EUR' },
    { ...row(4), amount: null, currency: null },
  ];
  const result = await exportPayments({
    file,
    format: 'xlsx',
    columns,
    next: () => Promise.resolve({ rows, next: null }),
    now: 0,
    zone: 'Europe/Berlin',
  });
  expect(result).toEqual({ ok: true, value: { written: 5 } });
  const sheet = readSheet(readFileSync(file));
  const at = (heading: string): number => sheet.rows[0]?.findIndex(({ value }) => value === heading) ?? -1;
  const column = (heading: string) => sheet.rows.slice(1).map(cells => cells[at(heading)]);
  expect(column('amount').map(cell => [cell?.value, cell?.format])).toEqual([
    ['1234.5', '#,##0.00'],
    ['1200', '#,##0'],
    ['12.345', '#,##0.000'],
    ['ten', null],
    ['', null],
  ]);
  const paidAt = at('paid_at (Europe/Berlin)');
  const [paid] = sheet.rows[1]?.slice(paidAt, paidAt + 1) ?? [];
  // Days since 1899-12-30, as sheets count them: half past midnight on 22 November in Berlin.
  const days = (Date.UTC(2026, 10, 22, 0, 30) - Date.UTC(1899, 11, 30)) / 86_400_000;
  expect(Number(paid?.value)).toBeCloseTo(days, 6);
  expect(paid?.format).toBe('yyyy-mm-dd hh:mm:ss');
  expect(column('order_number').map(cell => [cell?.value, cell?.isText])).toEqual(
    rows.map(({ orderNumber }) => [orderNumber, true]),
  );
  expect(column('description')[0]?.isText).toBe(true);
  expect(sheet.xml).not.toContain('<f>');
  expect(sheet.xml).toContain(`<autoFilter ref="A1:${String.fromCharCode(64 + columns.length)}6"/>`);
  expect(sheet.xml).toMatch(/<pane[^>]*state="frozen"/);
  expect(sheet.xml.match(/<col /g)).toHaveLength(columns.length);
});

test('an amount that is invalid for its currency stays as received, as text, and is in no sum', async () => {
  const rows: PaymentRow[] = [
    { ...row(0), amount: '83.47', currency: 'JPY' },
    { ...row(1), amount: '1200.00', currency: 'JPY' },
    { ...row(2), amount: '10.00', currency: 'XYZ' },
    { ...row(3), amount: '10.00', currency: null },
  ];
  const write = (format: 'csv' | 'xlsx', file: string) =>
    exportPayments({ file, format, columns, next: () => Promise.resolve({ rows, next: null }), now: 0 });
  const files = { csv: join(folder, 'unread.csv'), xlsx: join(folder, 'unread.xlsx') };
  expect(await write('xlsx', files.xlsx)).toMatchObject({ ok: true });
  expect(await write('csv', files.csv)).toMatchObject({ ok: true });
  const amount = columns.findIndex(({ heading }) => heading === 'amount');
  const cells = readSheet(readFileSync(files.xlsx)).rows.slice(1);
  expect(cells.map(cell => [cell[amount]?.value, cell[amount]?.isText])).toEqual([
    ['83.47', true],
    ['1200', false],
    ['10.00', true],
    ['10.00', true],
  ]);
  const [, ...records] = readCsv(readFileSync(files.csv, 'utf8'));
  expect(records.map(record => record[amount])).toEqual(['83.47', '1200.00', '10.00', '10.00']);
});

test('a file that another program has open is unchanged, and the message asks the user to close it there', async () => {
  const file = join(folder, 'open.csv');
  writeFileSync(file, 'what is there');
  for (const code of ['EBUSY', 'EPERM', 'EACCES']) {
    const result = await exportPayments({
      file,
      format: 'csv',
      columns,
      next: pages(3, 2),
      now: 0,
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
    format: 'csv',
    columns,
    next: pages(1, 1),
    now: 0,
  });
  expect(result).toMatchObject({ ok: false, error: { code: 'file.unwritable' } });
});

test.each(['csv', 'jsonl', 'xlsx'] as const)(
  'a %s export that is cancelled, or whose pages fail, leaves no file and no open handle',
  async format => {
    const stop = new AbortController();
    const file = join(folder, `stopped.${format}`);
    // The file is written page by page: its handle is open when the cancellation comes.
    const isOpen = (): boolean => openFiles().some(name => name.startsWith(file));
    const isSeen = process.platform === 'linux' && format !== 'xlsx';
    const untilOpen = async (): Promise<void> => {
      while (!isOpen()) await setImmediate();
    };
    const ended = (signal?: AbortSignal) =>
      exportPayments({
        file,
        format,
        columns,
        next: async cursor => {
          if (isSeen && cursor !== null) await untilOpen();
          if (signal === undefined && cursor === '30') throw new Error('the log is gone');
          return pages(100, 10)(cursor);
        },
        now: 0,
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
