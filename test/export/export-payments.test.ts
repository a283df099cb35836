import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { columns } from '../../main/export/columns.ts';
import { csvCell, csvRecord } from '../../main/export/csv.ts';
import { exportPayments } from '../../main/export/export-payments.ts';
import type { PaymentRow } from '../../shared/payment.ts';

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
  expiresAt: null,
  reason: null,
  paidAt: null,
  linkUsable: false,
  paymentIds: [],
  flags: [],
  restsOn: null,
  cardLast4: '1111',
  firstAt: 1_700_000_000_000,
  lastAt: 1_700_000_000_000,
  agent: 'anna',
  events: 5,
});

/** Reads RFC 4180 back, independently of the writer. */
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

const pages = (count: number, size: number) => (cursor: string | null) => {
  const from = cursor === null ? 0 : Number(cursor);
  const rows = Array.from({ length: Math.min(size, count - from) }, (_, at) => row(from + at));
  return Promise.resolve({ rows, next: from + size < count ? String(from + size) : null });
};

test('any text survives a CSV cell, and none begins as a formula', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), texts => {
      const cells = readCsv(csvRecord(texts))[0] ?? [];
      expect(cells.map((cell, at) => (cell === texts[at] ? cell : cell.slice(1)))).toEqual(texts);
      for (const text of texts) expect(csvCell(text).replace(/^"/, '')).not.toMatch(/^[=+\-@\t\r]/);
    }),
  );
});

test('a CSV export holds every payment of every page under its headings', async () => {
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

test('JSON Lines hold one payment a line, and no link', async () => {
  const file = join(folder, 'all.jsonl');
  await exportPayments({ file, format: 'jsonl', columns, next: pages(3, 2), now: 0 });
  const rows = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(text => JSON.parse(text) as PaymentRow);
  expect(rows.map(one => one.orderNumber)).toEqual(['A-0', 'A-1', 'A-2']);
  expect(rows[0]).not.toHaveProperty('link');
});

test('an XLSX export is a workbook of text cells', async () => {
  const file = join(folder, 'all.xlsx');
  expect((await exportPayments({ file, format: 'xlsx', columns, next: pages(3, 2), now: 0 })).ok).toBe(true);
  expect(readFileSync(file).subarray(0, 2).toString()).toBe('PK');
});

test('an export that cannot be written says so and leaves nothing behind', async () => {
  const result = await exportPayments({
    file: join(folder, 'no', 'such', 'x.csv'),
    format: 'csv',
    columns,
    next: pages(1, 1),
    now: 0,
  });
  expect(result).toMatchObject({ ok: false, error: { code: 'file.unwritable' } });
});

test('a stopped export leaves no file', async () => {
  const stop = new AbortController();
  const file = join(folder, 'stopped.csv');
  const result = await exportPayments({
    file,
    format: 'csv',
    columns,
    next: pages(100, 10),
    now: 0,
    signal: stop.signal,
    onProgress: written => {
      if (written === 30) stop.abort();
    },
  });
  expect(result.ok).toBe(false);
  expect(readdirSync(folder).filter(name => name.startsWith('stopped'))).toEqual([]);
});
