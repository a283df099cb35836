import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RequestInput } from '../../../shared/contract/contract.ts';
import { readWire, wireOf } from '../../../shared/money/wire-amount.ts';
import { prepareShop, shopId as profileId } from '../../../tools/app-harness/prepared-shop.ts';
import { value } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';
import { booksOfOctober, hotel, october } from '../../../tools/evidence/books.ts';
import { readCsv } from '../../export/read-csv.ts';
import { readSheet } from '../../export/read-sheet.ts';

/** The accountant's month: each file is opened as an accountant would, and its sums are compared with the log. */

const app = useApp({
  prepare: folder => prepareShop(folder, 'anna', hotel),
  evidence: booksOfOctober(profileId),
  isInTime: true,
});

const save = async (
  file: string,
  format: RequestInput<'payments.export'>['format'],
  language: 'en' | 'de' = 'en',
  rows: 'payments' | 'movements' = 'payments',
): Promise<string> => {
  await app.value('settings.change', { language });
  const path = join(app.saved, file);
  app.willSave(path);
  await app.value('payments.export', { filter: { profileId }, period: october, format, rows });
  return path;
};

test('the last exported file is shown in its folder; before the first export nothing is shown', async () => {
  expect(await app.value('payments.showExport', {})).toEqual({ shown: false });
  const path = await save('shown.csv', 'csv');
  expect(await app.value('payments.showExport', {})).toEqual({ shown: true });
  expect(app.opened).toEqual([path]);
});

test('an export of selected payments contains only those, newest first, with any filter; a missing one is skipped', async () => {
  const path = join(app.saved, 'selected.jsonl');
  app.willSave(path);
  const payments = ['HS-1007', 'HS-1041', 'HS-1012', 'an unknown order'].map(orderNumber => ({
    profileId,
    orderNumber,
  }));
  const { written } = await app.value('payments.export', {
    filter: { words: 'no match' },
    payments,
    format: 'jsonl',
  });
  expect(written).toBe(3);
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  expect(lines.map(line => (JSON.parse(line) as { orderNumber: string }).orderNumber)).toEqual([
    'HS-1041',
    'HS-1012',
    'HS-1007',
  ]);
});

/** What moved in October by currency, from the evidence alone: minor units. */
const expected = (() => {
  const sums = new Map<string, { paid: bigint; refunded: bigint }>();
  for (const event of booksOfOctober('any')) {
    if (event.kind !== 'callback.received' || event.happenedAt >= october.until) continue;
    const field = (name: string): string => event.body.fields.find(([found]) => found === name)?.[1] ?? '';
    const currency = field('order_currency');
    const of = sums.get(currency) ?? { paid: 0n, refunded: 0n };
    sums.set(currency, of);
    const amount = readWire(field('order_amount'), currency) ?? 0n;
    if (field('type') === 'sale' && field('status') === 'success') of.paid += amount;
    if (field('type') === 'refund' && event.body.refundAmount === 'refunded') of.refunded += amount;
  }
  return sums;
})();

const decimals = (text: string): number => Number(text.replaceAll(',', ''));

test('the CSV for programs has stable names, ISO times in the zone of the merchant, and exact sums', async () => {
  const [head = [], ...rows] = readCsv(
    readFileSync(await save('october-iso.csv', 'csv-iso'), 'utf8').replace('\uFEFF', ''),
  );
  expect(head.slice(0, 10)).toEqual([
    'paid_at',
    'paid_at_utc',
    'order_number',
    'description',
    'customer_name',
    'currency',
    'paid_amount',
    'refunded_amount',
    'disputed_amount',
    'net_amount',
  ]);
  const at = (id: string): number => head.indexOf(id);
  const first = rows.find(row => row[at('order_number')] === 'HS-1001') ?? [];
  expect(first[at('paid_at')]).toBe('2026-10-06T01:02:00+02:00');
  expect(first[at('paid_at_utc')]).toBe('2026-10-05T23:02:00+00:00');
  expect(first[at('rrn')]).toBe('123456789012');
  expect(first[at('approval_code')]).toBe('A1B2C3');
  expect(first[at('paid_payment_id')]).toBe('6f1d2c3b-0000-4000-8000-000000000001');
  for (const [currency, { paid }] of expected) {
    const sum = rows
      .filter(row => row[at('currency')] === currency && row[at('paid_amount')] !== '')
      .reduce((total, row) => total + (readWire(row[at('paid_amount')] ?? '', currency) ?? 0n), 0n);
    expect([currency, wireOf(sum, currency)]).toEqual([currency, wireOf(paid, currency)]);
  }
});

test('the CSV of movements has each payment and refund on its own date, and its sums are those of the evidence', async () => {
  const file = await save('october-movements.csv', 'csv-iso', 'en', 'movements');
  const [head = [], ...rows] = readCsv(readFileSync(file, 'utf8').replace('\uFEFF', ''));
  const at = (id: string): number => head.indexOf(id);
  for (const [currency, { paid, refunded }] of expected) {
    const sum = (kind: string): bigint =>
      rows
        .filter(row => row[at('currency')] === currency && row[at('kind')] === kind)
        .reduce(
          (all, row) => all + (readWire((row[at('signed_amount')] ?? '').replace('-', ''), currency) ?? 0n),
          0n,
        );
    expect([currency, sum('paid'), sum('refund')]).toEqual([currency, paid, refunded]);
  }
  const refunds = rows.filter(row => row[at('kind')] === 'refund');
  expect(refunds.filter(row => row[at('signed_amount')] === '-10.00').length).toBeGreaterThan(0);
  const order = rows
    .filter(row => row[at('order_number')] === 'HS-1003')
    .map(row => row[at('moved_at')]?.slice(0, 10));
  expect(order).toEqual(['2026-10-06', '2026-10-07']);
});

test('the statement names merchant, period, sums and days, and what it is not', async () => {
  await save('statement.pdf', 'pdf');
  const page = app.printed.at(-1) ?? '';
  for (const text of [
    'Hotel am See GmbH',
    '78464 Konstanz',
    '1 October 2026 – 31 October 2026',
    'counter(pages)',
    'counted by day of payment or refund',
    'Payments and refunds by day',
    'Mon, 5 October 2026',
  ])
    expect(page).toContain(text);
  for (const [currency, { paid }] of expected) {
    const currencyDisplay = ['EUR', 'GBP'].includes(currency) ? 'symbol' : 'code';
    const amount = new Intl.NumberFormat('en-GB', { style: 'currency', currency, currencyDisplay });
    expect(page).toContain(amount.format(wireOf(paid, currency) as Intl.StringNumericLiteral));
  }
  expect(page).toContain('not a tax document');
  expect(page).not.toContain('<script');
});

test('every file has a signed head beside it', async () => {
  for (const format of ['csv', 'xlsx', 'pdf'] as const) {
    const file = await save(`signed.${format}`, format);
    const head = JSON.parse(readFileSync(`${file}.head.json`, 'utf8')) as { export: { file: string } };
    expect(head.export.file).toBe(basename(file));
  }
});

test('the figures of the overview have the totals of each currency, its days and its people', async () => {
  await app.value('settings.change', { language: 'en' });
  const path = join(app.saved, 'figures.csv');
  app.willSave(path);
  await app.value('payments.exportFigures', { profileId, ...october, format: 'csv-iso' });
  const [head = [], ...rows] = readCsv(readFileSync(path, 'utf8').replace('\uFEFF', ''));
  expect(head.slice(0, 4)).toEqual(['currency', 'of', 'created', 'paid']);
  const of = (name: string) => rows.filter(row => row[1] === name);
  const shown = await app.request('payments.overview', { profileId, ...october, timeZone: 'Europe/Berlin' });
  for (const { currency, figures } of value(shown).currencies) {
    const total = of('total').find(row => row[0] === currency) ?? [];
    expect(total[head.indexOf('paid_amount')]).toBe(figures.paidAmount);
    expect(total[head.indexOf('net_amount')]).toBe(figures.netAmount);
  }
  expect(of('2026-10-06').map(row => row[0])).toContain('EUR');
  expect(of('Ada').length).toBe(value(shown).currencies.length);
  expect(existsSync(`${path}.head.json`)).toBe(true);
  const workbook = join(app.saved, 'figures.xlsx');
  app.willSave(workbook);
  await app.value('payments.exportFigures', { profileId, ...october, format: 'xlsx' });
  const cells = readSheet(readFileSync(workbook)).map(row => row[1]);
  expect(cells).toHaveLength(rows.length + 1);
  expect(cells.filter(cell => cell?.format === 'yyyy-mm-dd').length).toBeGreaterThan(0);
});

const office =
  process.platform === 'linux'
    ? ['/usr/bin/soffice', '/usr/bin/libreoffice'].find(path => existsSync(path))
    : undefined;

describe.skipIf(office === undefined)('LibreOffice', () => {
  /** The sheets of files as LibreOffice shows them, as CSV by name of the sheet. */
  const opened = (...files: string[]): Map<string, string[][]> => {
    const folder = join(app.folder, 'opened');
    mkdirSync(folder);
    // Comma, quotation mark, UTF-8, from line 1, formatted as shown, every sheet.
    const filter = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,1033,false,true,false,false,false,-1';
    const profile = `-env:UserInstallation=file://${join(app.folder, 'office')}`;
    execFileSync(
      office ?? '',
      [profile, '--headless', '--convert-to', filter, '--outdir', folder, ...files],
      {
        stdio: 'ignore',
        timeout: 300_000,
      },
    );
    return new Map(
      readdirSync(folder).map(name => [
        /-([^-]+)\.csv$/.exec(name)?.[1] ?? name,
        readCsv(readFileSync(join(folder, name), 'utf8').replaceAll(/\r?\n/g, '\r\n')),
      ]),
    );
  };

  test('LibreOffice reads amounts of the workbook and of the local CSV as numbers, times as dates, and the sums are right', async () => {
    const sheets = opened(await save('october.xlsx', 'xlsx'), await save('local.csv', 'csv'));
    expect([...sheets.keys()].sort()).toEqual(['About', 'Movements', 'Payments', 'Totals', 'local']);
    const [head = [], ...rows] = sheets.get('Payments') ?? [];
    const at = (name: string): number => head.indexOf(name);
    const first = rows.find(row => row[at('Order number')] === 'HS-1001') ?? [];
    expect(first[at('Paid on (Europe/Berlin)')]).toBe('2026-10-06 01:02:00');
    expect(first[at('Paid on (UTC)')]).toBe('2026-10-05 23:02:00');
    const totals = sheets.get('Totals') ?? [];
    const [movementHead = [], ...movements] = sheets.get('Movements') ?? [];
    const moved = (currency: string, kind: string): number =>
      movements
        .map(row => new Map(movementHead.map((name, index) => [name, row[index]])))
        .filter(row => row.get('Currency') === currency && row.get('Kind') === kind)
        // Of one refund nothing says how much was returned.
        .flatMap(row => (row.get('Amount') === 'not known' ? [] : decimals(row.get('Amount') ?? '')))
        .reduce((total, amount) => total + amount, 0);
    for (const [currency, { paid, refunded }] of expected) {
      const sum = rows
        .filter(row => row[at('Currency')] === currency)
        .reduce((total, row) => total + decimals(row[at('Paid')] ?? ''), 0);
      expect([currency, sum]).toEqual([currency, Number(wireOf(paid, currency))]);
      const total = totals.find(row => row[0] === currency && row[1] === 'Total') ?? [];
      expect([total[3], total[5]].map(text => decimals(text ?? ''))).toEqual(
        [paid, refunded].map(minor => Number(wireOf(minor, currency))),
      );
      expect([moved(currency, 'Payment'), 0 - moved(currency, 'Refund')]).toEqual(
        [paid, refunded].map(minor => Number(wireOf(minor, currency))),
      );
    }
    const about = new Map((sheets.get('About') ?? []).map(([name, text]) => [name, text]));
    expect(about.get('Merchant')).toBe('Hotel am See GmbH');
    expect(about.get('Time zone')).toBe('Europe/Berlin');
    expect(about.get('Period')).toBe('1 October 2026 – 31 October 2026');
    expect(about.get('Proof')).toContain('october.xlsx.head.json');
    expect(about.get('Payment log fingerprint')).toMatch(/ \d+ [0-9a-f]{64}$/);

    const [localHead = [], ...lines] = sheets.get('local') ?? [];
    const paidAmounts = lines.map(row => row[localHead.indexOf('Paid')] ?? '').filter(text => text !== '');
    expect(paidAmounts.length).toBeGreaterThan(40);
    for (const text of paidAmounts) expect(text).toMatch(/^\d+(\.\d{1,2})?$/);
    const texts = lines.map(row => row[localHead.indexOf('Description')] ?? '');
    expect(texts.filter(text => text.startsWith("'=1+1 ")).length).toBeGreaterThan(5);
  });
});
