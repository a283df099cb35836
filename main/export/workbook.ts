import { fromAbsolute, parseDate, toCalendarDateTime } from '@internationalized/date';
import writeXlsxFile, { type Cell, type CellObject, type Feature, type Image } from 'write-excel-file/node';
import { exponentOf } from '../../shared/money/currencies.ts';
import { decimalOf } from '../../shared/money/signed-amount.ts';
import type { Sheet, SheetCell } from './sheet.ts';

/**
 * A workbook of typed cells: amounts are numbers, times and days are dates, all else is text. Packing thousands of rows
 * blocks its thread for seconds, so the product does it only on `workbook-worker.ts`.
 */

/** What the library does not do for a sheet: its filter, and how it is printed. */

/** `A` for 0, `Z` for 25, `AA` for 26. */
const columnName = (index: number): string =>
  (index < 26 ? '' : columnName(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26));

/** The library's type of a file's content, which it exports only inside others. */
type FileContent = Image['content'];

const inXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", "''");

/** The heading on each page, and the columns that are printed; names that every spreadsheet program knows. */
const printNames = (sheets: readonly PackedSheet[]): string =>
  sheets
    .map(({ name, header, rows, printedColumns = header.length }, index) => {
      const sheet = `'${inXml(name)}'`;
      const last = `$${columnName(printedColumns - 1)}$${rows.length + 1}`;
      return `<definedName name="_xlnm.Print_Area" localSheetId="${index}">${sheet}!$A$1:${last}</definedName><definedName name="_xlnm.Print_Titles" localSheetId="${index}">${sheet}!$1:$1</definedName>`;
    })
    .join('');

/** A4 turned, as wide as one page; its name and the page's number at the foot. In the order of the file format. */
const pageSetup =
  '<pageMargins left="0.4" right="0.4" top="0.45" bottom="0.55" header="0.25" footer="0.25"/>' +
  '<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>' +
  '<headerFooter><oddFooter>&amp;L&amp;A&amp;R&amp;P / &amp;N</oddFooter></headerFooter>';

/** Filters over whole tables, and the setup of printed pages, for these sheets in their order. */
const sheetFeatures = (sheets: readonly PackedSheet[]): Feature<FileContent> => ({
  files: {
    transform: {
      'xl/workbook.xml': {
        transform: content =>
          content.replace('<definedNames/>', () => `<definedNames>${printNames(sheets)}</definedNames>`),
      },
      'xl/worksheets/sheet{id}.xml': {
        transform: (content, _options, { sheetIndex }) => {
          const sheet = sheets[sheetIndex];
          if (!sheet) return content;
          const range = `A1:${columnName(sheet.header.length - 1)}${sheet.rows.length + 1}`;
          // In a sheet the filter follows the data directly.
          const filter = sheet.hasFilter ? `<autoFilter ref="${range}"/>` : '';
          return content
            .replace('<sheetViews>', '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews>')
            .replace('</sheetData>', `</sheetData>${filter}`)
            .replace('</worksheet>', `${pageSetup}</worksheet>`);
        },
      },
    },
  },
});

/** Significant digits that a sheet's number represents exactly. */
const maxDigits = 15;

const timeFormat = 'yyyy-mm-dd hh:mm:ss';
const dayFormat = 'yyyy-mm-dd';

/** An amount as a number with its currency's digits; as text, excluded from sums, if the number would not be exact. */
const amountCell = (minor: bigint, currency: string): CellObject => {
  const digits = exponentOf(currency) ?? 0;
  const text = decimalOf(minor, currency);
  if (text.replace(/[-.]/g, '').replace(/^0+/, '').length > maxDigits) return { value: text, type: String };
  return {
    value: Number(text),
    type: Number,
    format: digits === 0 ? '#,##0' : `#,##0.${'0'.repeat(digits)}`,
  };
};

/** The clock of a zone as if it were UTC: a sheet has no zones and shows that zone's date and time. */
const zoneClock = (at: number, zone: string): Date =>
  toCalendarDateTime(fromAbsolute(at, zone)).set({ millisecond: 0 }).toDate('UTC');

const valueOf = (cell: NonNullable<SheetCell>): CellObject => {
  switch (cell.kind) {
    case 'text':
      return { value: cell.text, type: String };
    case 'count':
      return { value: cell.count, type: Number, format: '#,##0' };
    case 'amount':
      return amountCell(cell.minor, cell.currency);
    case 'time':
      return { value: zoneClock(cell.at, cell.zone), type: Date, format: timeFormat };
    case 'day':
      return { value: parseDate(cell.day).toDate('UTC'), type: Date, format: dayFormat };
  }
};

/** Aligned as its heading: a date beside a text, or a text below amounts, would touch its neighbour when printed. */
const cellOf = (cell: SheetCell, isNumber: boolean): Cell =>
  cell && {
    ...valueOf(cell),
    align: isNumber ? 'right' : 'left',
    ...(cell.isStrong ? { fontWeight: 'bold' } : {}),
  };

/** A sheet as the library takes it. */
type PackedSheet = Omit<Sheet, 'rows'> & { rows: Cell[][] };

/** A workbook that is filled row by row. No cell is a formula. */
export const createWorkbook = () => {
  const sheets: PackedSheet[] = [];
  const addRows = (rows: Sheet['rows'], sheet = -1): void => {
    const filled = sheets.at(sheet);
    for (const row of rows)
      filled?.rows.push(row.map((cell, at) => cellOf(cell, filled.header[at]?.isNumber ?? false)));
  };
  return {
    /** Adds rows to the last sheet, or to the one with this index. */
    addRows,
    /** Adds a sheet after the others, with its first rows. */
    addSheet: ({ rows, ...sheet }: Sheet): void => {
      sheets.push({ ...sheet, rows: [] });
      addRows(rows);
    },
    /** Packs the sheets; blocks the thread. */
    bytes: (): Promise<Buffer> =>
      writeXlsxFile(
        sheets.map(({ name, header, rows }) => ({
          sheet: name,
          stickyRowsCount: 1,
          columns: header.map(({ width }) => ({ width })),
          data: [
            header.map(({ text, isNumber }) => ({
              value: text,
              type: String,
              fontWeight: 'bold' as const,
              ...(isNumber ? { align: 'right' as const } : {}),
            })),
            ...rows,
          ],
        })),
        { features: [sheetFeatures(sheets)] },
      ).toBuffer(),
  };
};
