import type { PaymentRow } from '../../shared/payments/payment.ts';
import { headingOf, textOf, type Column } from './columns.ts';
import { decimalSign, type ReportContext } from './report-context.ts';

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

/** The separators of a CSV file: where the decimal sign is a comma, spreadsheets expect semicolons between cells. */
export type CsvDialect = { separator: ',' | ';' };

/** RFC 4180, for programs. */
export const isoDialect: CsvDialect = { separator: ',' };

export const dialectOf = (locale: string): CsvDialect => ({
  separator: decimalSign(locale) === ',' ? ';' : ',',
});

const quoted = (text: string): string =>
  /[",;\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;

/** Control characters that no cell needs, and that a terminal would obey: the escape character, for example. */
const controls = /(?![\t\r\n])\p{Cc}/gu;

/** Most cells: a letter or digit first and no separator after it, so neither an apostrophe nor quotes are needed. */
const plain = /^[0-9A-Za-z](?:[\w .:+@/()-]*[\w.:+@/()-])?$/;

/**
 * One CSV cell by RFC 4180. Descriptions and names come from outside: a possible formula gets a leading apostrophe, a
 * control character is replaced.
 */
export const csvCell = (text: string): string =>
  text === '' || plain.test(text) ? text : quoted(withoutFormulas(text.replaceAll(controls, '\u{FFFD}')));

/** One record with the CRLF that RFC 4180 requires. */
export const csvRecord = (cells: readonly string[], { separator } = isoDialect): string =>
  `${cells.map(csvCell).join(separator)}\r\n`;

export const csvHeader = <R extends PaymentRow>(
  columns: readonly Column<R>[],
  context: ReportContext,
  dialect: CsvDialect,
): string =>
  csvRecord(
    columns.map(column => headingOf(column, context)),
    dialect,
  );

/** A number that we wrote. A negative one is not escaped as a formula. */
const isNumber = (text: string): boolean => /^-?\d+([.,]\d+)?$/.test(text);

export const csvRow = <R extends PaymentRow>(
  row: R,
  columns: readonly Column<R>[],
  context: ReportContext,
  { separator }: CsvDialect,
): string => {
  const cells = columns.map(column => {
    const text = textOf(column, row, context);
    return column.kind === 'amount' && isNumber(text) ? text : csvCell(text);
  });
  return `${cells.join(separator)}\r\n`;
};
