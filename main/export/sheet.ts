/** What a sheet's cells contain; a worker thread packs them into a workbook (`workbook.ts`). */

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
