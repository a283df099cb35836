import { fromAbsolute, parseDate, toCalendarDateTime } from '@internationalized/date';
import writeXlsxFile, { type Cell, type CellObject } from 'write-excel-file/node';
import { exponentOf } from '../../shared/money/currencies.ts';
import { decimalOf } from '../../shared/money/signed-amount.ts';
import { sheetFeatures } from './sheet-features.ts';
import type { Sheet, SheetCell } from './sheet.ts';

/**
 * A workbook of typed cells: amounts are numbers, times and days are dates, all else is text. Packing thousands of rows
 * blocks its thread for seconds, so the product does it only on `workbook-worker.ts`.
 */

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
export type Workbook = {
  /** Adds a sheet after the others, with its first rows. */
  addSheet(sheet: Sheet): void;
  /** Adds rows to the last sheet, or to the one with this index. */
  addRows(rows: Sheet['rows'], sheet?: number): void;
  /** Packs the sheets; blocks the thread. */
  bytes(): Promise<Buffer>;
};

export const createWorkbook = (): Workbook => {
  const sheets: PackedSheet[] = [];
  const addRows = (rows: Sheet['rows'], sheet = -1): void => {
    const filled = sheets.at(sheet);
    for (const row of rows)
      filled?.rows.push(row.map((cell, at) => cellOf(cell, filled.header[at]?.isNumber ?? false)));
  };
  return {
    addRows,
    addSheet: ({ rows, ...sheet }) => {
      sheets.push({ ...sheet, rows: [] });
      addRows(rows);
    },
    bytes: () =>
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
