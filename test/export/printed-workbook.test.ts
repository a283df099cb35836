import { expect, test } from 'vitest';
import { columns } from '../../main/export/columns.ts';
import { emptySheet, paymentCells, totalsSheet } from '../../main/export/payment-sheets.ts';
import { createWorkbook } from '../../main/export/workbook.ts';
import { context, exportedRow } from './exported-payments.ts';
import { readPart } from './read-sheet.ts';

/** How a spreadsheet program prints a workbook. */

const workbook = createWorkbook();
workbook.addSheet({ ...emptySheet('export.sheet.payments', columns, context), name: 'Kunde & Co’s "Liste"' });
workbook.addRows(paymentCells([1, 2, 3].map(exportedRow), columns, context));
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
