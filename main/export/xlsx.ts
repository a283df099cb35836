import { fromAbsolute, toCalendarDateTime } from '@internationalized/date';
import type { Cell, Feature } from 'write-excel-file/node';
import { exponentOf } from '../../shared/money/currencies.ts';
import { fractionDigits, readWire } from '../../shared/money/wire-amount.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';
import { textOf, type Column } from './columns.ts';

/** Row limit of common spreadsheet programs, including the heading. */
export const maxSheetRows = 1_048_576;

/** Significant digits that a sheet's number represents exactly. */
const maxDigits = 15;

const timeFormat = 'yyyy-mm-dd hh:mm:ss';

/**
 * An amount as a number with its currency's digits. Text as received, excluded from sums, if its currency does not
 * allow it or is unknown, or if a sheet's number would not be exact.
 */
const amountCell = (amount: string | null, currency: string | null): Cell => {
  if (amount === null) return null;
  const sent = fractionDigits(amount);
  if (
    sent === null ||
    readWire(amount, currency ?? '') === null ||
    amount.replace('.', '').replace(/^0+/, '').length > maxDigits
  )
    return { value: amount, type: String };
  const digits = Math.max(exponentOf(currency ?? '') ?? 0, sent);
  return {
    value: Number(amount),
    type: Number,
    format: digits === 0 ? '#,##0' : `#,##0.${'0'.repeat(digits)}`,
  };
};

/** The clock of a zone as if it were UTC: a sheet has no zones and shows that zone's date and time. */
const zoneClock = (at: number, zone: string): Date =>
  toCalendarDateTime(fromAbsolute(at, zone)).set({ millisecond: 0 }).toDate('UTC');

/** `A` for 0, `Z` for 25, `AA` for 26. */
const columnName = (index: number): string =>
  (index < 26 ? '' : columnName(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26));

/** A filter over the whole table; in a sheet it follows the data directly. */
const filterOver = <FileContent>(columnCount: number, rowCount: number): Feature<FileContent> => ({
  files: {
    transform: {
      'xl/worksheets/sheet{id}.xml': {
        transform: content =>
          content.replace(
            '</sheetData>',
            `</sheetData><autoFilter ref="A1:${columnName(columnCount - 1)}${rowCount}"/>`,
          ),
      },
    },
  },
});

/**
 * A workbook of payments in one sheet: amounts as numbers, times as dates of `zone` (IANA; named in the heading), all
 * else as text that a spreadsheet neither runs nor rounds. `now` in milliseconds. Returns the file's bytes.
 */
export const xlsxBytes = async <R extends PaymentRow>(
  rows: readonly R[],
  columns: readonly Column<R>[],
  now: number,
  zone: string,
): Promise<Buffer> => {
  const { default: writeXlsxFile } = await import('write-excel-file/node');
  const cellOf = (column: Column<R>, row: R): Cell => {
    if (column.kind === 'amount') return amountCell(column.amount(row), column.currency(row));
    if (column.kind === 'text') return { value: textOf(column, row, now), type: String };
    const at = column.at(row);
    return at === null ? null : { value: zoneClock(at, zone), type: Date, format: timeFormat };
  };
  const header: Cell[] = columns.map(column => ({
    value: column.kind === 'time' ? `${column.heading} (${zone})` : column.heading,
    type: String,
    fontWeight: 'bold',
    ...(column.kind === 'amount' ? { align: 'right' as const } : {}),
  }));
  const cells = rows.map(row => columns.map(column => cellOf(column, row)));
  return writeXlsxFile(
    [header, ...cells],
    { sheet: 'Payments', stickyRowsCount: 1, columns: columns.map(({ width }) => ({ width })) },
    { features: [filterOver(columns.length, rows.length + 1)] },
  ).toBuffer();
};
