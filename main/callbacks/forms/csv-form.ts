import type { CallbackFields } from '../../../shared/payments/evidence.ts';
import { isKnownName } from '../parameter-spec.ts';
import { looksLikeCallback } from './text-form.ts';

/** Exports from spreadsheets and log viewers (RFC 4180, and with `;`, tabs or bars). */

const delimiters = [',', ';', '\t', '|'];

/** One record: its unquoted cells, and the start of the next record. */
export const readRecord = (
  text: string,
  from: number,
  end: number,
  delimiter: string,
): { cells: string[]; end: number } => {
  const cells: string[] = [];
  let at = from;
  for (;;) {
    let cell = '';
    if (text.charAt(at) === '"') {
      at++;
      for (;;) {
        const quote = text.indexOf('"', at);
        if (quote < 0 || quote >= end) {
          cell += text.slice(at, end);
          at = end;
          break;
        }
        cell += text.slice(at, quote);
        at = quote + 1;
        if (text.charAt(at) !== '"' || at >= end) break;
        cell += '"';
        at++;
      }
    }
    let stop = at;
    while (stop < end && text.charAt(stop) !== delimiter && text.charCodeAt(stop) !== 10) stop++;
    cell += text.slice(at, stop);
    if (cell.endsWith('\r') && (stop >= end || text.charCodeAt(stop) === 10)) cell = cell.slice(0, -1);
    cells.push(cell);
    if (stop >= end || text.charCodeAt(stop) === 10) return { cells, end: Math.min(stop + 1, end) };
    at = stop + 1;
  }
};

export type CsvHeader = { names: string[]; delimiter: string; end: number; bodies: boolean };

const heading = /^[\w .()/@#-]{1,60}$/;

/** Whether the line at `from` is a table header: of parameters, or (`first`) of log records with bodies inside. */
export const readHeader = (text: string, from: number, end: number, first: boolean): CsvHeader | null => {
  const found = text.indexOf('\n', from);
  if (found < 0 || found >= end || found - from > 4_000) return null;
  const line = text.slice(from, found);
  for (const delimiter of delimiters) {
    if (!line.includes(delimiter)) continue;
    const record = readRecord(text, from, found + 1, delimiter);
    const names = record.cells.map(cell => cell.trim());
    if (looksLikeCallback(names.map(name => [name, ''])) && names.filter(isKnownName).length >= 3)
      return { names, delimiter, end: record.end, bodies: false };
    if (!first || names.length < 2 || !names.every(name => heading.test(name))) continue;
    const next = readRecord(text, record.end, Math.min(end, record.end + 200_000), delimiter);
    if (
      next.cells.length === names.length &&
      !isKnownName(names[0] ?? '') &&
      next.cells.some(cell => /order_number/.test(cell))
    )
      return { names, delimiter, end: record.end, bodies: true };
  }
  return null;
};

/** By heading; a map, since a heading may be `constructor`. */
const shapes: ReadonlyMap<string, RegExp> = new Map([
  ['id', /^[\w-]{0,64}$/],
  ['hash', /^\w{0,64}$/],
  ['order_amount', /^[\d.,\s]{0,24}$/],
  ['order_currency', /^\w{0,4}$/],
  ['customer_ip', /^[\d.a-f:]{0,45}$/i],
]);

/** Whether a record is still a row of the table: different text may follow the table. */
export const isRow = (header: CsvHeader, cells: readonly string[]): boolean => {
  if (header.bodies) return cells.length === header.names.length;
  if (cells.length < 2 || cells.length > header.names.length) return false;
  // A table of names and values below a table of rows.
  if (cells.length === 2 && isKnownName(cells[0] ?? '')) return false;
  let fits = 0;
  let checked = 0;
  cells.forEach((cell, at) => {
    const shape = shapes.get(header.names[at] ?? '');
    if (!shape) return;
    checked++;
    if (shape.test(cell.trim())) fits++;
  });
  return fits * 2 >= checked;
};

/** The parameters of one row; an empty cell means that this callback did not have the parameter. */
export const rowFields = (header: CsvHeader, cells: readonly string[]): CallbackFields => {
  const fields: CallbackFields = [];
  cells.forEach((cell, at) => {
    const name = header.names[at];
    if (name !== undefined && name !== '' && cell !== '') fields.push([name, cell]);
  });
  return fields;
};
