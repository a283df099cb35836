import { msg } from '../../../shared/messages/message.ts';
import { StatementRefusal } from './statement-refusal.ts';

/** A row of a file, with the number of its line. */
export type Row = { line: number; cells: readonly string[] };
/** The rows of a file that are not empty. `isTyped`: its numbers are numbers, written with a decimal point. */
export type Table = { rows: readonly Row[]; isTyped: boolean };

/** Limits of a file: what is larger is no statement of a month, and would need more memory than a computer has to spare. */
export const maxFileBytes = 64 * 1024 * 1024;
export const maxRows = 200_000;
export const maxColumns = 1_000;
/** Of all cells together, characters. */
const maxChars = 64 * 1024 * 1024;

export const tooManyRows = (): StatementRefusal =>
  new StatementRefusal(msg('statement-file.rows', { max: maxRows }), msg('statement-file.rows.hint'));

/** Collects the rows of a file within the limits. */
export const createTable = () => {
  const rows: Row[] = [];
  let chars = 0;
  /** A text as the row before has it, so that a currency or a day is not in memory with each of its rows. */
  const shared = (cell: string, column: number): string => {
    const before = rows.at(-1)?.cells[column];
    return cell === before ? before : cell;
  };
  return {
    add: (line: number, cells: readonly string[]): void => {
      if (cells.length > maxColumns)
        throw new StatementRefusal(msg('statement-file.columns', { line, max: maxColumns }));
      if (cells.every(cell => cell.trim() === '')) return;
      for (const cell of cells) chars += cell.length;
      if (rows.length >= maxRows || chars > maxChars) throw tooManyRows();
      rows.push({ line, cells: cells.map(shared) });
    },
    rows,
  };
};
