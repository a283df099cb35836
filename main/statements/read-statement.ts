import {
  columnName,
  type DateOrder,
  type NumberForm,
  type StatementFormat,
} from '../../shared/statements/statement-kinds.ts';
import type { Mapping } from '../../shared/statements/mapping.schema.ts';
import { msg } from '../../shared/messages/message.ts';
import type { Lines, Question } from './reading/line.ts';
import { createLookUp, isSameAmount, match, type LookUp } from './match.ts';
import type { Movement } from './movements.ts';
import { readCamt } from './reading/camt.ts';
import { decoded, encodingOf } from './files/decode.ts';
import { readDelimited } from './files/delimited.ts';
import { readMt940 } from './reading/mt940.ts';
import type { StatementFile } from './files/open-file.ts';
import { StatementRefusal } from './files/statement-refusal.ts';
import type { Table } from './files/statement-rows.ts';
import { readWorkbook } from './files/xlsx.ts';
import { proposeColumns, type Columns } from './reading/statement-columns.ts';
import { daysBetween } from './reading/dates.ts';
import { conventionsOf, readTable, type Conventions } from './reading/read-table.ts';

/** A file that was recognised. Files of banks have no columns. */
export type Recognised =
  | { format: 'csv' | 'xlsx'; table: Table }
  | { format: 'camt' | 'mt940'; lines: Lines };

/** A statement as it was read, with what is not certain. */
export type ReadStatement = {
  format: StatementFormat;
  lines: Lines;
  /** Null: a bank's file, which has none. */
  columns: Columns | null;
  conventions: Conventions | null;
  /** What the file leaves open and no payment here proves. */
  questions: Question[];
};

/** Recognises a file by its content. `zone`: as for `readTable`. Throws `StatementRefusal`. */
export const recognise = async ({ bytes, name }: StatementFile, zone: string | null): Promise<Recognised> => {
  const start = bytes.subarray(0, 8).toString('latin1');
  if (start.startsWith('PK\u0003\u0004')) return { format: 'xlsx', table: readWorkbook(bytes) };
  if (start.startsWith('\u00d0\u00cf\u0011\u00e0') || start.startsWith('%PDF'))
    throw new StatementRefusal(
      msg('statement-file.other-format', { file: name }),
      msg('statement-file.other-format.hint'),
    );
  const encoding = encodingOf(bytes);
  const text = decoded(bytes, encoding).next().value ?? '';
  if (/^\ufeff?\s*<(?:\?xml|[A-Za-z])/.test(text))
    return { format: 'camt', lines: readCamt(bytes, encoding, zone) };
  if (/^:(?:20|25|60[FM]):/m.test(text) && /^:61:/m.test(text))
    return { format: 'mt940', lines: readMt940(bytes, encoding) };
  return { format: 'csv', table: await readDelimited(bytes, encoding) };
};

/** Whether any column was recognised, so that a person can correct the others. */
const hasRoles = ({ roles }: Columns): boolean => roles.some(role => role !== 'ignored');

/** The columns with what a person decided. */
const decided = (columns: Columns, mapping: Mapping | null): Columns => ({
  ...columns,
  roles: columns.roles.map(
    (role, index) => mapping?.columns[columnName(columns.headings[index], index)] ?? role,
  ),
});

/** How many matched lines have the amount, and the day, of their payment. */
const evidenceFor = (
  lines: Lines,
  movements: readonly Movement[],
  lookUp: LookUp,
): { amounts: number; days: number } => {
  const { matches } = match(lines.lines, movements, lookUp);
  return {
    amounts: matches.filter(({ line, movement }) => isSameAmount(line, movement)).length,
    days: matches.filter(({ line, movement }) => {
      const day = line.day ?? line.settled;
      return day !== null && daysBetween(day, movement.day) <= 4;
    }).length,
  };
};

/** The one choice that payments here prove; null if they prove none, or several. */
const proven = <T>(choices: readonly T[], proofs: (choice: T) => number): T | null => {
  const rated = choices.map(choice => ({ choice, proofs: proofs(choice) }));
  const best = Math.max(...rated.map(one => one.proofs));
  const found = rated.filter(one => one.proofs === best);
  return best > 0 && found.length === 1 ? (found[0]?.choice ?? null) : null;
};

/**
 * Reads a statement. What the file leaves open is decided by the payments that it names, by `mapping`, or asked.
 * Throws `StatementRefusal` if there is nothing in it that may be a payment.
 */
export const readStatement = (
  file: Recognised,
  movements: readonly Movement[],
  {
    mapping,
    zone,
    lookUp = createLookUp(movements),
  }: { mapping: Mapping | null; zone: string | null; lookUp?: LookUp },
): ReadStatement => {
  if ('lines' in file) {
    if (file.lines.lines.length + file.lines.notRead.length === 0)
      throw new StatementRefusal(msg('statement-file.nothing'));
    return { format: file.format, lines: file.lines, columns: null, conventions: null, questions: [] };
  }
  const columns = decided(proposeColumns(file.table.rows, lookUp), mapping);
  // The payments here have one currency: so has a file that names none, as its lines show before it is kept.
  const currencies = new Set(movements.map(({ currency }) => currency));
  const usual = currencies.size === 1 ? ([...currencies][0] ?? '') : '';
  const possible = conventionsOf(file.table, columns, usual);
  const read = (numbers: NumberForm, dates: DateOrder): Lines =>
    readTable(file.table, columns, { numbers, dates }, { zone, usual, known: lookUp });
  const [firstNumbers = 'point'] = possible.numbers;
  const [firstDates = 'ymd'] = possible.dates;
  const numbers =
    mapping?.numbers ??
    (possible.numbers.length === 1
      ? firstNumbers
      : proven(possible.numbers, form => evidenceFor(read(form, firstDates), movements, lookUp).amounts));
  const dates =
    mapping?.dates ??
    (possible.dates.length === 1
      ? firstDates
      : proven(
          possible.dates,
          order => evidenceFor(read(numbers ?? firstNumbers, order), movements, lookUp).days,
        ));
  const conventions = { numbers: numbers ?? firstNumbers, dates: dates ?? firstDates };
  const lines = read(conventions.numbers, conventions.dates);
  // With a mapping a person is still deciding about the columns.
  if (mapping === null && lines.lines.length + lines.notRead.length === 0 && !hasRoles(columns))
    throw new StatementRefusal(msg('statement-file.nothing'));
  const isOpen = { numbers: numbers === null, dates: dates === null };
  return {
    format: file.format,
    lines,
    columns,
    conventions,
    questions: possible.questions.filter(({ about }) => isOpen[about]),
  };
};
