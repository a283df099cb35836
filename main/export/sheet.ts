import type { MessageKey } from '../../shared/messages/message.ts';
import { minorOf } from '../../shared/money/signed-amount.ts';
import type { Amount } from '../../shared/reports/payment-books.ts';
import { named, type ReportContext } from './report-context.ts';

/**
 * Tables of typed cells. Three writers take them: a worker thread packs them into a workbook (`workbook.ts`), `csv.ts`
 * writes them as text, and `papers/paper-table.ts` prints them.
 */

/**
 * Limit of payments and of their movements in a workbook: packing these takes 1.3 GB of memory and two minutes. A
 * spreadsheet program could show five times as many; text files have no limit.
 */
export const maxWorkbookRows = 200_000;

export type SheetCell =
  | null
  | ({ isStrong?: boolean } & (
      | { kind: 'text'; text: string }
      | { kind: 'count'; count: number }
      /** Minor units of a currency. */
      | { kind: 'amount'; minor: bigint; currency: string }
      /** Milliseconds, shown on the clock of an IANA zone. */
      | { kind: 'time'; at: number; zone: string }
      /** An ISO date: the cells are sent between threads, which only plain values survive. */
      | { kind: 'day'; day: string }
    ));

export type Sheet = {
  name: string;
  /** Headings, frozen above the rows; `isNumber`: aligned like numbers. */
  header: readonly { text: string; width: number; isNumber: boolean }[];
  rows: readonly (readonly SheetCell[])[];
  /** Whether the whole table has a filter. */
  hasFilter: boolean;
  /** How many columns from the left are printed; by default all. */
  printedColumns?: number;
};

/** A heading by its message, the least width of its column in characters, and whether it has numbers. */
export type Heading = readonly [heading: MessageKey, width: number, isNumber?: true];

/** A heading with room for the sign of a filter beside it. */
export const headingOf = (text: string, width: number, isNumber: boolean): Sheet['header'][number] => ({
  text,
  width: Math.max(width, text.length + 4),
  isNumber,
});

export const sheetOf = (
  name: MessageKey,
  headings: readonly Heading[],
  rows: Sheet['rows'],
  { format }: Pick<ReportContext, 'format'>,
): Sheet => ({
  name: format({ key: name }),
  header: headings.map(([key, width, isNumber = false]) => headingOf(format({ key }), width, isNumber)),
  rows,
  hasFilter: true,
});

export const textCell = (text: string | null): SheetCell => (text ? { kind: 'text', text } : null);
export const countCell = (count: number | null): SheetCell =>
  count === null ? null : { kind: 'count', count };
export const dayCell = (day: string | null): SheetCell => (day === null ? null : { kind: 'day', day });

/** An amount on the wire, with a minus sign if it is negative. */
export const wireCell = (wire: string | null, currency: string): SheetCell => {
  const minor = wire === null ? null : minorOf(wire, currency);
  return minor === null ? textCell(wire) : { kind: 'amount', minor, currency };
};

/** An amount of the books. */
export const amountCell = (amount: Amount | null, currency: string, context: ReportContext): SheetCell => {
  if (amount?.kind === 'minor') return { kind: 'amount', minor: amount.minor, currency };
  return textCell(
    amount?.kind === 'unknown' ? named(context, 'unknown', 'export.unknown') : (amount?.text ?? null),
  );
};

/** Cells that stand out. */
export const strong = (row: readonly SheetCell[]): SheetCell[] =>
  row.map(cell => cell && { ...cell, isStrong: true });
