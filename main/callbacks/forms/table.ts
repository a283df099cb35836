import type { CallbackFields } from '../../../shared/payments/evidence.ts';
import { isKnownName } from '../parameter-spec.ts';
import { shapeEnd } from './shapes.ts';
import { looksLikeCallback, undoEncoding } from './text-form.ts';

/** Tables with the names in their first row: CSV (RFC 4180), a database client's output, an SQL INSERT. */

type Row = { cells: string[]; end: number };

/** The cells from `at` to the end of the row: a line break, or a closing bracket (SQL). */
const readRow = (text: string, at: number, sign: string): Row => {
  const isSql = sign === ')';
  const delimiter = isSql ? ',' : sign;
  const cells: string[] = [];
  for (let next = at; ;) {
    let cell = '';
    let isQuoted = false;
    if (isSql) next += /^\s*/.exec(text.slice(next, next + 200))?.[0].length ?? 0;
    const quote = text.charAt(next);
    if (quote === '"' || (isSql && (quote === "'" || quote === '`'))) {
      isQuoted = true;
      for (next++; next < text.length; next++) {
        const char = text.charAt(next);
        if (char === '\\' && isSql) cell += text.charAt(++next);
        else if (char !== quote) cell += char;
        else if (text.charAt(next + 1) === quote) cell += text.charAt(next++);
        else break;
      }
      next++;
    }
    let stop = next;
    while (
      stop < text.length &&
      text.charAt(stop) !== delimiter &&
      !(isSql ? ')' : '\n').includes(text.charAt(stop))
    )
      stop++;
    const rest = text.slice(next, stop).replace(/\r$/, '');
    cells.push(isQuoted ? cell + rest.trim() : isSql ? rest.trim() : cell + rest);
    if (text.charAt(stop) !== delimiter) return { cells, end: Math.min(stop + 1, text.length) };
    next = stop + 1;
  }
};

const rule = /^[\s|+:=-]*$/;

/** Takes off the bars and blanks of a drawn table. */
const tidy = (cells: string[], isDrawn: boolean): string[] => {
  if (!isDrawn) return cells;
  const trimmed = cells.map(cell => cell.trim());
  if (trimmed[0] === '') trimmed.shift();
  if (trimmed[trimmed.length - 1] === '') trimmed.pop();
  return trimmed;
};

const fieldsOf = (names: readonly string[], cells: readonly string[]): CallbackFields | null => {
  if (cells.length < 2 || cells.length > names.length || (cells.length === 2 && isKnownName(cells[0] ?? '')))
    return null;
  // Another text may follow the table.
  if (
    !names.some((name, at) => shapeEnd(name, (cells[at] ?? '').trim(), 0) === (cells[at] ?? '').trim().length)
  )
    return null;
  // An empty cell: this callback did not have the parameter.
  return cells.flatMap((cell, at): CallbackFields => {
    const name = names[at] ?? '';
    return name === '' || cell === '' ? [] : [[name, cell]];
  });
};

const insert = /\binsert\s+into\s[^()]{1,200}\(([^()]{10,4000})\)\s*values\s*/giy;

/** The callbacks of the table whose heading is the line at `at`; null if none begins there. */
export const readTable = (
  text: string,
  at: number,
  stop: number,
): { rows: { fields: CallbackFields; at: number }[]; end: number } | null => {
  if (stop - at > 4_000) return null;
  const line = text.slice(at, stop);
  insert.lastIndex = at + Math.max(0, line.search(/\binsert\s/i));
  const sql = insert.exec(text);
  const sign = sql ? ')' : [',', ';', '\t', '|'].find(one => line.split(one).length > 4);
  if (sign === undefined) return null;
  const isDrawn = sign === '|' && /\|\s|\s\|/.test(line);
  const names = tidy(readRow(sql?.[1] ?? line, 0, sign).cells, isDrawn).map(name =>
    name.trim().toLowerCase(),
  );
  if (names.filter(isKnownName).length < 3 || !looksLikeCallback(names.map(name => [name, '']))) return null;
  const rows: { fields: CallbackFields; at: number }[] = [];
  let next = sql ? insert.lastIndex : stop + 1;
  while (next < text.length) {
    const open = sql ? text.indexOf('(', next) : next;
    if (sql && (open < 0 || text.slice(next, open).trim().replace(/^,/, '') !== '')) break;
    const row = readRow(text, sql ? open + 1 : next, sign);
    const isLayout = !sql && (row.cells.join('').trim() === '' || rule.test(row.cells.join('')));
    const fields = isLayout ? null : fieldsOf(names, tidy(row.cells, isDrawn));
    if (!isLayout && !fields) break;
    if (fields && looksLikeCallback(fields)) rows.push({ fields: undoEncoding(fields).fields, at: next });
    next = Math.max(row.end, next + 1);
  }
  return rows.length > 0 ? { rows, end: next } : null;
};
