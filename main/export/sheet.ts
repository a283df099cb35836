/** What a sheet's cells contain; a worker thread packs them into a workbook (`workbook.ts`). */

/** Row limit of common spreadsheet programs, including the heading. */
export const maxSheetRows = 1_048_576;

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
