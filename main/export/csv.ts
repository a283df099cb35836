import type { PaymentRow } from '../../shared/payment.ts';
import type { Column } from './columns.ts';

/**
 * One CSV cell by RFC 4180. Text that a spreadsheet would run as a formula gets
 * a leading apostrophe: descriptions and names come from outside.
 */
export const csvCell = (text: string): string => {
  const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** One record, ended by CRLF as RFC 4180 asks. */
export const csvRecord = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`;

export const csvHeader = <R extends PaymentRow>(columns: readonly Column<R>[]): string =>
  csvRecord(columns.map(column => column.heading));

/** `now` in milliseconds: whether a link has run out by then. */
export const csvRow = <R extends PaymentRow>(row: R, columns: readonly Column<R>[], now: number): string =>
  csvRecord(columns.map(column => column.text(row, now)));
