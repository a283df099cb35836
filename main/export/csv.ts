import type { PaymentRow } from '../../shared/payments/payment.ts';
import { textOf, type Column } from './columns.ts';

/** Characters with which a spreadsheet recognises a formula; their full-width and small forms normalise to them. */
const formulaSigns = '=+-@';
/** Possible starts of another cell: many spreadsheets split at semicolons or tabs in any file. */
const separators = ';\t\r\n';
/** Blanks, control and zero-width characters, which some spreadsheets skip. */
const skipped = /[\s\p{Cf}\p{Cc}]/u;

/**
 * Text with an apostrophe before every character that a spreadsheet could run as a formula: at the beginning, after
 * blanks and invisible characters, and after a semicolon or line break. Linear in the text's length.
 */
const withoutFormulas = (text: string): string => {
  let safe = /^[\t\r\n]/.test(text) ? "'" : '';
  let begins = true;
  for (const character of text) {
    if (begins && formulaSigns.includes(character.normalize('NFKC'))) safe += "'";
    begins = separators.includes(character) || (begins && skipped.test(character));
    safe += character;
  }
  return safe;
};

/** One CSV cell by RFC 4180. A possible formula gets a leading apostrophe: descriptions and names come from outside. */
export const csvCell = (text: string): string => {
  const safe = withoutFormulas(text);
  return /[",;\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** One record with the CRLF that RFC 4180 requires. */
export const csvRecord = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`;

export const csvHeader = <R extends PaymentRow>(columns: readonly Column<R>[]): string =>
  csvRecord(columns.map(column => column.heading));

/** `now` in milliseconds: whether a link has expired by then. */
export const csvRow = <R extends PaymentRow>(row: R, columns: readonly Column<R>[], now: number): string =>
  csvRecord(columns.map(column => textOf(column, row, now)));
