import { fromAbsolute } from '@internationalized/date';
import { decimalOf } from '../../shared/money/signed-amount.ts';
import { clockText } from './columns.ts';
import type { ReportContext } from './report-context.ts';
import type { Sheet, SheetCell } from './sheet.ts';

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

const record = (cells: readonly string[], separator: ',' | ';'): string => `${cells.join(separator)}\r\n`;

/** One record with the comma and the CRLF of RFC 4180. */
export const csvRecord = (cells: readonly string[]): string => record(cells.map(csvCell), ',');

/** ISO 8601 with offset, so that the zone is unambiguous. */
const isoText = (at: number, zone: string): string => fromAbsolute(at, zone).toString().replace(/\[.*$/, '');

/** A cell as text: for people in their locale, for programs in forms that no locale changes. */
export const cellText = (cell: SheetCell, { readers, decimalSign }: ReportContext): string => {
  switch (cell?.kind) {
    case undefined:
      return '';
    case 'text':
      return cell.text;
    case 'count':
      return String(cell.count);
    case 'amount':
      return decimalOf(cell.minor, cell.currency).replace('.', readers === 'people' ? decimalSign : '.');
    case 'time':
      return readers === 'people' ? clockText(cell.at, cell.zone) : isoText(cell.at, cell.zone);
    case 'day':
      return cell.day;
  }
};

/** A number that we wrote. A negative one is not escaped as a formula. */
const isNumber = (text: string): boolean => /^-?\d+([.,]\d+)?$/.test(text);

/**
 * A table as CSV: for programs by RFC 4180; for people with semicolons where the decimal sign is a comma, as
 * spreadsheets there expect.
 */
export const csvOf = ({ header }: Pick<Sheet, 'header'>, context: ReportContext) => {
  const separator = context.readers === 'people' && context.decimalSign === ',' ? ';' : ',';
  return {
    /** With a byte order mark, so that spreadsheets read the file as UTF-8. */
    head: `\uFEFF${record(
      header.map(({ text }) => csvCell(text)),
      separator,
    )}`,
    lines: (rows: Sheet['rows']): string =>
      rows
        .map(row =>
          record(
            row.map((cell, at) => {
              const text = cellText(cell, context);
              return header[at]?.isNumber && isNumber(text) ? text : csvCell(text);
            }),
            separator,
          ),
        )
        .join(''),
  };
};
