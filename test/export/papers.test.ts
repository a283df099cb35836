import { expect, test } from 'vitest';
import { dossierSummary } from '../../main/export/dossier-page.ts';
import { dossierText } from '../../main/export/dossier-text.ts';
import { drafts } from '../../tools/evidence/evidence-line.ts';
import { reduce } from '../../tools/evidence/reduced.ts';
import { paperStyle } from '../../main/export/papers/printed-page.ts';
import { columns } from '../../main/export/columns.ts';
import { tableOf, totalsSheet } from '../../main/export/payment-sheets.ts';
import { createWorkbook } from '../../main/export/workbook.ts';
import { context, exportedRow } from './exported-payments.ts';
import { readPart } from './read-sheet.ts';

const paper = (line: string): string => {
  const payment = reduce(...drafts(line));
  const merchant = { name: 'Shop', address: [], phone: '', profile: 'Shop', kind: null };
  return dossierSummary(
    {
      format: 'counterfoil-dossier-1',
      createdAt: payment.lastAt + 60_000,
      createdBy: 'Ada',
      merchant,
      payment,
      shown: [],
      events: [],
      segments: [],
    },
    '',
    dossierText({ language: 'en', locale: 'en-GB' }, 'UTC'),
  );
};

test.each([
  ['sale =settled', 'Paid, confirmed by a status check', '€123.40'],
  ['sale =settled sale(2nd) =settled(2nd)', 'Paid twice', '€246.80'],
  ['sale =settled refund! >accepted', 'Refund requested', '€123.40'],
  ['sale =decline', 'Needs attention', '€123.40'],
])('the evidence of "%s" begins with what the screen shows first: %s', (line, name, amount) => {
  expect(paper(line)).toContain(`<p class="state">${name}</p>`);
  expect(paper(line)).toContain(`<p class="amount"><bdi>${amount}</bdi></p>`);
});

const at = Date.UTC(2026, 10, 25, 21, 30, 5);
const when = (zone: string): string =>
  dossierText({ language: 'en', locale: 'en-GB' }, zone)
    .when(at)
    .replaceAll(/<[^>]*>/g, '');

test('a time of the merchant has UTC beside it, unless it is UTC', () => {
  expect(when('Europe/Berlin')).toBe('25 November 2026 at 22:30:05 (21:30:05 UTC)');
  expect(when('Asia/Tokyo')).toBe('26 November 2026 at 06:30:05 (2026-11-25 21:30:05 UTC)');
  expect(when('UTC')).toBe('25 November 2026 at 21:30:05 UTC');
  expect(when('Etc/UTC')).toBe('25 November 2026 at 21:30:05 UTC');
});

/** The foot of every printed page: the merchant's name, the paper and its number. */

const footOf = (footer: string, side: 'left' | 'right'): string => {
  const style = paperStyle({ footer, pages: 'counter(page)', orientation: 'portrait', isCompact: false });
  return new RegExp(`@bottom-${side} \\{([^}]*)\\}`).exec(style)?.[1] ?? '';
};

test('no character of a merchant’s name ends the text at the foot of a page', () => {
  expect(footOf('A\fB\u000bC\u0085D"E\\F<G\r\nH', 'left')).toContain('content: "A B C D E F G  H";');
});

test('a long name of a merchant continues on a second line and leaves the page number free', () => {
  expect(footOf('A long name', 'left')).not.toContain('nowrap');
  expect(footOf('A long name', 'right')).toContain('nowrap');
});

/** How a spreadsheet program prints a workbook. */

const workbook = createWorkbook();
const { sheet, cells } = tableOf('export.sheet.payments', columns, context);
workbook.addSheet({ ...sheet, name: 'Kunde & Co’s "Liste"', rows: cells([1, 2, 3].map(exportedRow)) });
workbook.addSheet(totalsSheet([], context));
const bytes = workbook.bytes();

test('each sheet of a workbook is printed landscape, one page wide, in the order of elements of the format', async () => {
  for (const number of [1, 2]) {
    const xml = readPart(await bytes, `xl/worksheets/sheet${number}.xml`);
    expect(xml).toContain('orientation="landscape" fitToWidth="1" fitToHeight="0"');
    const order = [
      ...xml.matchAll(
        /<(sheetPr|sheetViews|cols|sheetData|autoFilter|pageMargins|pageSetup|headerFooter)\b/g,
      ),
    ];
    expect(order.map(([, name]) => name)).toEqual([
      'sheetPr',
      'sheetViews',
      'cols',
      'sheetData',
      'autoFilter',
      'pageMargins',
      'pageSetup',
      'headerFooter',
    ]);
  }
});

test('a printed workbook repeats its headings and leaves out the columns after the state', async () => {
  const names = readPart(await bytes, 'xl/workbook.xml');
  const last = columns.findIndex(({ id }) => id === 'state');
  expect(last).toBeLessThan(13);
  const letter = String.fromCharCode('A'.charCodeAt(0) + last);
  expect(names).toContain(
    `<definedName name="_xlnm.Print_Area" localSheetId="0">'Kunde &amp; Co’s "Liste"'!$A$1:$${letter}$4</definedName>`,
  );
  expect(names.match(/_xlnm\.Print_Titles/g)).toHaveLength(2);
  expect(names).toContain('!$1:$1</definedName>');
});
